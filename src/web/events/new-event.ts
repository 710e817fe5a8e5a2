import type { NewSpan } from './draft'

/** What an address says of a new event: `from` and `to` are days, or times: instants, or wall time in the user's zone. */
export function readAddress(
  search: string,
  zone: string,
): { readonly title?: string; readonly span?: NewSpan } {
  const given = new URLSearchParams(search)
  const title = given.get('title')
  const span = spanOf(given.get('from'), given.get('to'), zone)
  return { ...(title !== null && { title: title.slice(0, 200) }), ...(span && { span }) }
}

function spanOf(from: string | null, to: string | null, zone: string): NewSpan | undefined {
  if (from === null) return undefined
  try {
    if (from.length === 10) {
      const first = Temporal.PlainDate.from(from)
      const last = to === null ? first : Temporal.PlainDate.from(to.slice(0, 10))
      return { allDay: true, first, last: Temporal.PlainDate.compare(last, first) < 0 ? first : last }
    }
    const start = wallOf(from, zone)
    const end = to === null ? start.add({ hours: 1 }) : wallOf(to, zone)
    return { allDay: false, start, end: Temporal.PlainDateTime.compare(end, start) < 0 ? start : end }
  } catch {
    return undefined
  }
}

const wallOf = (text: string, zone: string): Temporal.PlainDateTime =>
  /(?:Z|[+-]\d\d:?\d\d)$/.test(text)
    ? Temporal.Instant.from(text).toZonedDateTimeISO(zone).toPlainDateTime()
    : Temporal.PlainDateTime.from(text)
