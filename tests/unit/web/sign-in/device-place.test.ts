import { expect, test } from 'bun:test'
import { timeZones, weekStartOf } from '../../../../src/web/sign-in/device-place'
import { presentZone } from '../../../../src/web/time/zone-renames'

test('weeks start on Sunday where the locale has it so, and on Monday elsewhere', () => {
  const starts = ['en-US', 'pt-BR', 'ja-JP', 'en-GB', 'de-DE', 'fr-FR', 'ar-EG'].map(weekStartOf)
  expect(starts).toEqual(['0', '0', '0', '1', '1', '1', '1'])
})

test('every zone to choose from has its present name, once, and is one that the runtime knows', () => {
  const zones = timeZones()
  expect(new Set(zones).size).toBe(zones.length)
  expect(zones).toContain('Asia/Kathmandu')
  expect(zones).toContain('UTC')
  expect(zones.filter((zone) => presentZone(zone) !== zone)).toEqual([])
  for (const zone of zones) expect(Temporal.Now.zonedDateTimeISO(zone).timeZoneId).toBeDefined()
})
