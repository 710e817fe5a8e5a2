import { describe, expect, test } from 'bun:test'
import { assert, constantFrom, date, property } from 'fast-check'
import { dayIn, formatInstant, parseDateTime } from '../../src/lib/time/time'

describe('an instant', () => {
  test.each([
    { zone: 'Europe/Berlin', at: '2026-03-01T08:00:00Z', text: '2026-03-01T09:00:00+01:00' },
    { zone: 'Europe/Berlin', at: '2026-07-01T08:00:00Z', text: '2026-07-01T10:00:00+02:00' },
    { zone: 'UTC', at: '2026-03-01T08:00:00Z', text: '2026-03-01T08:00:00+00:00' },
    { zone: 'America/St_Johns', at: '2026-03-01T08:00:00.250Z', text: '2026-03-01T04:30:00.25-03:30' },
    { zone: 'Pacific/Kiritimati', at: '2026-03-01T12:00:00Z', text: '2026-03-02T02:00:00+14:00' },
    // The hour that November repeats: told apart by its offset.
    { zone: 'America/Toronto', at: '2026-11-01T05:30:00Z', text: '2026-11-01T01:30:00-04:00' },
    { zone: 'America/Toronto', at: '2026-11-01T06:30:00Z', text: '2026-11-01T01:30:00-05:00' },
  ])('is written in $zone as $text', ({ zone, at, text }) => {
    expect(formatInstant(zone, new Date(at))).toBe(text)
  })

  test('is read back as it was written, in every zone', () => {
    const zones = ['UTC', 'America/Sao_Paulo', 'Pacific/Auckland', 'Europe/Kiev', 'Asia/Kathmandu']
    const years = { min: new Date('1970-01-01'), max: new Date('2199-12-30'), noInvalidDate: true }
    assert(
      property(date(years), (at) => {
        for (const zone of zones) expect(parseDateTime(zone, formatInstant(zone, at))).toEqual(at)
      }),
    )
  })
})

test('an instant is written as Temporal writes it, in every zone and every year', () => {
  const zone = constantFrom(...Intl.supportedValuesOf('timeZone'), 'UTC')
  const years = { min: new Date('1900-01-01'), max: new Date('2200-12-31'), noInvalidDate: true }
  assert(
    property(zone, date(years), (name, at) => {
      const zoned = Temporal.Instant.fromEpochMilliseconds(at.getTime()).toZonedDateTimeISO(name)
      expect(formatInstant(name, at)).toBe(zoned.toString({ timeZoneName: 'never' }))
    }),
    { numRuns: 5000 },
  )
})

describe('a date-time in a request', () => {
  test.each([
    { text: '2026-03-01T09:00:00Z', at: '2026-03-01T09:00:00Z' },
    { text: '2026-03-01T09:00:00z', at: '2026-03-01T09:00:00Z' },
    { text: '2026-03-01t09:00', at: '2026-03-01T08:00:00Z' },
    { text: '2026-03-01T09:00:00', at: '2026-03-01T08:00:00Z' },
    { text: '2026-03-01T09:00:00.123456789', at: '2026-03-01T08:00:00.123Z' },
    { text: '2026-03-01T09:00:00-05:30', at: '2026-03-01T14:30:00Z' },
    { text: '2026-03-01T09:00:00 05:30', at: '2026-03-01T03:30:00Z' },
    // Skipped in spring: forward by the gap. Repeated in autumn: the first.
    { text: '2026-03-29T02:30:00', at: '2026-03-29T01:30:00Z' },
    { text: '2026-10-25T02:30:00', at: '2026-10-25T00:30:00Z' },
  ])('$text is $at in Berlin, whatever the zone of the process', ({ text, at }) => {
    expect(parseDateTime('Europe/Berlin', text)).toEqual(new Date(at))
  })

  test.each([
    '',
    '2026-03-01',
    '2026-02-30T00:00:00Z',
    '1899-12-31T23:59:59Z',
    '2201-01-01T00:00:00Z',
    '2026-03-01T24:00:00Z',
    '2026-03-01T09:60:00Z',
    '2026-03-01T09:00:60Z',
    '2026-03-01T09:00:00+24:00',
    '2026-03-01T09:00:00+0100',
    '2026-03-01T09:00:00[Europe/Berlin]',
    '20260301T090000Z',
    '+002026-03-01T09:00:00Z',
    '2026-03-01T09:00:00Z\n',
    '1772355600',
  ])('%j is none', (text) => {
    expect(parseDateTime('UTC', text)).toBeUndefined()
  })
})

test('the day is that of the zone', () => {
  const at = new Date('2026-03-04T10:30:00Z')
  expect(dayIn('Pacific/Kiritimati', at)).toBe('2026-03-05')
  expect(dayIn('Pacific/Pago_Pago', at)).toBe('2026-03-03')
})
