import { useSignedIn } from '../session/use-session'
import { deviceZone } from './now'

/** The zone in which the user reads all times: their setting, whatever this device says. */
export const useZone = (): string => useSignedIn().settings.time_zone ?? deviceZone()
