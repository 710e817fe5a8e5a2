export type Frequency = 'DAILY' | 'WEEKLY' | 'MONTHLY' | 'YEARLY'

/** 1 is Monday, 7 Sunday. */
export interface WeekdayRule {
  readonly weekday: number
  /** The nth in the month or year, negative from its end; 0 for all. */
  readonly ordinal: number
}

/** `at` is the wall time as written: midnight for `date`, in UTC for `instant`, in the zone of the series for `local`. */
export interface Until {
  readonly form: 'date' | 'local' | 'instant'
  readonly at: number
}

/** A recurrence rule. Lists are ascending, and empty when the part is absent. At most one of `count` and `until` is set. */
export interface Rule {
  readonly frequency: Frequency
  readonly interval: number
  readonly count: number | undefined
  readonly until: Until | undefined
  readonly weekStart: number
  readonly byMonth: readonly number[]
  readonly byWeekNo: readonly number[]
  readonly byYearDay: readonly number[]
  readonly byMonthDay: readonly number[]
  readonly byDay: readonly WeekdayRule[]
  readonly byHour: readonly number[]
  readonly byMinute: readonly number[]
  readonly bySecond: readonly number[]
  readonly bySetPos: readonly number[]
}
