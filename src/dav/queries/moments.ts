import { DAY_MS } from '../../lib/time/wall-time'
import type { TextDuration } from '../../lib/icalendar/duration'
import type { WallClock } from '../../lib/recurrence/recurrence'

/** How a text names a time. */
type MomentKind = 'date' | 'floating' | 'utc' | 'zoned'

/** A DATE or DATE-TIME (RFC 5545, sections 3.3.4 and 3.3.5). */
export interface TextMoment {
  readonly kind: MomentKind
  /** On the clocks, in milliseconds as if in UTC; of a day its midnight. */
  readonly wall: number
  /** In epoch milliseconds. */
  readonly instant: number
  readonly clock: WallClock
}

/** From inclusive, until exclusive, in epoch milliseconds; infinite where a side is open. */
export interface TimeRange {
  readonly from: number
  readonly until: number
}

const MOMENT = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)?(Z)?)?$/i

interface WallRead {
  readonly wall: number
  readonly form: 'date' | 'local' | 'utc'
}

const formOf = (hour: string | undefined, utc: string | undefined): WallRead['form'] => {
  if (hour === undefined) return 'date'
  return utc === undefined ? 'local' : 'utc'
}

/** Parses the digits; undefined for an impossible time, and for one before the year 1000. A leap second is the one before it. */
export function readWall(text: string): WallRead | undefined {
  const [, year, month, date, hour, minute = '0', second = '0', utc] = MOMENT.exec(text.trim()) ?? []
  if (year === undefined || year < '1000') return undefined
  const day = dayAt(Number(year), Number(month), Number(date))
  const time = timeAt(Number(hour ?? 0), Number(minute), Number(second))
  if (day === undefined || time === undefined) return undefined
  return { wall: day + time, form: formOf(hour, utc) }
}

function dayAt(year: number, month: number, date: number): number | undefined {
  const day = Date.UTC(year, month - 1, date)
  const isReal = month >= 1 && month <= 12 && new Date(day).getUTCDate() === date
  return isReal ? day : undefined
}

function timeAt(hours: number, minutes: number, seconds: number): number | undefined {
  if (hours > 23 || minutes > 59 || seconds > 60) return undefined
  return ((hours * 60 + minutes) * 60 + Math.min(seconds, 59)) * 1000
}

const digits = (wall: number) => new Date(wall).toISOString().replaceAll(/[-:]|\.\d+Z$/g, '')

export const dateText = (wall: number): string => digits(wall).slice(0, 8)
export const localText = digits
export const utcText = (instant: number): string => `${digits(instant)}Z`

export const dayNumber = (wall: number): number => Math.floor(wall / DAY_MS)

/** The instant so long after another one, by these clocks. */
export const after = (instant: number, { days, seconds }: TextDuration, clock: WallClock): number =>
  (days === 0 ? instant : clock.instantAt(clock.wallAt(instant) + days * DAY_MS)) + seconds * 1000

/** About as long; exact but for changes of the clocks. */
export const lengthOf = ({ days, seconds }: TextDuration): number => days * DAY_MS + seconds * 1000
