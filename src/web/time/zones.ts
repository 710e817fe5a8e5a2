import { presentZone } from './zone-renames'

/** The place that an IANA name stands for: "America/Sao_Paulo" is "Sao Paulo". */
export const zonePlace = (zone: string): string => (zone.split('/').at(-1) ?? zone).replaceAll('_', ' ')

/** Whether clocks of two zones show the same at a moment; then the name of a zone says nothing. */
export const showsSame = (at: Temporal.Instant, zone: string, other: string): boolean =>
  zone === other ||
  at.toZonedDateTimeISO(zone).offsetNanoseconds === at.toZonedDateTimeISO(other).offsetNanoseconds

/** All zones that this browser knows, by the names of today. */
export const zoneNames = (): readonly string[] =>
  [...new Set(Intl.supportedValuesOf('timeZone').map(presentZone))].toSorted()
