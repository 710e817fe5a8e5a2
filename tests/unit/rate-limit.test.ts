import { expect, test } from 'bun:test'
import { RateLimit } from '../../src/http/rate-limit'
import { AppError } from '../../src/lib/errors'

function limited() {
  let now = 0
  const limit = new RateLimit(() => now)
  return {
    advance: (ms: number) => (now += ms),
    /** Seconds to wait; undefined when the request passed. */
    take: (key = 'a') => {
      try {
        limit.take(key)
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
