import { addDaysTo, dayOf, instantOf, wallFromText, wallIn } from '../../../lib/time/wall-time'

const DAILY_AT = '03:00'

/** Returns when a daily job was last due: at 03:00 in `zone` (contract: jobs.daily). */
export function lastDue(zone: string, now: Date): Date {
  const today = dayOf(wallIn(zone, now))
  const at = (day: string) => instantOf(zone, wallFromText(`${day}T${DAILY_AT}`))
  return at(today) <= now ? at(today) : at(addDaysTo(today, -1))
}
