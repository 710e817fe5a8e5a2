import { expect, test } from 'bun:test'
import { array, assert, constantFrom, nat, oneof, property, string, tuple } from 'fast-check'
import { frameBytes, isUnread, textBytes } from '../../src/features/events/occurrences/rules.sizes'
import { SHARES } from '../../src/features/events/occurrences/rules.tiers'
import { basketFor } from '../../src/features/events/windows/rules.basket'
import { MAX_BYTES, MAX_OCCURRENCES } from '../../src/features/events/windows/rules'
import { jsonBytes } from '../../src/lib/text'

const bytesOf = (value: unknown) => new TextEncoder().encode(JSON.stringify(value)).length

test('the bytes of a text are those that JSON writes for it', () => {
  const texts = oneof(string({ unit: 'binary' }), string({ unit: 'grapheme' }))
  assert(property(texts, (text) => expect(jsonBytes(text)).toBe(bytesOf(text) - 2)))
  expect(jsonBytes('"\\\n\u0001é𝒳\u2028')).toBe(2 + 2 + 2 + 6 + 2 + 4 + 3)
})

test('no event takes more bytes of an answer than it is counted for', () => {
  const moment = '2200-12-31T23:59:59.999+14:00'
  const [max, rule, zone, name] = [2_147_483_647, 'FREQ=DAILY', 'America/Argentina/ComodRivadavia', '"é𝒳"']
  const texts = { title: 'T"', description: '\n\u0001', location: '𝒳' }
  const view = {
    id: max,
    calendar_id: max,
    calendar_name: name,
    calendar_color: '#aabbcc',
    ...texts,
    all_day: false,
    start_at: moment,
    end_at: moment,
    time_zone: zone,
    start_date: null,
    end_date: null,
    recurrence_rule: rule,
    reminder_minutes: 40_320,
    access: 'owner',
    my_invitation: { id: max, response: 'Tentative', display_calendar_id: max },
    is_virtual: false,
    occurrence_start: moment,
    is_override: false,
    version: max,
    created_at: moment,
    updated_at: moment,
  }
  const frame = frameBytes({ recurrenceRule: rule, timeZone: zone, calendarName: name })
  const counted = frame + textBytes({ ...texts, descriptionBytes: 2 })
  expect(counted).toBeGreaterThan(bytesOf(view))
  expect(counted).toBeLessThan(bytesOf(view) + 150)
})

test('each name that all occurrences share counts with its bytes', () => {
  const none = { recurrenceRule: null, timeZone: null, calendarName: null }
  for (const name of ['recurrenceRule', 'timeZone', 'calendarName'])
    expect(frameBytes({ ...none, [name]: '"é' }) - frameBytes(none)).toBe(4)
})

test('a description is unread where the database has one that is not here', () => {
  expect(isUnread({ description: null, descriptionBytes: 1 })).toBe(true)
  expect(isUnread({ description: null, descriptionBytes: 0 })).toBe(false)
  expect(isUnread({ description: 'D', descriptionBytes: 1 })).toBe(false)
})

test('a description that is not read counts as its bytes in the database', () => {
  const texts = { title: 'T', location: null, description: null }
  expect(textBytes({ ...texts, descriptionBytes: 40_000 })).toBe(40_001)
  expect(textBytes({ ...texts, descriptionBytes: 0 })).toBe(1)
})

const TIERS = ['own', 'answered', 'unanswered'] as const
type Tier = (typeof TIERS)[number]

const item = (start: number, bytes: number, tier: Tier) => ({ start, allDay: false, id: start, bytes, tier })

test('too many events of one’s own refuse a window; of invitations only the first are kept', () => {
  const basket = basketFor<ReturnType<typeof item>>()
  basket.add(item(5, MAX_BYTES - 10, 'own'))
  for (const start of [3, 1, 2]) basket.add(item(start, SHARES.unanswered.bytes / 2, 'unanswered'))
  for (const start of [9, 7, 8]) basket.add(item(start, SHARES.answered.bytes / 2, 'answered'))
  const { items, isTruncated } = basket.chosen(({ bytes }) => bytes)
  expect([items.map(({ start }) => start), isTruncated]).toEqual([[1, 2, 5, 7, 8], true])
  expect(() => basket.chosen(({ bytes }) => bytes + 11)).toThrow('Narrow the window')
  expect(() => basket.add(item(6, 11, 'own'))).toThrow('Narrow the window')
  expect(() => basketFor().overflow('own')).toThrow('Narrow the window')
  for (const tier of ['answered', 'unanswered'] as const)
    expect(() => basketFor().overflow(tier)).not.toThrow()
})

test('the bytes of texts are those of all three', () => {
  const texts = { title: 'Tea', location: 'Garden', description: 'Bring a cake', descriptionBytes: 12 }
  expect(textBytes(texts)).toBe(3 + 6 + 12)
})

test('a window has room for exactly its limits, and says so where invitations were left out', () => {
  const own = basketFor<ReturnType<typeof item>>()
  for (let start = 0; start < MAX_OCCURRENCES; start++) own.add(item(start, 0, 'own'))
  expect(own.chosen(() => 0).items).toHaveLength(MAX_OCCURRENCES)
  expect(() => own.add(item(0, 0, 'own'))).toThrow('Narrow the window')
  const heavy = basketFor<ReturnType<typeof item>>()
  heavy.add(item(0, MAX_BYTES, 'own'))
  expect(heavy.chosen(({ bytes }) => bytes).items).toHaveLength(1)

  for (const [tier, most] of [
    ['answered', 2000],
    ['unanswered', 500],
  ] as const) {
    const basket = basketFor<ReturnType<typeof item>>()
    for (let start = 0; start < most; start++) basket.add(item(start, 0, tier))
    expect([basket.chosen(() => 0).items.length, basket.chosen(() => 0).isTruncated]).toEqual([most, false])
    basket.add(item(most, 0, tier))
    expect([basket.chosen(() => 0).items.length, basket.chosen(() => 0).isTruncated]).toEqual([most, true])
  }
  const answered = basketFor<ReturnType<typeof item>>()
  for (const start of [1, 2, 3]) answered.add(item(start, 0, 'answered'))
  expect(answered.chosen(() => 1024 * 1024)).toMatchObject({ items: [{}, {}, {}], isTruncated: false })
})

test('the first of many are found however large all of them are', () => {
  const basket = basketFor<ReturnType<typeof item>>(1)
  for (const start of [2, 1]) basket.add(item(start, MAX_BYTES, 'own'))
  expect(() => basket.overflow('own')).not.toThrow()
  expect(basket.chosen(() => MAX_BYTES + 1).items).toMatchObject([{ start: 1 }])
  for (let start = 3; start < 2000; start++) basket.add(item(start, 0, 'own'))
  basket.add({ ...item(1, 0, 'own'), id: 0 })
  expect(basket.chosen(() => 0).items).toMatchObject([{ start: 1, id: 0 }])
})

test('nothing is read that starts later than the last of those that are kept', () => {
  const basket = basketFor<ReturnType<typeof item>>(3)
  expect(basket.latest('own')).toBe(Infinity)
  for (let start = 2000; start > 0; start--) basket.add(item(start, 1, 'own'))
  const latest = basket.latest('own')
  expect(latest).toBeLessThan(2000)
  for (const start of [latest, latest + 1, 0.5]) basket.add(item(start, 1, 'own'))
  expect(basket.chosen(({ bytes }) => bytes).items.map(({ start }) => start)).toEqual([0.5, 1, 2])
  const even = basketFor<ReturnType<typeof item>>(3)
  for (let start = 1; start <= 2000; start++) even.add(item(start, 1, 'own'))
  expect([even.latest('own'), even.latest('answered')]).toEqual([3, Infinity])
})

test('the first of many are kept in any order: one’s own, then answered invitations, then the others', () => {
  const places = array(tuple(nat(10_000), constantFrom(...TIERS)), { minLength: 0, maxLength: 4000 })
  assert(
    property(places, (all) => {
      const basket = basketFor<ReturnType<typeof item>>(3)
      for (const [start, tier] of all) basket.add(item(start, 1, tier))
      const startsOf = (tier: Tier) =>
        all.flatMap(([start, its]) => (its === tier ? start : [])).toSorted((a, b) => a - b)
      const expected = TIERS.flatMap(startsOf).slice(0, 3)
      const left = startsOf('own').slice(0, 3).length
      const invitations = startsOf('answered').length + startsOf('unanswered').length
      const { items, isTruncated } = basket.chosen(({ bytes }) => bytes)
      expect(items.map(({ start }) => start)).toEqual(expected.toSorted((a, b) => a - b))
      expect(isTruncated).toBe(invitations > expected.length - left)
    }),
    { numRuns: 30 },
  )
})
