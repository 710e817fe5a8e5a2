import { useSyncExternalStore } from 'react'

const narrow = () => matchMedia('(width < 640px)')

function subscribe(listener: () => void): () => void {
  const query = narrow()
  query.addEventListener('change', listener)
  return () => query.removeEventListener('change', listener)
}

/** Whether the page is as narrow as a phone. */
export const useIsNarrow = (): boolean => useSyncExternalStore(subscribe, () => narrow().matches)
