import { type Static, type TObject, Type } from '@sinclair/typebox'
import type { Area } from '../../lib/scopes'
import { line } from '../../lib/wire/schema'
import { readValue } from '../../lib/wire/schema-reading'
import type { Assistant } from '../assistant'
import type { AssistantItem } from '../items/item'

export const WRITABLE_KINDS = ['event', 'todo', 'reminder', 'task', 'person'] as const
export type WritableKind = (typeof WRITABLE_KINDS)[number]

/** The record that is meant, and the versions that it may have. */
export interface Aim {
  readonly id: number
  readonly expected: readonly number[]
}

/** Does what was read, to a record of one of these versions; returns it as it is afterwards. */
type ChangeRecord = (assistant: Assistant, aim: Aim) => Promise<AssistantItem>

/** What assistants do with records of a kind. */
export interface KindOfRecord {
  readonly area: Area
  /** The fields of a new record, and of a change. */
  readonly newFields: TObject
  readonly changedFields: TObject
  /** Fields that a deletion may have. */
  readonly deletedFields: TObject
  /** Reads a new record, and returns what makes it. @throws {AppError} 422. */
  readonly readNew: (given: unknown, place: string) => (assistant: Assistant) => Promise<AssistantItem>
  /** @throws {AppError} 422. */
  readonly readChange: (given: unknown, place: string) => ChangeRecord
  /** @throws {AppError} 422. */
  readonly readDeletion: (given: unknown, place: string) => (assistant: Assistant, aim: Aim) => Promise<void>
  /** @throws {AppError} 404. */
  readonly read: (assistant: Assistant, id: number) => Promise<AssistantItem>
}

/** How records of a kind are written, with its own types. */
interface RecordWriting<New extends TObject, Changed extends TObject, Deleted extends TObject> {
  readonly area: Area
  readonly newFields: New
  readonly changedFields: Changed
  readonly deletedFields: Deleted
  readonly create: (assistant: Assistant, fields: Static<New>) => Promise<AssistantItem>
  readonly change: (assistant: Assistant, aim: Aim, fields: Static<Changed>) => Promise<AssistantItem>
  readonly remove: (assistant: Assistant, aim: Aim, fields: Static<Deleted>) => Promise<void>
  readonly read: (assistant: Assistant, id: number) => Promise<AssistantItem>
}

/** Hides the types of a kind, so that a call can have items of all kinds. */
export function kindOfRecord<New extends TObject, Changed extends TObject, Deleted extends TObject>(
  writing: RecordWriting<New, Changed, Deleted>,
): KindOfRecord {
  const { area, newFields, changedFields, deletedFields, create, change, remove, read } = writing
  return {
    area,
    newFields,
    changedFields,
    deletedFields,
    readNew: (given, place) => {
      const fields: Static<New> = readValue(newFields, given, place)
      return (assistant) => create(assistant, fields)
    },
    readChange: (given, place) => {
      const fields: Static<Changed> = readValue(changedFields, given, place)
      return (assistant, aim) => change(assistant, aim, fields)
    },
    readDeletion: (given, place) => {
      const fields: Static<Deleted> = readValue(deletedFields, given, place)
      return (assistant, aim) => remove(assistant, aim, fields)
    },
    read,
  }
}

export const NO_FIELDS = Type.Object({})

/** Which occurrences of a series are meant. */
export const scopeFields = {
  occurrence: Type.Optional(line({ max: 40, description: 'The `occurrence` of an event in a series.' })),
  scope: Type.Optional(
    Type.Union([Type.Literal('all'), Type.Literal('this'), Type.Literal('following')], {
      description: 'Of a series: all by default; this and following need `occurrence`.',
    }),
  ),
}
