import { isSame } from '../store/effects'
import type { Fields, RecordKind } from '../store/kinds'
import { groupsOf } from '../store/merge'

/** A record as it was, as the service lists it. */
export interface Version {
  readonly version: number
  readonly changed_at: string
  readonly changed_by: { readonly user_id: number; readonly network_name: string } | null
  readonly item: Fields
}

/** Fields that are taken together, as they were and as they became. */
export interface Difference {
  readonly fields: readonly string[]
  readonly before: Fields
  readonly after: Fields
}

export interface Compared {
  readonly kind: RecordKind
  /** The fields that are compared, in the order in which they are told. */
  readonly fields: readonly string[]
}

/** What differs between two states of a record. */
export function differencesOf(
  { kind, fields }: Compared,
  before: Fields,
  after: Fields,
): readonly Difference[] {
  const place = (names: readonly string[]) => Math.min(...names.map((name) => fields.indexOf(name)))
  return groupsOf(kind, fields)
    .map((group) => group.filter((name) => fields.includes(name)))
    .filter((group) => group.some((name) => !isSame(before[name], after[name])))
    .toSorted((one, other) => place(one) - place(other))
    .map((group) => ({ fields: group, before: taken(group, before), after: taken(group, after) }))
}

const taken = (names: readonly string[], values: Fields): Fields =>
  Object.fromEntries(names.map((name) => [name, values[name]]))

/** The fields that make `now` what `former` was. */
export const fieldsBack = (compared: Compared, former: Fields, now: Fields): Fields =>
  Object.assign({}, ...differencesOf(compared, now, former).map(({ after }) => after)) as Fields
