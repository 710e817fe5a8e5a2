/**
 * The name of a time zone of the IANA database in the database's own spelling, however `text` spells it; an alias stays
 * that alias. Undefined for every other text.
 */
export function zoneNamed(text: string): string | undefined {
  // Temporal takes offsets and times with a zone in brackets for zones, too.
  if (!/^[a-z]/i.test(text)) return undefined
  try {
    const { timeZoneId } = new Temporal.ZonedDateTime(0n, text)
    return timeZoneId.toLowerCase() === text.toLowerCase() ? timeZoneId : undefined
  } catch {
    return undefined
  }
}

/** `make`, with what it made of each zone remembered under its name: there are as many as the IANA database has. */
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
