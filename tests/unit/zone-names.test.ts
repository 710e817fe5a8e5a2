import { describe, expect, test } from 'bun:test'
import { constantFrom, assert, property } from 'fast-check'
import { zoneNamed } from '../../src/lib/time/zone-names'

describe('a time zone', () => {
  test.each([
    'UTC',
    'Europe/Berlin',
    'Europe/Kiev',
    'Europe/Kyiv',
    'America/Argentina/Buenos_Aires',
    'Etc/GMT+5',
    'EST5EDT',
  ])('%s is one', (zone) => {
    expect(zoneNamed(zone)).toBe(zone)
  })
  test.each([
    '',
    ' ',
    'Mars/Base',
    '+02:00',
    '12:30+01:00',
    '20200101T00Z',
    '1201[Europe/Berlin]',
    'Europe/Berlin[x=y]',
    'T1200[Europe/Berlin]',
    'T12+01',
    'UTC\0',
    'Europe/Berl\u0131n',
  ])('%j is none', (zone) => {
    expect(zoneNamed(zone)).toBeUndefined()
  })
  test.each([
    ['eUROPE/bERLIN', 'Europe/Berlin'],
    ['us/eastern', 'US/Eastern'],
    ['ASIA/CALCUTTA', 'Asia/Calcutta'],
    ['america/port-au-prince', 'America/Port-au-Prince'],
    ['antarctica/dumontdurville', 'Antarctica/DumontDUrville'],
    ['etc/gmt-14', 'Etc/GMT-14'],
    ['gb-eire', 'GB-Eire'],
    ['utc', 'UTC'],
    ['etc/uct', 'Etc/UCT'],
  ])('spelt %s has the name %s, and an alias stays that alias', (text, name) => {
    expect(zoneNamed(text)).toBe(name)
  })
  test('has the same name however it is spelt', () => {
    assert(
      property(constantFrom(...Intl.supportedValuesOf('timeZone')), (name) => {
        expect([zoneNamed(name.toLowerCase()), zoneNamed(name.toUpperCase())]).toEqual([name, name])
      }),
      { numRuns: 1000 },
    )
  })
})
