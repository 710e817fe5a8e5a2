import type { Db, Tx } from '../../../db/client'
import type { Deps } from '../../../deps'
import type { CalendarFiles } from '../../../lib/icalendar/icalendar'
import { finish, pauses } from '../../../lib/pauses'
import { type ExportReader, hiddenFrom, loadEvents, objectOf, OWNER } from '../export/service'
import { keyOf } from '../import/rules.file'
import { Unusable } from '../import/rules.times'
import * as q from './queries'
import type { Imported } from '../import/rules'
import { type ObjectProblem, openObject, type ReadComponents, readComponents } from './rules.object'
import { assembleObject } from './service.rendering'
import { columnsOf, type ObjectPlace, type Storable, storeEvents } from './service.storing'

/** A calendar object that can be stored, or why a text is none. */
export type ObjectRead =
  | { readonly kind: 'VEVENT'; readonly uid: string; readonly event: Storable }
  | { readonly kind: 'other'; readonly component: string; readonly uid: string }
  | { readonly kind: 'problem'; readonly problem: ObjectProblem }

type Files = Pick<Deps, 'clock'> & { readonly calendarFiles: CalendarFiles }

/** The event of an object, and its components as written and as read; or why a text is none. */
export type PartsRead =
  | {
      readonly kind: 'VEVENT'
      readonly uid: string
      readonly event: Imported
      readonly components: ReadComponents
    }
  | Exclude<ObjectRead, { kind: 'VEVENT' }>

/** Like `readObject`, with the components from which the event was read. */
export async function readParts(
  { calendarFiles, clock }: Files,
  text: string,
  home: string,
): Promise<PartsRead> {
  const pause = pauses(clock)
  const object = await finish(openObject(text), pause)
  if (typeof object === 'string') return { kind: 'problem', problem: object }
  const { kind, uid } = object
  if (kind !== 'VEVENT') return { kind: 'other', component: kind, uid }
  const components = await finish(readComponents(calendarFiles, object.components), pause)
  if (!components) return { kind: 'problem', problem: 'unreadable' }
  try {
    const { event } = await assembleObject({ calendarFiles, home, pause }, object, components)
    return { kind, uid, event, components }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return { kind: 'problem', problem: 'no_start' }
  }
}

async function openedIn({ clock }: Pick<Deps, 'clock'>, text: string) {
  const object = await finish(openObject(text), pauses(clock))
  return typeof object === 'string' ? undefined : object
}

/** The UID of an object; undefined for a text that is none. */
export const uidIn = async (deps: Pick<Deps, 'clock'>, text: string): Promise<string | undefined> =>
  (await openedIn(deps, text))?.uid

/** The component that an object consists of, such as `VTODO`; undefined for a text that is none. */
export const componentIn = async (deps: Pick<Deps, 'clock'>, text: string): Promise<string | undefined> =>
  (await openedIn(deps, text))?.kind

/**
 * Reads an iCalendar object (RFC 4791, section 4.1). Floating times are in the zone `home`. Valid events are never refused because
 * the columns cannot say them; objects of other components are named only.
 */
export async function readObject(files: Files, text: string, home: string): Promise<ObjectRead> {
  const read = await readParts(files, text, home)
  if (read.kind !== 'VEVENT') return read
  const { kind, uid, event } = read
  const key = await keyOf(uid, '')
  try {
    return { kind, uid, event: { key, event, text, zone: home, columns: columnsOf(event) } }
  } catch (error) {
    if (!(error instanceof Unusable)) throw error
    return { kind: 'problem', problem: 'no_start' }
  }
}

/**
 * Writes the event of an object into the calendar: creates it, or replaces the event with its UID. A text that is stored so already
 * changes nothing. The caller has locked the calendar's owner and checked the rights.
 * @throws {AppError} 409 for too many events.
 */
export async function writeObject(
  tx: Tx,
  place: ObjectPlace,
  object: Storable,
): Promise<{ readonly id: number; readonly version: number; readonly isChanged: boolean }> {
  const same = await q.findSame(tx, place.calendarId, object)
  if (same) return { ...same, isChanged: false }
  const written = (await storeEvents(tx, place, [object])).get(object.key)
  if (!written) throw new Error('the event was not written')
  return { ...written, isChanged: true }
}

type TextDeps = Pick<Deps, 'clock' | 'calendarFiles'>

/**
 * The events as iCalendar objects, by id: the text that another program wrote, with what has changed here since, or a text of our
 * own. Six statements at most; ids of events that are gone are missing. The caller has checked the rights.
 */
export async function textsOf(
  { clock, calendarFiles }: TextDeps,
  db: Db | Tx,
  ids: readonly number[],
  reader: ExportReader = OWNER,
): Promise<ReadonlyMap<number, string>> {
  const rows = ids.length === 0 ? [] : await q.findWithTexts(db, ids)
  return write({ clock, calendarFiles, db, reader }, rows)
}

/** Likewise, without the events that no other program wrote. */
export async function keptTextsOf(
  deps: TextDeps,
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const rows = ids.length === 0 ? [] : await q.findWithTexts(db, ids)
  return write(
    { ...deps, db, reader: OWNER },
    rows.filter(({ text }) => text !== null),
  )
}

interface TextReading extends TextDeps {
  readonly db: Db | Tx
  readonly reader: ExportReader
}

async function write(
  { clock, calendarFiles, db, reader }: TextReading,
  rows: Awaited<ReturnType<typeof q.findWithTexts>>,
): Promise<ReadonlyMap<number, string>> {
  const found = new Map<number, string>()
  const pause = pauses(clock)
  const hidden = await hiddenFrom(
    db,
    rows.map(({ event }) => event),
    reader,
  )
  for (const { event, text } of rows) {
    if (text?.exactVersion === event.version && !hidden.has(event.id)) found.set(event.id, text.text)
  }
  const others = rows.filter(({ event }) => !found.has(event.id))
  const loaded =
    others.length === 0
      ? []
      : await loadEvents(
          db,
          others.map(({ event }) => event),
          reader,
        )
  for (const one of loaded) {
    found.set(one.id, await objectOf({ calendarFiles, pause }, one))
    await pause()
  }
  return found
}

/** The event as an iCalendar object; undefined when it is gone. */
export const textOf = async (deps: TextDeps, db: Db | Tx, id: number): Promise<string | undefined> =>
  (await textsOf(deps, db, [id])).get(id)
