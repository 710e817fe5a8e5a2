import { useEffect, useEffectEvent } from 'react'

/** Calls `leave` when the browser leaves the page, which it may keep as it is for its Back button (contract: web.secrets). */
export function usePageLeft(leave: () => void): void {
  const onLeave = useEffectEvent(leave)
  useEffect(() => {
    const hear = () => onLeave()
    addEventListener('pagehide', hear)
    return () => removeEventListener('pagehide', hear)
  }, [])
}
