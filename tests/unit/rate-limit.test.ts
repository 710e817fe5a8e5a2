import { expect, test } from 'bun:test'
import { RateLimit } from '../../src/http/rate-limit'
import { AppError } from '../../src/lib/errors'

function limited() {
  let now = 0
  const limit = new RateLimit(() => now)
  return {
    advance: (ms: number) => (now += ms),
    /** Seconds to wait; undefined when the request passed. */
    take: (...keys: string[]) => {
      const [own = 'a', ...wider] = keys
      try {
        limit.take([
          { key: own, clients: 1 },
          ...wider.map((key, index) => ({ key, clients: 4 ** (index + 1) })),
        ])
        return undefined
      } catch (error) {
        if (error instanceof AppError) return error.headers['retry-after']
        throw error
      }
    },
  }
}

test('six at once pass, then one every six seconds', () => {
  const { take, advance } = limited()
  expect(Array.from({ length: 8 }, () => take())).toEqual([...Array(6).fill(undefined), '6', '6'])
  advance(5999)
  expect(take()).toBe('1')
  advance(1)
  expect([take(), take()]).toEqual([undefined, '6'])
})

test('ten a minute in the long run', () => {
  const { take, advance } = limited()
  for (let i = 0; i < 6; i++) take()
  let passed = 0
  for (let second = 0; second < 600; second++) {
    advance(1000)
    if (take() === undefined) passed++
  }
  expect(passed).toBe(100)
})

test('one client does not use up the share of another, and an idle one gets its burst back', () => {
  const { take, advance } = limited()
  for (let i = 0; i < 7; i++) take('a')
  expect(take('b')).toBeUndefined()
  advance(36_000)
  expect(Array.from({ length: 7 }, () => take('a'))).toEqual([...Array(6).fill(undefined), '6'])
})

test('a network that counts for four clients passes as much as four, whichever of its clients it is', () => {
  const { take, advance } = limited()
  const passed = (count: number) =>
    Array.from({ length: count }, (_, i) => take(`client ${i}`, 'network')).filter(
      (wait) => wait === undefined,
    )
  expect(passed(100)).toHaveLength(21)
  advance(60_000)
  expect(passed(100)).toHaveLength(21)
  expect(take('client 0', 'other network')).toBeUndefined()
})

test('what is refused in one network counts in none', () => {
  const { take } = limited()
  for (let i = 0; i < 100; i++) take('a', 'network')
  expect(Array.from({ length: 7 }, () => take('b', 'network'))).toEqual([...Array(6).fill(undefined), '6'])
})
