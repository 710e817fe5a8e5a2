import { useEffect } from 'react'

/** Whether each place holds something, and whether that outlives a reload. */
const places = new Map<() => boolean, boolean>()

/** Whether this page holds something that the service does not have yet: typed and not sent, or sent and not answered. */
export const hasUnsaved = (): boolean => [...places.keys()].some((isHeld) => isHeld())

/** Names a place that may hold something unsaved. Returns what forgets the place. */
export function watchUnsaved(isHeld: () => boolean, outlivesReload = true): () => void {
  places.set(isHeld, outlivesReload)
  return () => void places.delete(isHeld)
}

/** Says that the calling component holds something unsaved, as long as `is` holds and the component is there. */
export function useUnsaved(is: boolean, outlivesReload = true): void {
  useEffect(() => (is ? watchUnsaved(() => true, outlivesReload) : undefined), [is, outlivesReload])
}

/** Whether a reload would lose something that somebody typed. */
export const wouldLoseByReload = (): boolean =>
  [...places].some(([isHeld, outlivesReload]) => !outlivesReload && isHeld())
