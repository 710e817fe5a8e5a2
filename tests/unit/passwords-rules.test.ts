import { describe, expect, test } from 'bun:test'
import {
  lockEnd,
  lockedMessage,
  lockUntil,
  passwordProblem,
} from '../../src/features/identity/passwords/rules'

const NOW = new Date('2026-03-04T09:30:00Z')

describe('a lock', () => {
  test('holds for 30 minutes, to the millisecond', () => {
    const until = lockUntil(NOW)
    const locks = { lockedUntil: until, mfaLockedUntil: null }
    expect(lockEnd(locks, new Date('2026-03-04T09:59:59.999Z'))).toEqual(until)
    expect(lockEnd(locks, new Date('2026-03-04T10:00:00Z'))).toBeNull()
    expect(lockEnd({ lockedUntil: null, mfaLockedUntil: null }, NOW)).toBeNull()
  })

  test('of either kind holds, and the later one tells how long', () => {
    const [sooner, later] = [lockUntil(NOW), lockUntil(new Date('2026-03-04T09:40:00Z'))]
    expect(lockEnd({ lockedUntil: null, mfaLockedUntil: sooner }, NOW)).toEqual(sooner)
    expect(lockEnd({ lockedUntil: sooner, mfaLockedUntil: later }, NOW)).toEqual(later)
    expect(lockEnd({ lockedUntil: later, mfaLockedUntil: sooner }, NOW)).toEqual(later)
  })

  test.each([
    { remaining: 1_800_000, minutes: 31 },
    { remaining: 1_799_999, minutes: 30 },
    { remaining: 60_000, minutes: 2 },
    { remaining: 59_999, minutes: 1 },
    { remaining: 1, minutes: 1 },
  ])('with $remaining ms to go says $minutes minutes', ({ remaining, minutes }) => {
    const until = new Date(NOW.getTime() + remaining)
    expect(lockedMessage(until, NOW)).toBe(`Account locked. Try again in ${minutes} minutes.`)
  })
})

describe('a new password', () => {
  const problem = (password: string, username = 'ada') =>
    passwordProblem({ password, username, minLength: 12, isCommon: (text) => text === 'passwordpassword' })

  test.each([
    { password: 'a'.repeat(11), problem: 'must be at least 12 characters' },
    { password: 'b'.repeat(12), problem: undefined },
    { password: 'b'.repeat(128), problem: undefined },
    { password: 'b'.repeat(129), problem: 'must be at most 128 characters' },
    { password: '🦊'.repeat(12), problem: undefined },
    { password: '🦊'.repeat(6), problem: 'must be at least 12 characters' },
    // Twelve code points as typed, six once e and its accent are one.
    { password: 'e\u0301'.repeat(6), problem: 'must be at least 12 characters' },
    { password: 'passwordpassword', problem: 'is too common' },
    { password: 'my name is ADA here', problem: 'must not contain the username' },
    { password: '            ', problem: undefined },
  ])('$password is refused with: $problem', ({ password, problem: expected }) => {
    expect(problem(password)).toBe(expected)
  })
})
