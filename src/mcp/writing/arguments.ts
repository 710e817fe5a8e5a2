import { Type } from '@sinclair/typebox'
import type { TObject, TSchema } from '@sinclair/typebox'
import type { CurrentSession } from '../../access/sessions/service'
import { invalid } from '../../lib/errors'
import { insufficientScope } from '../../lib/access-tokens'
import { MAX_ID } from '../../lib/wire/id'
import { described } from '../../lib/wire/compact-schema'
import { verbatim } from '../../lib/wire/schema'
import { readValue } from '../../lib/wire/schema-reading'
import { mayWrite } from '../assistant'
import type { KindOfRecord, WritableKind } from './kinds'
import { isWritableKind, RECORDS, writableBy } from './records'

/** The most items of one call. */
const MOST = 50

/** Names a call in advance, as the header of the API does. */
export const idempotencyKey = Type.Optional(
  verbatim({
    max: 128,
    pattern: '^[\\x20-\\x7e]+$',
    problem: 'must be printable ASCII',
    description: 'A call repeated with its key happens once.',
  }),
)

/** What repeats a call that the user agreed to. */
export const confirmCode = Type.Optional(
  verbatim({ max: 300, description: 'The code of a refusal, once the user agreed.' }),
)

/** Which record is meant. */
export const Named = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: MAX_ID }),
  version: Type.Integer({ minimum: 1, maximum: MAX_ID }),
})

/** Checked one by one, each by the schema of its kind. */
export const itemsOf = <Item extends TSchema>(schema: Item) =>
  Type.Array(schema, { minItems: 1, maxItems: MOST })

/** Items as the list describes them: one alternative for each kind that the caller may write. Fields of one name are described once. */
export function describedItems(
  session: CurrentSession,
  fieldsOf: (kind: KindOfRecord) => TObject['properties'],
) {
  const known = new Set<string>()
  const once = (name: string, field: TSchema): TSchema => {
    if (known.has(name)) return described(field)
    known.add(name)
    return field
  }
  const alternatives = writableBy(session).map((kind) => {
    const fields = Object.entries(fieldsOf(RECORDS[kind])).map(([name, field]) => [name, once(name, field)])
    return Type.Object({ type: Type.Literal(kind), ...Object.fromEntries(fields) })
  })
  return itemsOf(Type.Union(alternatives))
}

/** An item of a call whose kind is known. */
export interface GivenItem {
  readonly kind: WritableKind
  readonly fields: Readonly<Record<string, unknown>>
  readonly place: string
}

/** @throws {AppError} 403 for kinds that the caller may not write, 422. */
export function readItems(session: CurrentSession, items: readonly unknown[]): GivenItem[] {
  return items.map((item, index) => {
    const place = `items.${index}`
    if (!isRecord(item)) throw invalid([{ field: place, message: 'must be an object' }])
    const { type: kind, ...fields } = item
    if (!isWritableKind(kind)) {
      const kinds = writableBy(session).join(', ')
      throw invalid([{ field: `${place}.type`, message: `must be one of ${kinds}` }])
    }
    const { area } = RECORDS[kind]
    if (!mayWrite(session, area)) throw insufficientScope(`${area}:write`)
    return { kind, fields, place }
  })
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The record that an item names, and its other fields. @throws {AppError} 422. */
export function readNamed({ fields, place }: GivenItem) {
  const { id, version, ...rest } = fields
  return { ...readValue(Named, { id, version }, place), rest }
}
