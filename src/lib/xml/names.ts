/** The prefixes that answers use. */
export const PREFIXES = {
  d: 'DAV:',
  cal: 'urn:ietf:params:xml:ns:caldav',
  card: 'urn:ietf:params:xml:ns:carddav',
  cs: 'http://calendarserver.org/ns/',
  ical: 'http://apple.com/ns/ical/',
} as const

/** Names of elements, as `{namespace}local`. */
export const dav = (local: string): string => `{${PREFIXES.d}}${local}`
export const caldav = (local: string): string => `{${PREFIXES.cal}}${local}`
export const carddav = (local: string): string => `{${PREFIXES.card}}${local}`
export const cs = (local: string): string => `{${PREFIXES.cs}}${local}`
export const ical = (local: string): string => `{${PREFIXES.ical}}${local}`

/** The namespace and the local part of a name. */
export function partsOf(name: string): readonly [namespace: string, local: string] {
  const end = name.lastIndexOf('}')
  return [name.slice(1, end), name.slice(end + 1)]
}
