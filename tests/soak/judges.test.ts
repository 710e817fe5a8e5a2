import { describe, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { soakClock, startTime } from './clock'
import { Ledger } from './ledger'
import { growthOfMemory } from './proofs'

describe('the ledger of phones', () => {
  test('takes what was acknowledged last, by whichever phone', () => {
    const ledger = new Ledger()
    ledger.written('/a', '"1-2"', 'second')
    ledger.written('/a', '"1-1"', 'first')
    expect(ledger.settle('/a', '"1-2"', 'second')).toBeUndefined()
    expect(ledger.settle('/a', '"1-2"', 'second')).toBeUndefined()
  })

  test('finds an acknowledged write that is lost, and one that came back', () => {
    const ledger = new Ledger()
    ledger.written('/a', '"1-1"', 'first')
    expect(ledger.settle('/a', undefined, null)).toBe('/a is gone and not first')
    ledger.written('/b', '"2-1"', 'first')
    ledger.deleted('/b', '"2-1"')
    expect(ledger.settle('/b', '"2-1"', 'first')).toBe('/b is first and not gone')
  })

  test('takes either outcome of a request whose answer did not come, and nothing else', () => {
    const ledger = new Ledger()
    ledger.written('/a', '"1-1"', 'first')
    ledger.unknown('/a', 'second')
    expect(ledger.settle('/a', '"1-2"', 'second')).toBeUndefined()
    ledger.unknown('/a', null)
    expect(ledger.settle('/a', '"1-3"', 'third')).toBe('/a is third and not second')
  })
})

test('memory that goes on rising is a problem, and memory that settles is none', () => {
  const mib = (values: readonly number[]) => values.map((value) => value * 1024 * 1024)
  const rising = mib(Array.from({ length: 100 }, (_, n) => 200 + n * 3))
  expect(growthOfMemory(rising).problem).toStartWith('memory ')
  expect(
    growthOfMemory(mib(Array.from({ length: 100 }, (_, n) => 200 + Math.min(n, 20)))).problem,
  ).toBeUndefined()
})

test('time passes as many times as fast, and jumps for every process that shares it', async () => {
  const file = join(tmpdir(), `soak-clock-${crypto.randomUUID()}`)
  const time = { file, epochMs: Date.parse('2026-03-29T00:00:00Z'), machineMs: Date.now(), speed: 20 }
  const running = await startTime(time)
  const clock = soakClock(time)
  running.jump(3_600_000)
  expect(clock.now().getTime()).toBeGreaterThanOrEqual(time.epochMs + 3_600_000)
  running.jump(-7_200_000)
  expect(clock.now().getTime()).toBeLessThan(time.epochMs)
  await rm(file)
})
