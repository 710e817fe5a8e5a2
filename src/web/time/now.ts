/** The one place where the client reads the time; tests set it. */
export const now = (): Temporal.Instant => Temporal.Now.instant()

/** Today in a time zone. */
export const today = (zone: string): Temporal.PlainDate => now().toZonedDateTimeISO(zone).toPlainDate()

/** The zone of this device, for accounts that have none of their own yet. */
export const deviceZone = (): string => Temporal.Now.timeZoneId()
