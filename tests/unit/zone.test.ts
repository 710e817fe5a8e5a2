import { expect, test } from 'bun:test'
import { assert, constantFrom, integer, property } from 'fast-check'
import { instantAt, offsetMs } from '../../src/lib/zone'

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
