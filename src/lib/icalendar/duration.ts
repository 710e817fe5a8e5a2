const DURATION =
  /^([+-])?P(?:(\d{1,6})W)?(?:(\d{1,6})D)?(?:T(?:(\d{1,7})H)?(?:(\d{1,7})M)?(?:(\d{1,7})S)?)?$/i

/** A length of time (RFC 5545, section 3.3.6): days, which follow the clocks, and seconds, which do not. */
export interface TextDuration {
  readonly days: number
  readonly seconds: number
}

/** Parses a duration; undefined for other text. */
export function readDuration(text: string): TextDuration | undefined {
  const [whole, sign, ...parts] = DURATION.exec(text.trim()) ?? []
  if (whole === undefined || parts.every((part) => part === undefined)) return undefined
  const [weeks = 0, days = 0, hours = 0, minutes = 0, seconds = 0] = parts.map((part) => Number(part ?? 0))
  const factor = sign === '-' ? -1 : 1
  return { days: factor * (weeks * 7 + days), seconds: factor * ((hours * 60 + minutes) * 60 + seconds) }
}
