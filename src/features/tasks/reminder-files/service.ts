import type { Reader } from '../../../access/reader/service'
import type { Db, Tx } from '../../../db/client'
import { pauses } from '../../../lib/pauses'
import { wallFromText, wallToText } from '../../../lib/time/wall-time'
import { dismissed, type Dismissal, type Timing } from '../reminders/rules'
import type { TodoReading } from '../todo-files/rules.reading'
import { isAsSaid, rewriteTodo } from '../todo-files/rules.rewriting'
import { type Files, openTodo, type VersionText, type WrittenTodo } from '../todo-files/service'
import * as q from './queries'
import { asTodo, isTimedAsSaid, reminderLines, type ReminderNow, withRuleAndAlarm } from './rules.printing'
import { hasAlarm, nextReminder, readReminder, type ReminderContent } from './rules.reading'

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
): Promise<ReadonlyMap<number, VersionText>> {
  const sources = ids.length === 0 ? [] : await q.findSources(db, ids)
  return write(files, sources)
}

/** Likewise, without the reminders that no other program wrote. */
export async function keptTextsOfReminders(
  files: Files,
  db: Db | Tx,
  ids: readonly number[],
): Promise<ReadonlyMap<number, VersionText>> {
  const sources = ids.length === 0 ? [] : await q.findSources(db, ids)
  return write(
    files,
    sources.filter(({ text }) => text !== null),
  )
}

async function write(files: Files, sources: readonly q.ReminderSource[]) {
  const found = new Map<number, VersionText>()
  const pause = pauses(files.clock)
  for (const source of sources) {
    const { version, updatedAt } = source
    found.set(source.id, { text: await textOf(files, source), version, updatedAt })
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
  const components = todo.read.map(([, component]) => component)
  const { zones, home } = todo
  const reading = { zones, home, now, completedBefore: stored && null }
  const content = readReminder(components, reading)
  if (!content) throw new Error('an object has a component')
  // One that is not active here becomes so when a client gives it an alarm.
  const isActive = stored?.isActive !== false || hasAlarm(components)
  const columns = { ...columnsOf(content), isActive, uid: todo.key, updatedAt: now }
  const written = stored
    ? await q.update(tx, stored.id, columns)
    : await q.insert(tx, { ...columns, userId, objectName: name, createdAt: now })
  await q.putText(tx, {
    reminderId: written.id,
    userId,
    text: todo.text,
    said: { ...saidBy(todo, content, written.version), isActive },
  })
  const next = nextOf(content, now, (after) => nextReminder(components, reading, after))
  if (next) await q.update(tx, written.id, { ...next, updatedAt: now })
  return written
}

const columnsOf = ({ seriesStart, completedAt, ...content }: ReminderContent) => ({
  ...content,
  seriesStart: seriesStart && seriesStart.at,
  seriesWall: seriesStart && wallToText(seriesStart.wall),
  isDismissed: completedAt !== null,
})

/** How a series goes on that its text completes; undefined for one that is open or has ended. What is completed early does not come again. */
function nextOf(
  content: ReminderContent,
  now: Date,
  nextByText: (after: Date) => Date | null | undefined,
): Dismissal | undefined {
  if (content.completedAt === null) return undefined
  const after = content.remindAt && content.remindAt > now ? content.remindAt : now
  if (content.recurrenceUnsupported) return movedTo(nextByText(after))
  const timing: Timing = { ...content, isDismissed: false }
  const next = dismissed(timing, after)
  return next.isDismissed ? undefined : next
}

const movedTo = (remindAt: Date | null | undefined): Dismissal | undefined =>
  remindAt ? { remindAt, isDismissed: false, snoozedUntil: null } : undefined

/**
 * When one is reminded next, after the occurrence that is open, of a reminder whose series only its text can say. Null when it has
 * ended, undefined when nobody knows. The user is locked.
 */
export async function nextReminderOf(
  files: Files,
  tx: Tx,
  { userId, id }: { readonly userId: number; readonly id: number },
  now: Date,
): Promise<Date | null | undefined> {
  const source = await q.lockSource(tx, userId, id)
  if (!source?.said) return undefined
  const { read, zones, home } = await openTodo(files, await textOf(files, source), source.said.zone)
  const reading: TodoReading = { zones, home, now, completedBefore: null }
  return nextReminder(
    read.map(([, component]) => component),
    reading,
    now,
  )
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
