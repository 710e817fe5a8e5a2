import { useEffect } from 'react'

const places = new Set<() => boolean>()

/** Whether this page holds something that the service does not have yet: typed and not sent, or sent and not answered. */
export const hasUnsaved = (): boolean => [...places].some((isHeld) => isHeld())

/** Names a place that may hold something unsaved. Returns what forgets the place. */
export function watchUnsaved(isHeld: () => boolean): () => void {
  places.add(isHeld)
  return () => void places.delete(isHeld)
}

/** Says that the calling component holds something unsaved, as long as `is` holds and the component is there. */
export function useUnsaved(is: boolean): void {
  useEffect(() => (is ? watchUnsaved(() => true) : undefined), [is])
}
