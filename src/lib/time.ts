const SECOND = 1000
const MINUTE = 60 * SECOND
const DAY = 24 * 60 * MINUTE

export const addSeconds = (at: Date, seconds: number): Date => new Date(at.getTime() + seconds * SECOND)
export const addMinutes = (at: Date, minutes: number): Date => new Date(at.getTime() + minutes * MINUTE)
export const addDays = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY)

/** Whole seconds since the epoch. */
export const epochSeconds = (at: Date): number => Math.floor(at.getTime() / SECOND)

/** Whole minutes from `now` to `at`, rounded towards zero. */
export const minutesUntil = (at: Date, now: Date): number =>
  Math.trunc((at.getTime() - now.getTime()) / MINUTE)

/** Whether `zone` names a time zone of the IANA database, aliases included. */
export function isTimeZone(zone: string): boolean {
  try {
    // Temporal also takes offsets such as "+02:00" here; Intl tells names from them only by this form.
    return (
      !/^[+-]|\d{4}-/.test(zone) &&
      Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone) !== undefined
    )
  } catch {
    return false
  }
}

/** The calendar day that `at` falls on in `zone`, as `YYYY-MM-DD`. */
export const dayIn = (zone: string, at: Date): string =>
  Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(zone).toPlainDate().toString()
