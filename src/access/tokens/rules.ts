import { addMinutes } from '../../lib/time/time'

/** The use of a token is noted only when the last note is older than this. */
export const usedBefore = (now: Date): Date => addMinutes(now, -1)
