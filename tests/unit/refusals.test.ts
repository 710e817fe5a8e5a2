import { expect, test } from 'bun:test'
import { Refusals } from '../../src/http/refusals'
import { MemoryLog } from '../support/fakes'

function refusing() {
  const log = new MemoryLog()
  const ends: Array<() => void> = []
  const refusals = new Refusals(log, (run) => ends.push(run))
  /** How many lines are written of so many. */
  const written = (count: number, status: number, of: Parameters<Refusals['wantLine']>[2] = {}) =>
    Array.from({ length: count }, () => refusals.wantLine(`request ${status}`, status, of)).filter(Boolean)
      .length
  const endSecond = () => {
    log.entries.length = 0
    ends.shift()?.()
    return log.entries
  }
  return { written, endSecond, seconds: ends }
}

const leftOut = (kind: string, count: number) => ({
  level: 'warn' as const,
  message: 'Lines about refused requests were left out',
  fields: { kind, left_out: count },
})

test('of a flood of refusals, each second writes fifty lines of a status, and then how many it left out', () => {
  const { written, endSecond } = refusing()
  for (let second = 0; second < 3; second++) {
    expect([written(50, 401), written(950, 401), written(60, 429), written(3, 404)]).toEqual([50, 0, 50, 3])
    expect(endSecond()).toEqual([leftOut('request 401', 950), leftOut('request 429', 10)])
  }
})

test('fewer refusals are all written, and no more is said of them', () => {
  const { written, endSecond, seconds } = refusing()
  expect(written(50, 401)).toBe(50)
  expect(endSecond()).toEqual([])
  expect(seconds).toEqual([])
})

test('what succeeds, what fails, and what a known user sends is written however much it is', () => {
  const { written, seconds } = refusing()
  expect([written(500, 200), written(500, 500), written(500, 503)]).toEqual([500, 500, 500])
  expect(written(500, 429, { userId: 1 })).toBe(500)
  expect(written(500, 503, { userId: 1, isTurnedAway: true })).toBe(500)
  expect(seconds).toEqual([])
})

test('a 503 because the instance is busy is a refusal', () => {
  const { written } = refusing()
  expect(written(500, 503, { isTurnedAway: true })).toBe(50)
})
