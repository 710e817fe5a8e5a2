import { useSyncExternalStore } from 'react'

export type Screen = 'phone' | 'tablet' | 'desktop'

const tablet = matchMedia('(width >= 640px)')
const desktop = matchMedia('(width >= 1024px)')

function subscribe(listener: () => void): () => void {
  for (const query of [tablet, desktop]) query.addEventListener('change', listener)
  return () => {
    for (const query of [tablet, desktop]) query.removeEventListener('change', listener)
  }
}

function read(): Screen {
  if (desktop.matches) return 'desktop'
  return tablet.matches ? 'tablet' : 'phone'
}

/** Which of the three layouts fits the window; the widths are those of the style sheets. */
export const useScreen = (): Screen => useSyncExternalStore(subscribe, read)
