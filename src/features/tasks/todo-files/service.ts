import { type Reader, weekOf } from '../../../access/reader/service'
import type { Db, Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import { finish, pauses } from '../../../lib/pauses'
import {
  type CalendarObject,
  type ObjectProblem,
  openObject,
  type ReadComponents,
  readComponents,
} from '../../calendars/event-files/rules.object'
import { zonesOf } from '../../calendars/event-files/service.rendering'
import { keyOf } from '../../calendars/import/rules.file'
import type { Zones } from '../../calendars/import/rules.times'
import { numberAt, numberOf } from '../todo-order/rules'
import { rankByNumber } from '../todo-order/service'
import { NO_SCHEDULE, scheduleOf } from '../todos/rules'
import * as q from './queries'
import { todoLines, type TodoNow } from './rules.printing'
import { isNumbered, nextDay, readTodo, type TodoContent, type TodoReading } from './rules.reading'
import { isAsSaid, rewriteTodo } from './rules.rewriting'

export type Files = Pick<Deps, 'calendarFiles' | 'clock'>

/** An object of VTODOs, or why a text is none. */
export type TodoObjectRead =
  | { readonly kind: 'VTODO'; readonly todo: WrittenTodo }
  | { readonly kind: 'other' }
  | { readonly kind: 'problem'; readonly problem: ObjectProblem }

/** The components of an object with the zones that they name. */
export interface WrittenTodo {
  /** Identifies the todo in its list: its UID, or a hash of a long one. */
  readonly key: string
  readonly text: string
  readonly object: CalendarObject
  readonly read: ReadComponents
  readonly zones: Zones
  /** The user's zone, for floating times. */
  readonly home: string
}

/** Reads an object (RFC 4791, section 4.1). Floating times are in the zone `home`. */
export async function readTodoObject(files: Files, text: string, home: string): Promise<TodoObjectRead> {
  const object = await finish(openObject(text), pauses(files.clock))
  if (typeof object === 'string') return { kind: 'problem', problem: object }
  if (object.kind !== 'VTODO') return { kind: 'other' }
  const opened = await readAll(files, text, object, home)
  return opened ? { kind: 'VTODO', todo: opened } : { kind: 'problem', problem: 'unreadable' }
}

async function readAll(
  { calendarFiles, clock }: Files,
  text: string,
  object: CalendarObject,
  home: string,
): Promise<WrittenTodo | undefined> {
  const pause = pauses(clock)
  const read = await finish(readComponents(calendarFiles, object.components), pause)
  if (!read) return undefined
  const zones = await zonesOf({ calendarFiles, home, pause }, object)
  return { key: await keyOf(object.uid, ''), text, object, read, zones, home }
}

/** The text of a todo: as it was written, but for what has changed here since, or a text of our own (contract: todos.text). */
async function textOf(files: Files, source: q.TodoSource): Promise<string> {
  const { text, said } = source
  const now: TodoNow = source
  if (text === null || said === null) return files.calendarFiles.print(todoLines(now))
  if (isAsSaid(said, now)) return text
  return rewriteTodo(files.calendarFiles, { ...(await openTodo(files, text, said.zone)), said, now })
}

/** A text and the version that it is. */
export interface VersionText {
  readonly text: string
  readonly version: number
  readonly updatedAt: Date
}

/** Opens a text that was stored. */
export async function openTodo(files: Files, text: string, home: string): Promise<WrittenTodo> {
  const object = await finish(openObject(text), pauses(files.clock))
  const opened = typeof object === 'string' ? undefined : await readAll(files, text, object, home)
  if (!opened) throw new Error('a stored text cannot be read')
  return opened
}

/** The todos as objects, by id; ids of those that are gone are missing. The caller has checked the rights. */
export async function textsOfTodos(
  deps: Files,
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, VersionText>> {
  return write(deps, ids.length === 0 ? [] : await q.findSources(db, ids))
}

/** Likewise, without the todos that no other program wrote. */
export async function keptTextsOfTodos(
  deps: Files,
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, VersionText>> {
  const sources = ids.length === 0 ? [] : await q.findSources(db, ids)
  return write(
    deps,
    sources.filter(({ text }) => text !== null),
  )
}

async function write(
  deps: Files,
  sources: readonly q.TodoSource[],
): Promise<ReadonlyMap<number, VersionText>> {
  const found = new Map<number, VersionText>()
  const pause = pauses(deps.clock)
  for (const source of sources) {
    const { version, updatedAt } = source
    found.set(source.id, { text: await textOf(deps, source), version, updatedAt })
    await pause()
  }
  return found
}

/** Where a todo is written. The user is locked, and has the list. */
export interface TodoPlace {
  readonly listId: number
  readonly reader: Reader
  readonly now: Date
  /** The todo whose place the text takes; undefined for a new one. */
  readonly id: number | undefined
  /** The name that a client chose for a new one. */
  readonly name: string
}

/**
 * Writes the todo of an object. A text that is what the todo says already changes nothing.
 * @throws {AppError} 409 for too many todos.
 */
export async function writeTodo(
  tx: Tx,
  deps: Files & Pick<Deps, 'config'>,
  where: TodoPlace,
  todo: WrittenTodo,
): Promise<{ readonly id: number; readonly version: number }> {
  const { reader, now, id } = where
  const stored = id === undefined ? undefined : await q.lockSource(tx, reader.userId, id)
  if (stored && (await textOf(deps, stored)) === todo.text) return stored
  const components = todo.read.map(([, component]) => component)
  const { zones, home } = todo
  const reading = { zones, home, now, completedBefore: stored && stored.completedAt }
  const content = readTodo(components, reading)
  if (!content) throw new Error('an object has a component')
  const { completedAt } = content
  const place = await placeOf(tx, { where, stored, content, isNumbered: isNumbered(components) })
  const next = content.recurrenceUnsupported && completedAt ? nextDay(components, reading, completedAt) : null
  const columns = {
    ...content,
    ...scheduleOf(stored ?? NO_SCHEDULE, content, weekOf(deps.config, reader.owner), next),
    uid: todo.key,
    updatedAt: now,
    ...place,
  }
  const { listId, name: objectName } = where
  const written = stored
    ? await q.update(tx, stored.id, columns)
    : await q.insert(tx, { ...columns, userId: reader.userId, listId, objectName, createdAt: now })
  await q.putText(tx, {
    todoId: written.id,
    userId: reader.userId,
    text: todo.text,
    said: saidBy(todo, { ...content, sortOrder: place.sortOrder }, written.version),
  })
  return written
}

interface Placing {
  readonly where: TodoPlace
  readonly stored: q.TodoSource | undefined
  readonly content: TodoContent
  /** Whether the text itself says a number. */
  readonly isNumbered: boolean
}

/** Its number, and the rank that follows from it. A text that says no other number leaves the todo where it is (contract: todos.order). */
async function placeOf(
  tx: Tx,
  { where: { reader, listId, now }, stored, content, isNumbered: isSaid }: Placing,
): Promise<{ readonly sortOrder: number | null; readonly rank?: string }> {
  const { sortOrder } = content
  if (stored && (!isSaid || sortOrder === numberOf(stored))) return { sortOrder: stored.sortOrder }
  const number = sortOrder ?? numberAt(now)
  const rank = await rankByNumber(tx, { userId: reader.userId, listId, number, present: stored })
  return { sortOrder, ...(rank !== undefined && { rank }) }
}

/**
 * The day on which a todo is due next, after it is completed, whose series only its text can say. Null when it has ended, undefined
 * when nobody knows. The user is locked.
 */
export async function nextDayOf(
  files: Files,
  tx: Tx,
  { userId, id }: { readonly userId: number; readonly id: number },
  completedAt: Date,
): Promise<string | null | undefined> {
  const source = await q.lockSource(tx, userId, id)
  if (!source?.said) return undefined
  const { read, zones, home } = await openTodo(files, await textOf(files, source), source.said.zone)
  const reading: TodoReading = { zones, home, now: completedAt, completedBefore: null }
  return nextDay(
    read.map(([, component]) => component),
    reading,
    completedAt,
  )
}

const saidBy = ({ key, home }: WrittenTodo, content: TodoContent, version: number) => ({
  uid: key,
  version,
  zone: home,
  title: content.title,
  description: content.description,
  priority: content.priority,
  category: content.category,
  dueDate: content.dueDate,
  dueTime: content.dueTime,
  completedAt: content.completedAt && content.completedAt.toISOString(),
  recurrence: content.recurrence,
  sortOrder: content.sortOrder,
})
