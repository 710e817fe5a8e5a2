import { expect, spyOn, test } from 'bun:test'
import { assert, constantFrom, integer, property } from 'fast-check'
import { instantAt, offsetMs } from '../../src/lib/time/zone'
import { transitionsOf } from '../../src/lib/time/zone-transitions'

const ZONES = [...Intl.supportedValuesOf('timeZone'), 'UTC']
const FIRST = Date.UTC(1900, 0)
const LAST = Date.UTC(2200, 11, 31)
const zoned = (zone: string, epochMs: number) =>
  Temporal.Instant.fromEpochMilliseconds(epochMs).toZonedDateTimeISO(zone)

const offsetByTemporal = (zone: string, epochMs: number) => zoned(zone, epochMs).offsetNanoseconds / 1e6
const instantByTemporal = (zone: string, wall: number) =>
  zoned('UTC', wall).toPlainDateTime().toZonedDateTime(zone).epochMilliseconds

test('offsets and instants are those of Temporal, in every zone and every year', () => {
  assert(
    property(constantFrom(...ZONES), integer({ min: FIRST, max: LAST }), (zone, at) => {
      for (const twice of [1, 2])
        expect([twice, offsetMs(zone, at)]).toEqual([twice, offsetByTemporal(zone, at)])
      expect(instantAt(zone, at)).toBe(instantByTemporal(zone, at))
    }),
    { numRuns: 5000 },
  )
})

test('and so around every change of an offset from 1900 to 2030, gaps and repetitions included', () => {
  const HOUR = 3_600_000
  const steps = [-26, -14, -3, -2, -1, -0.5, 0, 0.5, 1, 2, 3, 14, 26].map((hours) => hours * HOUR)
  let changes = 0
  for (const zone of ZONES) {
    let at = zoned(zone, FIRST).getTimeZoneTransition('next')
    for (; at && at.year < 2030; at = at.getTimeZoneTransition('next')) {
      changes++
      const [instant, before] = [at.epochMilliseconds, offsetByTemporal(zone, at.epochMilliseconds - 1)]
      for (const step of [...steps, -1, 1]) {
        expect(offsetMs(zone, instant + step)).toBe(offsetByTemporal(zone, instant + step))
        const wall = instant + before + step
        expect(instantAt(zone, wall)).toBe(instantByTemporal(zone, wall))
      }
    }
  }
  expect(changes).toBeGreaterThan(5000)
}, 60_000)

/** The name with those letters in capitals that `pattern` has a bit for. */
function spelt(name: string, pattern: number) {
  let place = 0
  return name
    .toLowerCase()
    .replaceAll(/[a-z]/g, (letter) => ((pattern >> place++) & 1 ? letter.toUpperCase() : letter))
}

test('ten thousand spellings of a zone are one zone to what is remembered of it', () => {
  const spellings = Array.from({ length: 10_000 }, (_, n) => spelt('Australia/Broken_Hill', n))
  expect(new Set(spellings).size).toBe(10_000)
  const searches = spyOn(Temporal.ZonedDateTime.prototype, 'getTimeZoneTransition')
  try {
    const offsets = new Set(spellings.map((zone) => offsetMs(zone, Date.UTC(2026, 0))))
    expect([...offsets]).toEqual([10.5 * 3_600_000])
    expect(searches.mock.calls.length).toBeLessThanOrEqual(2)
    expect(new Set(spellings.map((zone) => transitionsOf(zone))).size).toBe(1)
  } finally {
    searches.mockRestore()
  }
})

test('what is no zone is none to them', () => {
  for (const zone of ['Mars/Base', '+01:00', '']) {
    expect(() => offsetMs(zone, 0)).toThrow(RangeError)
    expect(() => transitionsOf(zone)).toThrow(RangeError)
  }
})
