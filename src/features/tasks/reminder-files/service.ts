import type { Reader } from '../../../access/reader/service'
import { outsideOperation } from '../../../db/outside-operation'
import type { Db, Tx } from '../../../db/client'
import { pauses } from '../../../lib/pauses'
import { wallFromText, wallToText } from '../../../lib/time/wall-time'
import { dismissed, type Timing } from '../reminders/rules'
import { isAsSaid, rewriteTodo } from '../todo-files/rules.rewriting'
import { type Files, openTodo, type WrittenTodo } from '../todo-files/service'
import * as q from './queries'
import { asTodo, isTimedAsSaid, reminderLines, type ReminderNow, withRuleAndAlarm } from './rules.printing'
import { readReminder, type ReminderContent } from './rules.reading'

/** The text of a reminder: as it was written, but for what has changed here since, or a text of our own (contract: reminders.text). */
async function textOf(files: Files, source: q.ReminderSource): Promise<string> {
  const { text, said } = source
  const now = nowOf(source)
  if (text === null || said === null) return files.calendarFiles.print(reminderLines(now))
  const todo = asTodo(said, now)
  if (isAsSaid(todo.said, todo.now) && isTimedAsSaid(said, now)) return text
  const opened = await openTodo(files, text, said.zone)
  return rewriteTodo(files.calendarFiles, { ...opened, ...todo, more: withRuleAndAlarm(said, now) })
}

const nowOf = ({ seriesStart, seriesWall, ...source }: q.ReminderSource): ReminderNow => ({
  ...source,
  seriesStart:
    seriesStart === null || seriesWall === null ? null : { at: seriesStart, wall: wallFromText(seriesWall) },
})

/** The reminders as objects, by id; ids of those that are gone are missing. The caller has checked the rights. */
export async function textsOfReminders(
  files: Files,
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const sources = ids.length === 0 ? [] : await q.findSources(db, ids)
  return write(files, sources)
}

/** Likewise, without the reminders that no other program wrote. */
export async function keptTextsOfReminders(
  files: Files,
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, string>> {
  const sources = ids.length === 0 ? [] : await q.findSources(db, ids)
  return write(
    files,
    sources.filter(({ text }) => text !== null),
  )
}

async function write(files: Files, sources: readonly q.ReminderSource[]) {
  const found = new Map<number, string>()
  const pause = pauses(files.clock)
  for (const source of sources) {
    found.set(source.id, await textOf(files, source))
    await pause()
  }
  return found
}

/** Where a reminder is written. The user is locked. */
export interface ReminderPlace {
  readonly reader: Reader
  readonly now: Date
  /** The reminder whose place the text takes; undefined for a new one. */
  readonly id: number | undefined
  /** The name that a client chose for a new one. */
  readonly name: string
}

/**
 * Writes the reminder of an object. A text that is what the reminder says already changes nothing. A series that the text
 * completes goes on with its next occurrence, which is another version.
 * @throws {AppError} 409 for too many reminders.
 */
export async function writeReminder(
  tx: Tx,
  files: Files,
  { reader: { userId }, now, id, name }: ReminderPlace,
  todo: WrittenTodo,
): Promise<{ readonly id: number; readonly version: number }> {
  const stored = id === undefined ? undefined : await q.lockSource(tx, userId, id)
  if (stored && (await textOf(files, stored)) === todo.text) return stored
  const content = readReminder(
    todo.read.map(([, component]) => component),
    { zones: todo.zones, home: todo.home, now, completedBefore: stored && null },
  )
  if (!content) throw new Error('an object has a component')
  const columns = { ...columnsOf(content), uid: todo.key, updatedAt: now }
  const written = stored
    ? await q.update(tx, stored.id, columns)
    : await q.insert(tx, { ...columns, userId, objectName: name, createdAt: now })
  await q.putText(tx, {
    reminderId: written.id,
    userId,
    text: todo.text,
    said: saidBy(todo, content, written.version),
  })
  if (content.completedAt !== null && content.recurrenceRule !== null)
    await goOn(tx, written.id, content, now)
  return written
}

const columnsOf = ({ seriesStart, completedAt, ...content }: ReminderContent) => ({
  ...content,
  seriesStart: seriesStart && seriesStart.at,
  seriesWall: seriesStart && wallToText(seriesStart.wall),
  isDismissed: completedAt !== null,
})

/** Moves a series to its next occurrence, which follows from its completion by itself. */
async function goOn(tx: Tx, id: number, content: ReminderContent, now: Date): Promise<void> {
  const timing: Timing = { ...content, isDismissed: false }
  // What is completed early does not come again.
  const next = dismissed(timing, content.remindAt && content.remindAt > now ? content.remindAt : now)
  if (next.isDismissed) return
  await outsideOperation(tx, async () => void (await q.update(tx, id, { ...next, updatedAt: now })))
}

const saidBy = ({ key, home }: WrittenTodo, content: ReminderContent, version: number) => ({
  uid: key,
  version,
  zone: home,
  title: content.title,
  description: content.description,
  remindAt: content.remindAt && content.remindAt.toISOString(),
  recurrenceRule: content.recurrenceRule,
  completedAt: content.completedAt && content.completedAt.toISOString(),
  snoozedUntil: content.snoozedUntil && content.snoozedUntil.toISOString(),
})
