/**
 * Returns the name of an IANA time zone in the spelling of the database, regardless of the case of `text`; an alias stays an
 * alias. Undefined for every other text.
 */
export function zoneNamed(text: string): string | undefined {
  // Temporal also accepts offsets, and times with a zone in brackets.
  if (!/^[a-z]/i.test(text)) return undefined
  try {
    const { timeZoneId } = new Temporal.ZonedDateTime(0n, text)
    return timeZoneId.toLowerCase() === text.toLowerCase() ? timeZoneId : undefined
  } catch {
    return undefined
  }
}

/** Caches the results of `make` by zone. The cache needs no limit, as the number of IANA zones is limited. */
export function perZone<V extends object>(make: (zone: string) => V): (zone: string) => V {
  const known = new Map<string, V>()
  return (zone) => {
    const found = known.get(zone)
    if (found) return found
    const name = zoneNamed(zone)
    if (name === undefined) throw new RangeError('This is no time zone of the IANA database')
    const made = known.get(name) ?? make(name)
    known.set(name, made)
    return made
  }
}
