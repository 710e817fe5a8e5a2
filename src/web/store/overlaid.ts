import type { EventView } from '../../features/events/events/model'
import { after, concerns, isSame } from './effects'
import type { Effect } from './commands'

/** Tells occurrences apart; a birthday has no id. */
export const keyOf = ({ id, occurrence_start: start, title, start_date: day }: EventView): string =>
  id === null ? `birthday ${title} ${day}` : `${id} ${start ?? ''}`

/** Occurrences as they came; of those that say what they said before, the same objects, so that nobody draws them anew. */
export function reused(before: readonly EventView[], items: readonly EventView[]): EventView[] {
  const known = new Map(before.map((item) => [keyOf(item), item]))
  return items.map((item) => {
    const same = known.get(keyOf(item))
    return same && isSame(same, item) ? same : item
  })
}

/** Occurrences as they show with the commands on their way. */
export function overlaid(items: readonly EventView[], effects: readonly Effect[]): EventView[] {
  const made = effects.flatMap((effect) => (effect.is === 'put' ? [effect.item as EventView] : []))
  const known = items.filter((item) => !made.some((each) => keyOf(each) === keyOf(item)))
  return [...known, ...made].flatMap((item) => {
    const mine = effects.filter(
      (effect) =>
        effect.is !== 'put' &&
        concerns(effect, { kind: 'event', id: item.id ?? 0, at: item.occurrence_start ?? undefined }),
    )
    return (after(item, mine) as EventView | undefined) ?? []
  })
}
