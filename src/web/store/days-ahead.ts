import type { EventView } from '../../features/events/events/model'
import { covers, type Days } from './spans'
import type { MonthCopy } from './fetch-windows'

/** More days would hardly be there any sooner than their months. */
const FEW_DAYS = 10
export const isFew = ({ from, to }: Days): boolean => from.until(to).days <= FEW_DAYS

/** The few days that somebody looks at first, until the whole months that they are in have come. */
export class DaysAhead {
  days: Days | undefined
  isFetching = false
  #copy: MonthCopy | undefined
  /** Whether something changed while they were on their way, which they may not show. */
  #isDoubtful = false
  /** Whether they are as they were read: a change may have more to it than they can take. */
  isAsRead = true

  items = (): readonly EventView[] => this.#copy?.items ?? []

  /** What is known of some days, if they are all among these. */
  copyOf = (days: Days): MonthCopy | undefined =>
    this.days && covers(this.days, days) ? this.#copy : undefined

  /** Never fails: why days cannot be read, their months say. */
  async read(days: Days, fetchCopy: () => Promise<MonthCopy>): Promise<void> {
    this.end()
    Object.assign(this, { days, isFetching: true })
    const copy = await fetchCopy().catch(() => undefined)
    this.isFetching = false
    if (!this.#isDoubtful) this.#copy = copy
  }

  /** Takes a change as far as it can: the months follow. */
  change(change: (items: readonly EventView[]) => readonly EventView[]): void {
    if (this.#copy) this.#copy = { ...this.#copy, items: change(this.#copy.items) }
    this.#isDoubtful ||= this.isFetching
    this.isAsRead = false
  }

  end(): void {
    this.days = this.#copy = undefined
    this.#isDoubtful = false
    this.isAsRead = true
  }
}
