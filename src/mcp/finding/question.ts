import { type Static, Type } from '@sinclair/typebox'
import { badRequest } from '../../lib/errors'
import type { Area } from '../../lib/scopes'
import { MAX_ID } from '../../lib/wire/id'
import { readPage, toCursor } from '../../lib/wire/page'
import { day, line } from '../../lib/wire/schema'
import { readValue } from '../../lib/wire/schema-reading'

/** The kinds of records that can be found, with the area that a token must read. */
export const KIND_AREAS = {
  event: 'calendars',
  todo: 'tasks',
  reminder: 'tasks',
  task: 'tasks',
  birthday: 'calendars',
  person: 'people',
  project: 'tasks',
  calendar: 'calendars',
  todo_list: 'tasks',
} as const satisfies Record<string, Area>

export type FoundKind = keyof typeof KIND_AREAS

export const FOUND_KINDS = [
  'event',
  'todo',
  'reminder',
  'task',
  'birthday',
  'person',
  'project',
  'calendar',
  'todo_list',
] as const satisfies readonly FoundKind[]

const fields = {
  query: Type.Optional(line({ max: 200, description: 'Words; each must begin a word of the record.' })),
  kinds: Type.Optional(
    Type.Array(Type.Union(FOUND_KINDS.map((kind) => Type.Literal(kind))), { minItems: 1, maxItems: 9 }),
  ),
  from: Type.Optional(day()),
  to: Type.Optional(day()),
  done: Type.Optional(Type.Boolean({ description: 'Only what is done, or only what is not.' })),
}

export const Question = Type.Object(fields)

/** What is looked for. A cursor carries it, so that the next page is of the same search. */
const Sought = Type.Object({
  ...fields,
  /** Open todos and tasks that were due before `from` count, too. */
  overdue: Type.Optional(Type.Boolean()),
  /** Leaves out todos, reminders and tasks that are done. */
  unfinished: Type.Optional(Type.Boolean()),
})
export type Sought = Static<typeof Sought>

/** Where to go on: in which source, after which of its pages, and how many of the next page to skip. */
const FoundPlace = Type.Object({
  source: Type.Integer({ minimum: 0, maximum: 20 }),
  after: Type.Union([Type.String(), Type.Null()]),
  skip: Type.Integer({ minimum: 0, maximum: 10_000 }),
})
export type FoundPlace = Static<typeof FoundPlace>

export const BEGINNING: FoundPlace = { source: 0, after: null, skip: 0 }

const Cursor = Type.Object({ asked: Sought, place: FoundPlace })

export const cursorOf = (asked: Sought, place: FoundPlace): string =>
  toCursor([JSON.stringify({ asked, place })])

const isTexts = (key: unknown): key is readonly [string] =>
  Array.isArray(key) && key.length === 1 && typeof key[0] === 'string'

/** @throws {AppError} 400, 422. */
export function readCursor(cursor: string): Static<typeof Cursor> {
  const [text = ''] = readPage({ cursor }, isTexts).after ?? []
  return readValue(Cursor, parsed(text), 'cursor')
}

/** The number in a place where a source goes on: an id, or how many came before; 0 at the beginning. @throws {AppError} 400. */
export function countIn(after: string | null): number {
  const count = Number(after ?? 0)
  const isWritten = String(count) === (after ?? '0')
  if (!isWritten || !Number.isInteger(count) || count < 0 || count > MAX_ID) throw badCursor()
  return count
}

const badCursor = () => badRequest('cursor: is not valid')

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw badCursor()
  }
}
