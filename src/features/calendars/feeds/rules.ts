import { addMinutes } from '../../../lib/time/time'

const READ_INTERVAL_MINUTES = 10

/** `last_read_at` is brought up to date once it is as old as this. */
export const readBefore = (now: Date): Date => addMinutes(now, -READ_INTERVAL_MINUTES)
