const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const IMF_FIXDATE = /^\w{3}, (\d\d) (\w{3}) (\d{4}) (\d\d:\d\d:\d\d) GMT$/

/** Reads the date of an HTTP header (RFC 9110, section 5.6.7); undefined if it is none. */
export function readHttpDate(text: string): Temporal.Instant | undefined {
  const [, day, month = '', year, time] = IMF_FIXDATE.exec(text) ?? []
  const place = MONTHS.indexOf(month) + 1
  return place === 0
    ? undefined
    : Temporal.Instant.from(`${year}-${String(place).padStart(2, '0')}-${day}T${time}Z`)
}
