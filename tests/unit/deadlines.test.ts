import { expect, test } from 'bun:test'
import { Deadlines } from '../../src/http/deadlines'

function limited() {
  const clock = { ms: 0 }
  const sweeps: Array<() => void> = []
  const deadlines = new Deadlines(
    1000,
    () => clock.ms,
    (run) => sweeps.push(run),
  )
  const start = () => {
    const state = { isLate: false }
    const pending = { startedAt: clock.ms, expire: () => void (state.isLate = true) }
    deadlines.add(pending)
    return { isLate: () => state.isLate, end: () => deadlines.remove(pending) }
  }
  /** Runs the sweep that is due; false when none is. */
  const sweepAt = (ms: number) => {
    clock.ms = ms
    const sweep = sweeps.shift()
    sweep?.()
    return sweep !== undefined
  }
  return { clock, start, sweepAt }
}

test('what takes too long expires, and what came later does not yet', () => {
  const { clock, start, sweepAt } = limited()
  const first = start()
  clock.ms = 600
  const second = start()
  sweepAt(1000)
  expect([first.isLate(), second.isLate()]).toEqual([true, false])
  expect([first.end(), second.end()]).toEqual([false, true])
})

test('what has ended does not expire', () => {
  const { start, sweepAt } = limited()
  const [first, second] = [start(), start()]
  expect(first.end()).toBe(true)
  sweepAt(1000)
  expect([first.isLate(), second.isLate()]).toEqual([false, true])
})

test('sweeps go on as long as anything is under way, one at a time, and no longer', () => {
  const { start, sweepAt } = limited()
  const [slow, other] = [start(), start()]
  other.end()
  expect(sweepAt(500)).toBe(true)
  expect(slow.isLate()).toBe(false)
  expect(sweepAt(1000)).toBe(true)
  expect(slow.isLate()).toBe(true)
  expect(sweepAt(1500)).toBe(false)
  start()
  expect(sweepAt(9000)).toBe(true)
})
