import { describe, expect, test } from 'bun:test'
import { createWeather } from '../../src/adapters/weather'
import { ManualClock } from '../support/fakes'
import { fakeOpenMeteo, PLACES } from '../support/open-meteo'
import { until } from '../support/service'

const BERLIN = { latitude: 52.52437, longitude: 13.41053 }

const weatherOf = (
  { env }: ReturnType<typeof fakeOpenMeteo>,
  clock = new ManualClock('2026-03-04T09:30:00Z'),
) => createWeather({ geocoderUrl: env.GEOCODER_URL, forecastUrl: env.FORECAST_URL, clock })

describe('what Open-Meteo is asked', () => {
  test('a search names what is searched, how many, and keeps the parameters of the endpoint', async () => {
    await using provider = fakeOpenMeteo()
    const weather = createWeather({
      geocoderUrl: `${provider.env.GEOCODER_URL}?apikey=k&count=99`,
      forecastUrl: provider.env.FORECAST_URL,
      clock: new ManualClock('2026-03-04T09:30:00Z'),
    })
    await weather.search('  São \t Paulo ')
    expect([...(provider.asked[0]?.searchParams ?? [])]).toEqual([
      ['apikey', 'k'],
      ['count', '10'],
      ['name', 'São Paulo'],
      ['language', 'en'],
      ['format', 'json'],
    ])
  })

  test('a forecast names every variable that is read, metric units and the zone of the place', async () => {
    await using provider = fakeOpenMeteo()
    await weatherOf(provider).forecast({ latitude: -0.001, longitude: 13.41053 })
    expect(Object.fromEntries(provider.asked[0]?.searchParams ?? [])).toEqual({
      latitude: '0',
      longitude: '13.41',
      current: 'temperature_2m,apparent_temperature,weather_code,wind_speed_10m,relative_humidity_2m',
      daily: 'weather_code,temperature_2m_min,temperature_2m_max,precipitation_sum',
      timezone: 'auto',
      forecast_days: '7',
      temperature_unit: 'celsius',
      wind_speed_unit: 'kmh',
      precipitation_unit: 'mm',
    })
  })
})

describe('what is remembered', () => {
  test('the same request that is under way is shared, and its failure is not remembered', async () => {
    let isDown = true
    const arrived: Array<(response: Response) => void> = []
    await using provider = fakeOpenMeteo(() => new Promise((resolve) => void arrived.push(resolve)))
    const weather = weatherOf(provider)
    const answerAll = async (count: number) => {
      await until(() => arrived.length === count)
      for (const respond of arrived)
        respond(isDown ? new Response('', { status: 500 }) : Response.json(PLACES))
    }
    const failed = Promise.allSettled(Array.from({ length: 20 }, () => weather.search('Berlin')))
    await answerAll(1)
    expect((await failed).map(({ status }) => status)).toEqual(Array(20).fill('rejected'))
    isDown = false
    const answered = Promise.all(Array.from({ length: 20 }, () => weather.search('BERLIN')))
    await answerAll(2)
    expect((await answered).map((places) => places.length)).toEqual(Array(20).fill(2))
    expect(provider.asked).toHaveLength(2)
  })

  test('an answer is remembered just short of ten minutes', async () => {
    await using provider = fakeOpenMeteo()
    const clock = new ManualClock('2026-03-04T09:30:00Z')
    const weather = weatherOf(provider, clock)
    await weather.forecast(BERLIN)
    clock.advance({ ms: 599_999 })
    await weather.forecast(BERLIN)
    expect(provider.asked).toHaveLength(1)
    clock.advance({ ms: 1 })
    await weather.forecast(BERLIN)
    expect(provider.asked).toHaveLength(2)
  })

  test('five hundred places are remembered, the oldest is forgotten for one more', async () => {
    await using provider = fakeOpenMeteo()
    const weather = weatherOf(provider)
    const ask = (n: number) => weather.forecast({ latitude: n / 100, longitude: 0 })
    for (let n = 0; n < 501; n++) await ask(n)
    expect(provider.asked).toHaveLength(501)
    for (let n = 500; n > 0; n--) await ask(n)
    expect(provider.asked).toHaveLength(501)
    await ask(0)
    expect(provider.asked).toHaveLength(502)
  })
})
