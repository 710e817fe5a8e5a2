/**
 * The numbers by which other programs sort the todos of a list, X-APPLE-SORT-ORDER (contract: todos.order): whole seconds since
 * 2001-01-01, at first those of the creation.
 */

/** 2001-01-01 as a Unix time in seconds. */
const FROM = 978_307_200

export const numberAt = (at: Date): number => Math.floor(+at / 1000) - FROM

/** The number of a todo, by default that of its creation. */
export const numberOf = (todo: { readonly sortOrder: number | null; readonly createdAt: Date }): number =>
  todo.sortOrder ?? numberAt(todo.createdAt)

/** The number that a value says; null for any other value. */
export const readNumber = (value: string | undefined): number | null =>
  value !== undefined && /^\s*[-+]?\d{1,15}\s*$/.test(value) ? Number(value) : null

export interface Numbered {
  readonly id: number
  readonly number: number
}

/** How many todos on one side may get other numbers so that there is room for some. */
export const MOST_PUSHED = 250

/** Between numbers at the end of a list in one second, and before its beginning: room for a few others. */
export const STEP = 16

/** What is around a place in a list, the nearest first: all that there is, or `MOST_PUSHED` and one more. */
export interface Neighbours {
  readonly before: readonly Numbered[]
  readonly after: readonly Numbered[]
}

/** Whether a number is between those of its neighbours, or the same as one of them where it may be. */
export function fits(number: number, { before: [last], after: [next] }: Neighbours, mayTie = false): boolean {
  const isAfter = last === undefined || last.number < number || (mayTie && last.number === number)
  const isBefore = next === undefined || number < next.number || (mayTie && number === next.number)
  return isAfter && isBefore
}

/**
 * The numbers of todos at a place in their list, in their order, and of as few others as give them room. Where that would be too
 * many, they get the number of the one before them.
 * @param latest - The number of now.
 */
export function numbersFor(
  placed: readonly Numbered[],
  { before, after }: Neighbours,
  latest: number,
): readonly Numbered[] {
  const [last, next] = [before[0]?.number, after[0]?.number]
  const most = Math.min(MOST_PUSHED, Math.max(before.length, after.length))
  for (let pushed = 0; pushed <= most; pushed++) {
    const later = [...placed, ...after.slice(0, pushed)]
    const earlier = [...before.slice(0, pushed).toReversed(), ...placed]
    const found =
      spread(later, { low: last, high: after[pushed]?.number, latest }) ??
      spread(earlier, { low: before[pushed]?.number, high: next, latest })
    if (found) return found
  }
  return last === undefined ? [] : placed.map(({ id }) => ({ id, number: last }))
}

interface Room {
  /** The number before; undefined at the beginning of the list. */
  readonly low: number | undefined
  /** The number after; undefined at the end. */
  readonly high: number | undefined
  readonly latest: number
}

/** Gives each its number, evenly; undefined where there is no room. */
function spread(items: readonly Numbered[], { low, high, latest }: Room): readonly Numbered[] | undefined {
  const count = items.length
  if (high === undefined) {
    const first = low === undefined || low < latest ? latest : low + STEP
    return items.map(({ id }, at) => ({ id, number: first + at * STEP }))
  }
  if (low === undefined) return items.map(({ id }, at) => ({ id, number: high - (count - at) * STEP }))
  const step = (high - low) / (count + 1)
  return step < 1 ? undefined : items.map(({ id }, at) => ({ id, number: low + Math.floor(step * (at + 1)) }))
}

/**
 * The numbers that change when a list gets a new order.
 * @param order - All todos of the list in their new order, with their numbers.
 * @param moved - Those that have another place among the others.
 */
export function renumbered(
  order: readonly Numbered[],
  moved: ReadonlySet<number>,
  latest: number,
): ReadonlyMap<number, number> {
  const changed = new Map<number, number>()
  const now = ({ id, number }: Numbered): Numbered => ({ id, number: changed.get(id) ?? number })
  const kept = order.filter(({ id }) => !moved.has(id))
  const placed: Numbered[] = []
  let [run, keptBefore]: [Numbered[], number] = [[], 0]
  const place = () => {
    const neighbours = {
      before: placed
        .slice(-MOST_PUSHED - 1)
        .map(now)
        .toReversed(),
      after: kept.slice(keptBefore, keptBefore + MOST_PUSHED + 1).map(now),
    }
    const [first] = run
    if (first && !(run.length === 1 && fits(first.number, neighbours))) {
      for (const { id, number } of numbersFor(run, neighbours, latest)) changed.set(id, number)
    }
    placed.push(...run)
    run = []
  }
  for (const one of order) {
    if (moved.has(one.id)) {
      run.push(one)
      continue
    }
    if (run.length > 0) place()
    placed.push(one)
    keptBefore++
  }
  place()
  return changed
}
