import { describe, expect, test } from 'bun:test'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { createWeather } from '../../src/adapters/weather'
import { ManualClock } from '../support/fakes'
import { FORECAST, PLACES } from '../support/open-meteo'
import { type Answer, answerOf, DEAD_ENDS, ENDLESS_BODIES, rawServer } from '../support/raw-server'
import { until } from '../support/service'

const DEADLINE_MS = 250
const BERLIN = { latitude: 52.52437, longitude: 13.41053 }

const weatherAt = (
  url: string,
  { clock = new ManualClock('2026-03-04T09:30:00Z'), deadlineMs = DEADLINE_MS } = {},
) => createWeather({ geocoderUrl: `${url}/search`, forecastUrl: `${url}/forecast`, clock, deadlineMs })

/** What the client makes of `answer` to a search and to a forecast. */
async function bothOf(answer: Answer) {
  await using server = await rawServer(() => answer)
  const weather = weatherAt(server.url)
  const [search, forecast] = await Promise.allSettled([weather.search('Berlin'), weather.forecast(BERLIN)])
  await until(() => server.connections() === 0, 2000)
  return { search, forecast, requests: server.requests }
}

const reasonOf = (result: PromiseSettledResult<unknown>) =>
  result.status === 'rejected' ? String(result.reason.message) : `accepted ${JSON.stringify(result.value)}`

const json = (value: unknown) => answerOf(JSON.stringify(value))
const place = (changes: Record<string, unknown>) => ({ results: [{ ...PLACES.results[0], ...changes }] })
const current = (changes: Record<string, unknown>) => ({
  ...FORECAST,
  current: { ...FORECAST.current, ...changes },
})
const daily = (changes: Record<string, unknown>) => ({
  ...FORECAST,
  daily: { ...FORECAST.daily, ...changes },
})
const without = (name: string) => Object.fromEntries(Object.entries(FORECAST).filter(([key]) => key !== name))

const NON_ASCII = Buffer.byteLength(JSON.stringify(FORECAST)) - JSON.stringify(FORECAST).length
const bomb = Buffer.alloc(200 * 1_048_576, ' ')

describe('an answer that is of no use', () => {
  const TOO_LARGE = 'answered more than 1048576 bytes'
  test.each<[string, Answer, string]>([
    ['is 400 with the reason', answerOf('{"error":true,"reason":"no"}', { status: 400 }), 'answered 400'],
    ['is 429', answerOf('slow down', { status: 429 }), 'answered 429'],
    ['is 500', answerOf('', { status: 500 }), 'answered 500'],
    ['is 503', answerOf(JSON.stringify(FORECAST), { status: 503 }), 'answered 503'],
    ['is 204', answerOf('', { status: 204 }), 'answered 204'],
    ['is HTML', answerOf('<html><body>Please sign in</body></html>'), 'SyntaxError'],
    ['is empty', answerOf(''), 'SyntaxError'],
    ['is cut off JSON', answerOf('{"results": ['), 'SyntaxError'],
    ['is a list', json([]), 'answered in another shape'],
    ['is null', json(null), 'answered in another shape'],
    ['is a number', json(1), 'answered in another shape'],
    ['is nested deeply', answerOf('['.repeat(500_000)), expect.any(String)],
    ['is not UTF-8', answerOf(new Uint8Array([0x22, 0xff, 0xfe, 0x22])), expect.any(String)],
    ['is too large by a byte', answerOf(JSON.stringify(FORECAST).padEnd(1_048_577 - NON_ASCII)), TOO_LARGE],
    ['is a gzip bomb', answerOf(gzipSync(bomb), { headers: { 'Content-Encoding': 'gzip' } }), TOO_LARGE],
    [
      'is a brotli bomb',
      answerOf(brotliCompressSync(bomb), { headers: { 'Content-Encoding': 'br' } }),
      'answered in an encoding that was not asked for',
    ],
    ['is no gzip', answerOf('{}', { headers: { 'Content-Encoding': 'gzip' } }), expect.any(String)],
    [
      'ends early',
      (socket) => socket.end('HTTP/1.1 200 OK\r\nContent-Length: 99\r\n\r\n{}'),
      expect.any(String),
    ],
    ['has broken chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n', expect.any(String)],
    ...[...Object.entries(DEAD_ENDS), ...Object.entries(ENDLESS_BODIES)].map(
      ([name, answer]): [string, Answer, string] => [name, answer, expect.any(String)],
    ),
  ])('%s', async (_, answer, reason) => {
    const { search, forecast } = await bothOf(answer)
    expect([search.status, forecast.status]).toEqual(['rejected', 'rejected'])
    expect([reasonOf(search), reasonOf(forecast)]).toEqual([reason, reason])
  })

  test('is taken where it is compressed as was asked for', async () => {
    const { forecast } = await bothOf(
      answerOf(gzipSync(JSON.stringify(FORECAST)), { headers: { 'Content-Encoding': 'gzip' } }),
    )
    expect(forecast.status).toBe('fulfilled')
  })

  test('is taken up to a mebibyte', async () => {
    const { forecast } = await bothOf(answerOf(JSON.stringify(FORECAST).padEnd(1_048_576 - NON_ASCII)))
    expect(forecast.status).toBe('fulfilled')
  })

  test('is a redirect, which is not followed', async () => {
    await using elsewhere = await rawServer(() => json(FORECAST))
    for (const status of [301, 302, 303, 307, 308]) {
      const { search, forecast, requests } = await bothOf(
        answerOf('', { status, headers: { Location: `${elsewhere.url}/forecast` } }),
      )
      expect([reasonOf(search), reasonOf(forecast)]).toEqual([`answered ${status}`, `answered ${status}`])
      expect(requests).toHaveLength(2)
    }
    expect(elsewhere.requests).toEqual([])
  })

  test('comes too late: the deadline holds for everything together', async () => {
    for (const answer of [...Object.values(DEAD_ENDS), ...Object.values(ENDLESS_BODIES)]) {
      const { search, forecast } = await bothOf(answer)
      expect([search.status, forecast.status]).toEqual(['rejected', 'rejected'])
    }
  })
})

describe('a place', () => {
  test.each<[string, unknown]>([
    ['no name', place({ name: undefined })],
    ['null for a name', place({ name: null })],
    ['a number for a name', place({ name: 1 })],
    ['null for a latitude', place({ latitude: null })],
    ['a text for a longitude', place({ longitude: '13.4' })],
    ['a latitude beyond the pole', place({ latitude: 90.1 })],
    ['a longitude beyond the globe', place({ longitude: -180.1 })],
    ['a list for a state', place({ admin1: ['Berlin'] })],
    ['no object around it', { results: [null] }],
    ['an object around all of them', { results: {} }],
    ['an error under a good status', { error: true, reason: 'out of order' }],
    ['null instead of all of them', { results: null }],
  ])('with %s is refused', async (_, answer) => {
    expect(reasonOf((await bothOf(json(answer))).search)).toBe('answered in another shape')
  })

  test('with an infinite latitude is refused', async () => {
    const text = JSON.stringify(place({ latitude: 7.25 })).replace('7.25', '1e999')
    expect(reasonOf((await bothOf(answerOf(text))).search)).toBe('answered in another shape')
  })

  test('keeps only what a database can hold, cut to what settings take', async () => {
    const hostile = place({
      name: `\0 Ber\uD800lin${'x'.repeat(300)}`,
      admin1: '\0',
      country: null,
      country_code: '',
      timezone: '../../etc/passwd',
    })
    const { search } = await bothOf(json(hostile))
    expect(search).toEqual({
      status: 'fulfilled',
      value: [
        {
          name: `Ber\uFFFDlin${'x'.repeat(192)}`,
          state: null,
          country: null,
          countryCode: null,
          latitude: 52.52437,
          longitude: 13.41053,
          timeZone: null,
        },
      ],
    })
  })

  test('brings nothing along that was not asked for, whatever its keys are', async () => {
    const text = JSON.stringify(place({})).replace(
      '{"id"',
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"id"',
    )
    const { search } = await bothOf(answerOf(text))
    if (search.status === 'rejected') throw search.reason
    expect(Object.keys(search.value[0] ?? {}).toSorted()).toEqual([
      'country',
      'countryCode',
      'latitude',
      'longitude',
      'name',
      'state',
      'timeZone',
    ])
    expect(Reflect.get({}, 'isAdmin')).toBeUndefined()
  })

  test('is left out where nothing is left of its name, and there are ten at most', async () => {
    const many = Array.from({ length: 100 }, (_, n) => ({
      ...PLACES.results[0],
      name: n === 0 ? ' \0' : `P${n}`,
    }))
    const { search } = await bothOf(json({ results: many }))
    expect(search.status === 'fulfilled' && search.value.map(({ name }) => name)).toEqual(
      Array.from({ length: 9 }, (_, n) => `P${n + 1}`),
    )
  })
})

describe('a forecast', () => {
  const SHAPE = 'answered in another shape'
  const TIMES = 'answered without times'
  test.each<[string, unknown, string]>([
    ['no present weather', without('current'), SHAPE],
    ['null for the present weather', { ...FORECAST, current: null }, SHAPE],
    ['null for a temperature', current({ temperature_2m: null }), SHAPE],
    ['a text for a temperature', current({ temperature_2m: '4.2' }), SHAPE],
    ['a broken weather code', current({ weather_code: 3.5 }), SHAPE],
    ['a number for the time', current({ time: 1_772_615_700 }), SHAPE],
    ['no time that there is', current({ time: '2026-02-30T10:00' }), TIMES],
    ['another text for the time', current({ time: 'now' }), TIMES],
    ['a time of another age', current({ time: '0001-01-01T00:00' }), TIMES],
    ['no offset', without('utc_offset_seconds'), SHAPE],
    ['an offset beyond a day', { ...FORECAST, utc_offset_seconds: 1e12 }, SHAPE],
    ['no days', without('daily'), SHAPE],
    ['null for a list of days', daily({ weather_code: null }), SHAPE],
    ['texts for temperatures', daily({ temperature_2m_min: ['1', '2'] }), SHAPE],
    ['no day at all', daily({ time: [] }), TIMES],
    ['days that are none', daily({ time: ['tomorrow', '2026-02-30'] }), TIMES],
    ['lists that are too short', daily({ precipitation_sum: [] }), TIMES],
  ])('with %s is refused', async (_, answer, reason) => {
    expect(reasonOf((await bothOf(json(answer))).forecast)).toBe(reason)
  })

  test('with an infinite temperature is refused', async () => {
    for (const spelled of ['1e999', '-1e999']) {
      const text = JSON.stringify(FORECAST).replace('4.2', spelled)
      expect(reasonOf((await bothOf(answerOf(text))).forecast)).toBe(SHAPE)
    }
  })

  test('leaves out the days of which not everything is known', async () => {
    const { forecast } = await bothOf(json(daily({ precipitation_sum: [null, 1] })))
    expect(forecast.status === 'fulfilled' && forecast.value.daily.map(({ date }) => date)).toEqual([
      '2026-03-05',
    ])
  })

  test('tells the instant of a place west of Greenwich as well', async () => {
    const { forecast } = await bothOf(json({ ...FORECAST, utc_offset_seconds: -12_600 }))
    expect(forecast.status === 'fulfilled' && forecast.value.current.at).toEqual(
      new Date('2026-03-04T14:45:00Z'),
    )
  })
})
