import type { Effect } from './commands'
import type { RecordName } from './kinds'

/** A record after effects, which are all of it; the same object if they change nothing. */
export function after(item: object | undefined, effects: readonly Effect[]): object | undefined {
  let result = item
  for (const effect of effects) {
    if (effect.is === 'put') result = effect.item
    else if (effect.is === 'delete') result = undefined
    else if (result) result = { ...result, ...effect.fields }
  }
  return result
}

/** Whether an effect is one of a record or, for an event, of this occurrence. */
export const concerns = (effect: Effect, { kind, id, at }: RecordName): boolean =>
  effect.kind === kind && effect.id === id && (effect.at === undefined || isMeant(effect, at))

const isMeant = ({ at: start = '', onwards }: Effect, at: string | undefined): boolean =>
  start === at || (onwards === true && at !== undefined && isLater(at, start))

/** Of two original starts of one series: both are days, or both are instants. */
const isLater = (at: string, start: string): boolean =>
  at.length === 10 ? at > start : Temporal.Instant.compare(at, start) > 0

const pick = (item: object, names: readonly string[]) =>
  Object.fromEntries(Object.entries(item).filter(([name]) => names.includes(name)))

/** The effects that bring back what the given ones change, by the records as they are before. */
export function inverseOf(
  effects: readonly Effect[],
  before: (name: RecordName) => object | undefined,
): Effect[] {
  return effects.toReversed().flatMap((effect): Effect[] => {
    const { kind, id, at, onwards } = effect
    const name = { kind, id, ...(at !== undefined && { at }) }
    const item = before(name)
    if (!item) return effect.is === 'put' ? [{ ...name, is: 'delete' }] : []
    if (effect.is === 'patch')
      return [
        { ...name, ...(onwards && { onwards }), is: 'patch', fields: pick(item, Object.keys(effect.fields)) },
      ]
    return [{ ...name, is: 'put', item }]
  })
}

/** Whether two values of the wire are the same. */
export function isSame(one: unknown, other: unknown): boolean {
  if (Object.is(one, other)) return true
  if (typeof one !== 'object' || typeof other !== 'object' || one === null || other === null) return false
  const [mine, theirs] = [Object.entries(one), new Map(Object.entries(other))]
  return (
    Array.isArray(one) === Array.isArray(other) &&
    mine.length === theirs.size &&
    mine.every(([name, value]) => theirs.has(name) && isSame(value, theirs.get(name)))
  )
}
