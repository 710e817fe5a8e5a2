import { DAY_MS } from '../../lib/time/wall-time'
import type { CalendarFilter } from './calendar-filter'

/** What a database can select by before texts are read: a superset of what matches. */
export interface Preselection {
  /** The kind of the objects; undefined for any. */
  readonly component: string | undefined
  /**
   * Instants between which something of the object takes place; a todo without dates counts always. Widened by two days, as
   * days and floating times may be stored by another zone.
   */
  readonly from: Date | undefined
  readonly until: Date | undefined
  /** Whether nothing can match, so that no object needs to be read. */
  readonly isEmpty: boolean
}

const MARGIN = 2 * DAY_MS

/** Later years have a sign, which a database does not read. */
const LAST = Date.UTC(9999, 11, 31)

/** An instant for the database; undefined for one that is too far away to leave anything out. */
export const instant = (ms: number): Date | undefined =>
  Number.isFinite(ms) && ms < LAST ? new Date(ms) : undefined

/** The plain span of a filter. */
export function preselectionOf({ isNotDefined, range: whole, components }: CalendarFilter): Preselection {
  // Objects hold components of one kind, with the zones that these name.
  const wanted = components.filter((one) => !one.isNotDefined && one.name !== 'VTIMEZONE')
  const [first] = wanted
  const range = first?.range ?? whole
  return {
    component: first?.name,
    from: range && instant(range.from - MARGIN),
    until: range && instant(range.until + MARGIN),
    isEmpty: isNotDefined || new Set(wanted.map(({ name }) => name)).size > 1,
  }
}

/** Whether a filter asks for nothing but one kind of component, and a time at most. */
export function asksForSpanAlone({ isNotDefined, range, properties, components }: CalendarFilter): boolean {
  const [only, ...others] = components
  if (isNotDefined || range || properties.length > 0 || !only || others.length > 0) return false
  return !only.isNotDefined && only.properties.length === 0 && only.components.length === 0
}
