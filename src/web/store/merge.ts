import { isSame } from './effects'
import type { Fields, RecordKind } from './kinds'

/** Fields that only make sense together are taken together. */
const TOGETHER: Partial<Record<RecordKind, ReadonlyArray<readonly string[]>>> = {
  event: [
    ['all_day', 'start_at', 'end_at', 'start_date', 'end_date', 'time_zone'],
    ['calendar_id', 'calendar_name', 'calendar_color'],
  ],
  todo: [['due_date', 'due_time']],
  person: [['linked_user_id', 'shared_profile']],
}

/** Fields that both sides changed, each in its way. */
export interface Clash {
  readonly fields: readonly string[]
  readonly mine: Fields
  readonly theirs: Fields
}

interface Sides {
  readonly kind: RecordKind
  /** The record as it was when the change began. */
  readonly opened: Fields
  /** The fields that the change sets. */
  readonly mine: Fields
  /** The record as it is now. */
  readonly theirs: Fields
}

/**
 * Merges a change into a record that somebody else changed meanwhile (contract: web.conflicts). `fields` are those that still
 * have to be written: a field that only they changed is theirs; `clashes` are for a person to decide.
 */
export function merge({ kind, opened, mine, theirs }: Sides): { fields: Fields; clashes: Clash[] } {
  const fields: Record<string, unknown> = { ...mine }
  const clashes: Clash[] = []
  for (const group of groupsOf(kind, Object.keys(mine))) {
    const have = (values: Fields, name: string) => (name in values ? values[name] : opened[name])
    const iChanged = group.some((name) => !means(have(mine, name), opened[name]))
    const theyChanged = group.some((name) => !means(have(theirs, name), opened[name]))
    const agree = group.every((name) => means(have(mine, name), have(theirs, name)))
    if (!theyChanged || agree) continue
    if (!iChanged) for (const name of group) delete fields[name]
    else clashes.push({ fields: group, mine: taken(group, mine), theirs: taken(group, theirs) })
  }
  return { fields, clashes }
}

/** Whether two values mean the same; an instant may be written with any offset. */
const means = (one: unknown, other: unknown): boolean =>
  isSame(one, other) || (isInstant(one) && isInstant(other) && Temporal.Instant.compare(one, other) === 0)

const isInstant = (value: unknown): value is string =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\dT[^[]*(?:Z|[+-]\d\d:\d\d)$/.test(value)

const taken = (names: readonly string[], values: Fields): Fields =>
  Object.fromEntries(names.filter((name) => name in values).map((name) => [name, values[name]]))

/** Fields of a kind, those together that are taken together. */
export function groupsOf(kind: RecordKind, names: readonly string[]): ReadonlyArray<readonly string[]> {
  const together = TOGETHER[kind] ?? []
  const touched = together.filter((group) => group.some((name) => names.includes(name)))
  const single = names.filter((name) => !together.some((group) => group.includes(name)))
  return [...touched, ...single.map((name) => [name])]
}

export const without = (values: Fields, names: readonly string[]): Fields =>
  Object.fromEntries(Object.entries(values).filter(([name]) => !names.includes(name)))
