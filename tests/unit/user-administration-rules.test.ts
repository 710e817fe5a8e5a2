import { expect, test } from 'bun:test'
import { temporaryUntil, toTemporaryPassword } from '../../src/features/administration/users/rules'

test('a temporary password has one character a byte, each of 32 as likely as any other', () => {
  const every = toTemporaryPassword(Uint8Array.from({ length: 256 }, (_, byte) => byte))
  const drawn = Object.entries(Object.groupBy(every, (character) => character))
  expect(drawn.length).toBe(32)
  for (const [, times] of drawn) expect(times).toHaveLength(8)
  expect(every).not.toMatch(/[^a-z2-9]|[lo]/)
})

test('a temporary password is good for 72 hours', () => {
  expect(temporaryUntil(new Date('2026-03-04T09:30:00Z')).toISOString()).toBe('2026-03-07T09:30:00.000Z')
})
