import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { line } from '../../../lib/wire/schema'
import { KINDS } from './rules'

const kind = `(?:${KINDS.join('|')})`

export const SearchQuery = t.Object({
  q: line({
    max: 200,
    description:
      'Words, all of which stand in what is found, there perhaps longer at their ends; without regard to accents and case. The first eight words count, others are ignored.',
  }),
  types: t.Optional(
    line({
      max: 200,
      pattern: `^${kind}(?: *, *${kind})*$`,
      problem: `must be a comma-separated list of ${KINDS.join(', ')}`,
      description: `Only these, comma-separated: ${KINDS.join(', ')}.`,
      examples: ['todos,events'],
    }),
  ),
  limit: pageQuery.limit,
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
          'Around the first hit in the first 2000 characters of a text; null where these have none, as where only the title has hits.',
      }),
    ),
    parent_id: t.Nullable(Type.Integer({ description: 'The project of a task; else null.' })),
    rank: t.Number({ description: 'Above 1 where the title has all the words.' }),
  },
  { title: 'SearchResult' },
)
export type SearchResult = typeof SearchResult.static

export const SearchResults = t.Object({ results: t.Array(SearchResult) })
