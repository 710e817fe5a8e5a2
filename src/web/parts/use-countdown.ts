import { useEffect, useState } from 'react'
import { now } from '../time/now'

/** Counts whole seconds down to 0 from the moment that it is started. */
export function useCountdown() {
  const [until, setUntil] = useState<Temporal.Instant>()
  const [seconds, setSeconds] = useState(0)
  useEffect(() => {
    if (!until) return
    const tick = () => setSeconds(Math.max(0, Math.ceil(now().until(until).total('seconds'))))
    tick()
    const timer = setInterval(tick, 250)
    return () => clearInterval(timer)
  }, [until])
  const start = (length: number) => {
    setSeconds(length)
    setUntil(now().add({ seconds: length }))
  }
  return { seconds, start }
}
