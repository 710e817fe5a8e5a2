import { useEffect } from 'react'
import { now } from '../time/now'
import { lock } from './lock'

const SETTING = 'lock-after-minutes'
const ACTIVE_AT = 'active-at'
const CHECK_MS = 5000
const SIGNS = ['pointerdown', 'pointermove', 'keydown', 'wheel', 'touchstart'] as const

/** After how many idle minutes this device locks its screen; undefined for never, which holds until somebody chooses. */
export function readLockAfter(): number | undefined {
  const minutes = Number(localStorage.getItem(SETTING) ?? Number.NaN)
  return minutes > 0 ? minutes : undefined
}

export function setLockAfter(minutes: number | undefined): void {
  if (minutes === undefined) localStorage.removeItem(SETTING)
  else localStorage.setItem(SETTING, String(minutes))
}

const isIdle = (): boolean => {
  const [after, activeAt] = [readLockAfter(), localStorage.getItem(ACTIVE_AT)]
  if (after === undefined || activeAt === null) return false
  return now().epochMilliseconds - Number(activeAt) >= after * 60_000
}

/**
 * Locks the screen when nobody touched any tab of this browser for as long as the device's setting says. Timers sleep with the
 * machine, so the first sign of life after a long sleep locks as well instead of counting as activity.
 */
export function useIdleLock(): void {
  useEffect(() => {
    const lockIfIdle = () => isIdle() && void lock()
    let notedAt = 0
    const onSign = () => {
      if (isIdle()) return void lock()
      const at = now().epochMilliseconds
      if (at - notedAt < 1000) return
      notedAt = at
      localStorage.setItem(ACTIVE_AT, String(at))
    }
    localStorage.setItem(ACTIVE_AT, String(now().epochMilliseconds))
    const timer = setInterval(lockIfIdle, CHECK_MS)
    document.addEventListener('visibilitychange', lockIfIdle)
    for (const sign of SIGNS) addEventListener(sign, onSign, { capture: true, passive: true })
    return () => {
      clearInterval(timer)
      document.removeEventListener('visibilitychange', lockIfIdle)
      for (const sign of SIGNS) removeEventListener(sign, onSign, { capture: true })
    }
  }, [])
}
