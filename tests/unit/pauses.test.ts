import { expect, test } from 'bun:test'
import { pauses } from '../../src/lib/pauses'

/** A clock on which every look takes longer than a slice. */
function busyClock() {
  let nowMs = 0
  return {
    monotonic: () => (nowMs += 20),
    sleep: (ms: number) => new Promise<void>((resolve) => setTimeout(resolve, ms)),
  }
}

test('however many works are long, between any two of their slices others get in', async () => {
  const clock = busyClock()
  const log: string[] = []
  let isOver = false
  const others = () => {
    log.push('others')
    if (!isOver) setImmediate(others)
  }
  setImmediate(others)
  const work = async () => {
    const pause = pauses(clock)
    for (let step = 0; step < 5; step++) {
      await pause()
      log.push('slice')
    }
  }
  await Promise.all(Array.from({ length: 8 }, work))
  isOver = true
  expect(log.filter((entry) => entry === 'slice')).toHaveLength(40)
  expect(log.some((entry, i) => entry === 'slice' && log[i + 1] === 'slice')).toBe(false)
})

test('a work that takes longer than its limit ends with 503', async () => {
  const pause = pauses(busyClock(), 100)
  const work = async () => {
    for (;;) await pause()
  }
  expect(await work().catch((error: unknown) => error)).toMatchObject({ kind: 'unavailable' })
})
