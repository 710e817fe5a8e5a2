import { mayRead } from '../../lib/scopes'
import type { ToolAnswer } from '../../lib/ports/assistants'
import { type Assistant, zoneFor } from '../assistant'
import { fits, mostThatFit, shortened } from '../fitting'
import { lineOf } from '../items/lines'
import { type Sought, cursorOf, FOUND_KINDS, type FoundKind, KIND_AREAS, type FoundPlace } from './question'
import { isSearched, searchSource } from './search'
import { type ItemSource, sourceOf } from './sources'
import { walk } from './walk'

/** Kinds that are done or not. */
const WITH_DONE: ReadonlySet<FoundKind> = new Set(['todo', 'reminder', 'task'])
/** Kinds that have a day. */
const WITH_DAYS: ReadonlySet<FoundKind> = new Set(['event', 'todo', 'reminder', 'task', 'birthday'])

/** The kinds that were asked for and may be read, and that can be what was asked. */
function kindsOf({ session }: Assistant, { kinds = [...FOUND_KINDS], done, from, to }: Sought): FoundKind[] {
  const isDated = from !== undefined || to !== undefined
  return FOUND_KINDS.filter((kind) => kinds.includes(kind) && mayRead(session, KIND_AREAS[kind]))
    .filter((kind) => done === undefined || WITH_DONE.has(kind))
    .filter((kind) => !isDated || WITH_DAYS.has(kind))
}

/** Where the answers come from: a query without days goes to the search of the service. */
function sourcesOf(assistant: Assistant, asked: Sought): ItemSource[] {
  const kinds = kindsOf(assistant, asked)
  const { query, from, to, unfinished } = asked
  const isSearch = query !== undefined && from === undefined && to === undefined
  const searched = isSearch ? kinds.filter(isSearched) : []
  const others = kinds.filter((kind) => !isSearch || !isSearched(kind))
  return [
    ...(query !== undefined && searched.length > 0 ? [searchSource(assistant, query, searched, asked)] : []),
    ...others.map((kind) =>
      sourceOf(kind, { assistant, asked: { ...asked, ...(unfinished && { done: false }) } }),
    ),
  ]
}

/** Answers with what is found from the place on: at most 50 items and 8 kB, and a cursor when there is more. */
export async function answerFound(
  assistant: Assistant,
  asked: Sought,
  place: FoundPlace,
  head: Readonly<Record<string, unknown>> = {},
): Promise<ToolAnswer> {
  const { found, rest } = await walk(sourcesOf(assistant, asked), place)
  const build = (items: typeof found, end: FoundPlace | null) => {
    const next_cursor = end && cursorOf(asked, end)
    const lines = items.map(({ item }) => lineOf(item))
    const more = next_cursor === null ? [] : ['There is more: call find with next_cursor as cursor.']
    return {
      kind: 'result' as const,
      isError: false,
      text: [summaryOf(items.length), ...lines, ...more].join('\n'),
      structured: {
        ...head,
        time_zone: zoneFor(assistant),
        items: items.map(({ item }) => item),
        next_cursor,
      },
    }
  }
  const firstOf = (count: number) => build(found.slice(0, count), found[count]?.place ?? rest)
  const answer = mostThatFit(found.length, Math.min(1, found.length), firstOf)
  if (fits(answer)) return answer
  const short = found.slice(0, 1).map((one) => ({ ...one, item: shortened(one.item) }))
  return build(short, found[1]?.place ?? rest)
}

const summaryOf = (count: number) => (count === 1 ? '1 item' : `${count} items`)
