import type { EventView } from '../../features/events/events/model'
import type { ChangeView } from '../../features/overview/changes/model'

/** A kind of record, as the change feed calls it. */
export type RecordKind = ChangeView['type']

/** Kinds that are held whole. Events are held as windows of occurrences. */
export type KeptKind = Exclude<RecordKind, 'event'>

type ItemOf<K extends RecordKind> = NonNullable<Extract<ChangeView, { type: K }>['item']>

/** The record of a kind; of an event, one of its occurrences. */
export type RecordOf<K extends RecordKind> = K extends 'event' ? EventView : ItemOf<K>

/** Values by the names that they have on the wire. */
export type Fields = Readonly<Record<string, unknown>>

/** What the service said of a record last. */
export interface SaidRecord {
  readonly item: object
  readonly version: number | null
  readonly parentId: number | null
}

/** Names one record; of an event, `at` names the occurrence by its original start, and without it all of them are meant. */
export interface RecordName {
  readonly kind: RecordKind
  readonly id: number
  readonly at?: string | undefined
}

export const KEPT_KINDS = [
  'settings',
  'calendar',
  'todo_list',
  'todo',
  'reminder',
  'project',
  'task',
  'comment',
  'address_book',
  'person',
  'connection',
  'connection_request',
  'calendar_invite',
  'event_template',
  'notification',
] as const satisfies readonly KeptKind[]

export const nameOf = ({ kind, id }: RecordName): string => `${kind}:${id}`
