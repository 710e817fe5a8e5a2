import { describe, expect, test } from 'bun:test'
import { expiryFrom, isRecent, seenBefore, slidesBefore } from '../../src/access/sessions/rules'

const NOW = new Date('2026-03-04T09:30:00Z')
const at = (text: string) => new Date(text)

describe('a session', () => {
  test('lives as many days as it is configured to, on the clock and not on the calendar', () => {
    expect(expiryFrom(at('2026-03-28T12:00:00Z'), 7)).toEqual(at('2026-04-04T12:00:00Z'))
  })

  test.each([
    { maxAgeDays: 7, threshold: '2026-03-10T09:30:00Z' },
    { maxAgeDays: 2, threshold: '2026-03-05T09:30:00Z' },
    { maxAgeDays: 1, threshold: '2026-03-04T21:30:00Z' },
    { maxAgeDays: 365, threshold: '2027-03-03T09:30:00Z' },
  ])('of $maxAgeDays days slides once it expires before $threshold', ({ maxAgeDays, threshold }) => {
    expect(slidesBefore(NOW, maxAgeDays)).toEqual(at(threshold))
  })

  test('counts as just seen for ten minutes', () => {
    expect(seenBefore(NOW)).toEqual(at('2026-03-04T09:20:00Z'))
  })

  test.each([
    { authenticatedAt: '2026-03-04T09:30:00Z', recent: true },
    { authenticatedAt: '2026-03-04T09:15:00.001Z', recent: true },
    { authenticatedAt: '2026-03-04T09:15:00Z', recent: false },
  ])('that proved itself at $authenticatedAt is recent: $recent', ({ authenticatedAt, recent }) => {
    expect(isRecent(at(authenticatedAt), NOW)).toBe(recent)
  })
})
