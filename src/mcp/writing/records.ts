import type { CurrentSession } from '../../access/sessions/service'
import { mayWrite } from '../assistant'
import { eventRecords } from './events'
import { type KindOfRecord, WRITABLE_KINDS, type WritableKind } from './kinds'
import { personRecords } from './people'
import { reminderRecords } from './reminders'
import { taskRecords } from './tasks'
import { todoRecords } from './todos'

export const RECORDS: Record<WritableKind, KindOfRecord> = {
  event: eventRecords,
  todo: todoRecords,
  reminder: reminderRecords,
  task: taskRecords,
  person: personRecords,
}

/** The kinds that the caller may write, in the order of the list. */
export const writableBy = (session: CurrentSession): WritableKind[] =>
  WRITABLE_KINDS.filter((kind) => mayWrite(session, RECORDS[kind].area))

export const isWritableKind = (value: unknown): value is WritableKind =>
  WRITABLE_KINDS.some((kind) => kind === value)
