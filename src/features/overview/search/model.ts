import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { DEFAULT_LIMIT, limitQuery } from '../../../lib/wire/page'
import { line } from '../../../lib/wire/schema'
import { KINDS } from './rules'

const kind = `(?:${KINDS.join('|')})`

export const SearchQuery = t.Object({
  q: line({
    max: 200,
    description:
      'A record matches if, for each of these words, it contains a word that begins with it; case and accents are ignored. Only the first eight words count.',
  }),
  types: t.Optional(
    line({
      max: 200,
      pattern: `^${kind}(?: *, *${kind})*$`,
      problem: `must be a comma-separated list of ${KINDS.join(', ')}`,
      description: `Only these types, comma-separated: ${KINDS.join(', ')}.`,
      examples: ['todos,events'],
    }),
  ),
  limit: limitQuery(`The most results; ${DEFAULT_LIMIT} by default.`),
})
export type SearchQuery = typeof SearchQuery.static

export const SearchResult = t.Object(
  {
    type: t.Union([
      t.Literal('event'),
      t.Literal('todo'),
      t.Literal('reminder'),
      t.Literal('project'),
      t.Literal('task'),
      t.Literal('person'),
    ]),
    id: Type.Integer(),
    title: t.String(),
    snippet: t.Nullable(
      t.String({
        description:
          'Text around the first hit in the first 2000 characters of a text; null if there is none, for example if only the title matches.',
      }),
    ),
    parent_id: t.Nullable(Type.Integer({ description: 'The project of a task; otherwise null.' })),
    rank: t.Number({ description: 'Above 1 if the title contains all the words.' }),
  },
  { title: 'SearchResult' },
)
export type SearchResult = typeof SearchResult.static

export const SearchResults = t.Object({ results: t.Array(SearchResult) })
