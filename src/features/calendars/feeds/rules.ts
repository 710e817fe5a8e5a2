import { addMinutes } from '../../../lib/time/time'

const READ_INTERVAL_MINUTES = 10

/** `last_read_at` is updated only when it is older than this. */
export const readBefore = (now: Date): Date => addMinutes(now, -READ_INTERVAL_MINUTES)
