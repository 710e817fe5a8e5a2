import { describe, expect, test } from 'bun:test'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { soakClock, startTime } from './clock'
import { Ledger } from './ledger'
import { growthOfMemory, problemsOfPushes } from './proofs'

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

  test('finds that an acknowledged write is lost where one before it may have been done', () => {
    const ledger = new Ledger()
    ledger.unknown('/a', 'first')
    ledger.written('/a', '"1-3"', 'second')
    expect(ledger.settle('/a', '"1-2"', 'first')).toBe('/a is first and not second')
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

describe('of messages', () => {
  const plan = [
    { title: 'push 1', at: 100_000 },
    { title: 'push 2', at: 200_000 },
  ]
  const due = plan.slice(0, 1)
  const on = { title: 'push 1', id: 'a', at: 100_000 }

  test('one that came after it was due is no problem, and one under way at a restart may come twice', () => {
    expect(problemsOfPushes({ plan, due, arrivals: [on] }, 0).problems).toEqual([])
    expect(problemsOfPushes({ plan, due, arrivals: [on, on] }, 1).problems).toEqual([])
  })

  test.each([
    ['that did not come', [], 'messages are lost: push 1'],
    [
      'that came before it was due',
      [on, { title: 'push 2', id: 'b', at: 190_000 }],
      'messages that are not due: push 2',
    ],
    [
      'that nobody planned',
      [on, { title: 'push 3', id: 'c', at: 300_000 }],
      'messages that are not due: push 3',
    ],
    ['that came again as another', [on, { ...on, id: 'b' }], 'messages come twice as others: push 1'],
    ['that came again without a restart', [on, on], '1 messages come twice'],
  ])('one %s is', (_, arrivals, problem) => {
    expect(problemsOfPushes({ plan, due, arrivals }, 0).problems).toContain(problem)
  })
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
