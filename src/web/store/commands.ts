import type { Method } from '../api/call'
import { randomInteger } from '../api/random'
import { type Fields, type RecordKind, nameOf, type RecordName, type RecordOf } from './kinds'

/** What a command does to the records of this device, as data, so that it outlives the page. */
export type Effect = RecordName & {
  /** Also the later occurrences of the series. */ readonly onwards?: true
} & (
    | { readonly is: 'put'; readonly item: object; readonly parentId?: number | null }
    | { readonly is: 'patch'; readonly fields: Fields }
    | { readonly is: 'delete' }
  )

interface CommandRequest {
  readonly method: Exclude<Method, 'GET'>
  /** After `/api/`. An id of this device is replaced by the service's before the request goes out. */
  readonly path: string
  readonly body?: Fields
  /**
   * Records in the answer, if it is not the guarded or created one: those of a kind in the list of that name; null for an answer that
   * has none.
   */
  readonly answers?: { readonly kind: RecordKind; readonly list: string } | null
}

/** A change that a person made: how it shows at once, and how the service is asked for it. */
export interface Intent {
  /** What the change was, in the person's language: "Moved Lunch to Tuesday". */
  readonly said: string
  readonly apply: readonly Effect[]
  readonly request: CommandRequest
  /** The record whose version must still be the one that was opened. */
  readonly guard?: RecordName
  /** The guarded record as the person saw it when they began; by default as it is now. */
  readonly opened?: object
  /** The record that the request makes. */
  readonly creates?: RecordName
  /** Commands of one lane go out one after the other, such as those that put a list in order or make its records. */
  readonly lane?: string
  /** The address where it was made, to go back to with what was typed if the service refuses it. */
  readonly from?: string
  /** A refusal with this status is told by who made the change. */
  readonly quietAt?: number
  /** What cannot be undone must have been confirmed before. */
  readonly canUndo?: boolean
}

/** An intent on its way (contract: web.commands). */
export interface SentCommand extends Intent {
  /** Also its `Idempotency-Key`. */
  readonly id: string
  /** Undoes what `apply` does on this device. */
  readonly inverse: readonly Effect[]
  readonly state: 'waiting' | 'sending' | 'conflict'
  /** Whether the service may have got it already. */
  readonly wasSent: boolean
  /** The version of its record at the last attempt, which goes with the request if the record is guarded. */
  readonly ifMatch?: number | undefined
  /** The greatest id of the kind that was known when the command was made: what it creates has a greater one. */
  readonly after: number
  /** The command that this one undoes, if it is an undoing. */
  readonly undoes?: string
  /** The tab that sends it. */
  readonly tab: string
}

/** The one record that a command is about, which is there already. */
export const subjectOf = ({ guard, undoes, apply }: SentCommand): RecordName | undefined =>
  guard ?? (undoes === undefined ? undefined : apply[0])

/** Ids that this device gives are far below zero, so that they are recognised wherever they stand. */
const LOCAL_IDS = -1e12
export const isLocal = (id: number): boolean => id <= LOCAL_IDS
export const localId = (): number => LOCAL_IDS - randomInteger() * 1000 - (++made % 1000)
let made = 0

export const LOCAL_ID = /-\d{13,}/g

/** What must not overtake what: the records that a command touches, those that it refers to, and its lane. */
export function lanesOf({ apply, request, creates, lane }: Intent): ReadonlySet<string> {
  const references = `${request.path} ${JSON.stringify(request.body ?? {})}`.match(LOCAL_ID) ?? []
  return new Set([
    ...apply.map(nameOf),
    ...references.map((id) => `made:${id}`),
    ...(creates ? [`made:${creates.id}`] : []),
    ...(lane === undefined ? [] : [`lane:${lane}`]),
  ])
}

/** An intent or command with the service's id in the place of this device's. */
export const withId = <I extends Intent>(intent: I, local: number, id: number): I =>
  JSON.parse(JSON.stringify(intent).replaceAll(new RegExp(`${local}(?!\\d)`, 'g'), String(id))) as I

interface Told {
  readonly said: string
  readonly lane?: string
}

/** Makes a record; `path` is that of its list. `item` is how it shows until the service answers. */
export const creation = <K extends RecordKind>(
  { kind, item, parentId }: { kind: K; item: RecordOf<K> & { id: number }; parentId?: number | null },
  path: string,
  body: Fields,
  told: Told,
): Intent => ({
  ...told,
  apply: [{ is: 'put', kind, id: item.id, item, ...(parentId !== undefined && { parentId }) }],
  request: { method: 'POST', path, body },
  creates: { kind, id: item.id },
})

/** Changes some fields of a record that carries a version; `path` is its own. */
export const change = <K extends RecordKind>(
  name: RecordName & { kind: K },
  path: string,
  fields: Partial<RecordOf<K>>,
  told: Told & { readonly opened?: RecordOf<K> },
): Intent => ({
  ...told,
  apply: [{ ...name, is: 'patch', fields }],
  request: { method: 'PUT', path, body: fields },
  guard: name,
})

/** Deletes a record that carries a version; `path` is its own. */
export const deletion = (name: RecordName, path: string, told: Told): Intent => ({
  ...told,
  apply: [{ ...name, is: 'delete' }],
  request: { method: 'DELETE', path },
  guard: name,
})
