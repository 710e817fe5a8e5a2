import { describe, expect, test } from 'bun:test'
import { brokenOffBefore, isUnderWay } from '../../src/access/operations/rules'
import { newOperation } from '../../src/access/operations/service'
import { settingsMissing } from '../../src/access/reader/rules'
import { settingsOf, todayOf, weekOf, zoneOf } from '../../src/access/reader/service'
import type { Owner } from '../../src/access/sessions/service'
import { isTokenKey, toClaims, toTokenKey } from '../../src/access/sessions/rules'
import type { Deps } from '../../src/deps'
import { usedBefore } from '../../src/access/tokens/rules'
import { isNew, seenSince } from '../../src/access/user-agents/rules'
import { isPresent, isVersionKey, type Step, stepsFor, versionsOn } from '../../src/access/versions/rules'

const NOW = new Date('2026-03-04T09:30:00Z')
const MIB = 1_048_576

test('an import that has not ended within a minute was broken off', () => {
  expect(brokenOffBefore(NOW)).toEqual(new Date('2026-03-04T09:29:00Z'))
  const at = (iso: string, isOpen = true) => isUnderWay({ isOpen, createdAt: new Date(iso) }, NOW)
  expect(at('2026-03-04T09:29:00.001Z')).toBe(true)
  expect(at('2026-03-04T09:29:00Z')).toBe(false)
  expect(at('2026-03-04T09:30:00Z', false)).toBe(false)
})

test('operations that begin within a millisecond have ids in their order, whatever is random in them', () => {
  // By these alone, the order would be the other way round.
  let last = 255
  const bytes = (length: number) => new Uint8Array(length).fill(last--)
  const deps = { clock: { now: () => NOW }, random: { bytes }, tokens: {} } as unknown as Deps
  const ids = Array.from(
    { length: 100 },
    () => newOperation(deps, { name: 'addTodo', retry: undefined, keepsAnswer: false }).id,
  )
  expect(ids).toEqual(ids.toSorted())
  expect(new Set(ids).size).toBe(100)
})

test('an access token acts under an id that no session has', () => {
  expect(toTokenKey(7)).toBe('token-7')
  expect(isTokenKey(toTokenKey(7))).toBe(true)
  expect(isTokenKey('7-token-')).toBe(false)
  expect(isTokenKey('0123456789abcdef')).toBe(false)
})

test('the cookie of a session says whose it is, and from when until when in seconds', () => {
  const until = new Date('2026-03-11T09:30:00.999Z')
  expect(toClaims(7, 'sid', NOW, until)).toEqual({ uid: 7, sid: 'sid', iat: +NOW / 1000, exp: 1_773_221_400 })
})

test('the use of an access token is noted once a minute', () => {
  expect(usedBefore(NOW)).toEqual(new Date('2026-03-04T09:29:00Z'))
})

test('a user without settings is a fault of the service', () => {
  expect(settingsMissing()).toMatchObject({ kind: 'internal', message: 'Settings not found for user' })
})

describe('a reader', () => {
  const config = { timeZone: 'Europe/Berlin' } as Deps['config']
  const owner = (timeZone: string | null) =>
    ({ settings: { timeZone, firstDayOfWeek: 0 }, profile: {} }) as Owner
  const nobody = { settings: null, profile: {} } as Owner

  test('has their own time zone, or else that of the server', () => {
    expect(zoneOf(config, owner('Pacific/Auckland'))).toBe('Pacific/Auckland')
    expect(zoneOf(config, owner(null))).toBe('Europe/Berlin')
    expect(zoneOf(config, nobody)).toBe('Europe/Berlin')
    expect(zoneOf(config, undefined)).toBe('Europe/Berlin')
  })

  test('has their day where their zone has it, and their week from their own first day on', () => {
    const clock = { now: () => new Date('2026-03-04T12:30:00Z') } as Deps['clock']
    expect(todayOf({ clock, config }, owner('Pacific/Auckland'))).toBe('2026-03-05')
    expect(todayOf({ clock, config }, undefined)).toBe('2026-03-04')
    expect(weekOf(config, owner('Asia/Kathmandu'))).toEqual({ timeZone: 'Asia/Kathmandu', firstDayOfWeek: 0 })
  })

  test('without settings has no week, and no settings to show', () => {
    const missing = expect.objectContaining({ kind: 'internal', message: 'Settings not found for user' })
    for (const one of [nobody, undefined]) {
      expect(() => weekOf(config, one)).toThrow(missing)
      expect(() => settingsOf(one)).toThrow(missing)
    }
    const some = owner(null)
    expect(settingsOf(some)).toBe(some.settings as NonNullable<Owner['settings']>)
  })
})

test('a browser is new that was not seen within 90 days, unless the user was never seen at all', () => {
  const since = new Date('2025-12-04T09:30:00Z')
  expect(seenSince(NOW)).toEqual(since)
  expect(isNew({ lastSeenAt: null, newestAt: null }, NOW)).toBe(false)
  expect(isNew({ lastSeenAt: null, newestAt: NOW }, NOW)).toBe(true)
  expect(isNew({ lastSeenAt: since, newestAt: NOW }, NOW)).toBe(true)
  expect(isNew({ lastSeenAt: new Date(+since + 1), newestAt: NOW }, NOW)).toBe(false)
})

describe('the versions of a record', () => {
  const step = (id: number, version: number | null, bytes = 1): Step => ({
    id,
    version,
    bytes,
    at: NOW,
    userId: 1,
    networkName: 'ada',
  })
  const present = { version: 3, bytes: 1 }
  const steps = [step(30, 2), step(20, 1), step(10, null)]
  const versionsIn = ({ page }: ReturnType<typeof versionsOn>) => page.map(({ key }) => key[0])

  test('begin with the present one, and each is made by the step before it', () => {
    const { page, isFollowed } = versionsOn({ limit: 9, after: undefined }, steps, present)
    expect(page.map(({ key, madeBy, bytes }) => [...key, madeBy?.id, bytes])).toEqual([
      [3, Number.MAX_SAFE_INTEGER, 30, 1],
      [2, 30, 20, 1],
      [1, 20, 10, 1],
    ])
    expect(page.map(isPresent)).toEqual([true, false, false])
    expect(isFollowed).toBe(false)
  })

  test('go on after a page without the present one', () => {
    const after = [3, Number.MAX_SAFE_INTEGER] as const
    expect(versionsIn(versionsOn({ limit: 9, after }, steps, present))).toEqual([2, 1])
    const first = versionsOn({ limit: 1, after }, steps, present)
    expect([versionsIn(first), first.isFollowed]).toEqual([[2], true])
  })

  test('fill a page up to its limit, or to a mebibyte, and one always fits', () => {
    const on = (limit: number, bytes: readonly number[]) => {
      const [own = 0, ...others] = bytes
      const made = others.map((size, index) => step(index + 1, 9 - index, size))
      const { page, isFollowed } = versionsOn({ limit, after: undefined }, made, { version: 10, bytes: own })
      return [page.length, isFollowed]
    }
    expect(on(2, [1, 1, 1])).toEqual([2, true])
    expect(on(3, [1, 1, 1])).toEqual([3, false])
    expect(on(9, [MIB - 1, 1, 1])).toEqual([2, true])
    expect(on(9, [MIB, 1])).toEqual([1, true])
    expect(on(9, [MIB + 1])).toEqual([1, false])
    expect(on(9, [2 * MIB, 1])).toEqual([1, true])
    expect(on(1, [1, 1, MIB])).toEqual([1, true])
  })

  test('need two steps each, and those at both ends', () => {
    expect(stepsFor(1)).toBe(4)
    expect(stepsFor(50)).toBe(102)
  })

  test.each<[key: unknown, isKey: boolean]>([
    [[1, 1], true],
    [[1, Number.MAX_SAFE_INTEGER], true],
    [[1, Number.MAX_SAFE_INTEGER + 1], false],
    [[0, 1], false],
    [[1, 0], false],
    [[1.5, 1], false],
    [['1', 1], false],
    [[1], false],
    [[1, 1, 1], false],
    [{ length: 2 }, false],
    [null, false],
  ])('go on after %j: %p', (key, isKey) => {
    expect(isVersionKey(key)).toBe(isKey)
  })
})
