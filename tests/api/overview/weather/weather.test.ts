import { afterAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { settings } from '../../../../src/db/schema'
import { type Actor, startHarness } from '../../../support/harness'
import { fakeOpenMeteo, FORECAST } from '../../../support/open-meteo'
import { useHarness } from '../../../support/use-harness'

const provider = fakeOpenMeteo()
const h = useHarness({ env: provider.env })
afterAll(() => provider[Symbol.asyncDispose]())

const WEATHER = '/api/weather'
const live = (user: Actor, weather_lat: number, weather_lon: number, weather_city: string | null = null) =>
  user.request('PUT', '/api/settings', { body: { weather_city, weather_lat, weather_lon } })

describe('GET /api/weather', () => {
  test('answers the weather at the saved place, the time in the zone of the server, the days those of the place', async () => {
    const ada = await h.signedIn()
    await live(ada, 60.16952, 24.93545, 'Helsinki')
    const { status, body } = await ada.request('GET', WEATHER)
    expect([status, body]).toEqual([
      200,
      {
        location: { city: 'Helsinki', latitude: 60.16952, longitude: 24.93545 },
        current: {
          time: '2026-03-04T10:15:00+01:00',
          temperature: 4.2,
          apparent_temperature: -0.4,
          weather_code: 3,
          wind_speed: 18.4,
          humidity: 71,
        },
        daily: [
          {
            date: '2026-03-04',
            weather_code: 3,
            temperature_min: -1.5,
            temperature_max: 6.1,
            precipitation: 0,
          },
          {
            date: '2026-03-05',
            weather_code: 61,
            temperature_min: 0,
            temperature_max: 5.4,
            precipitation: 12.3,
          },
        ],
      },
    ])
  })

  test('answers 404 where no place is saved, and asks nobody', async () => {
    const ada = await h.signedIn()
    await ada.request('PUT', '/api/settings', { body: { weather_city: 'Berlin' } })
    const before = provider.asked.length
    const { status, body } = await ada.request('GET', WEATHER)
    expect([status, body]).toEqual([404, { detail: 'No location is set' }])
    expect(provider.asked).toHaveLength(before)
  })

  test('takes the place without the name of a city, and the place where both degrees are zero', async () => {
    const ada = await h.signedIn()
    await live(ada, 0, 0)
    const { status, body } = await ada.request('GET', WEATHER)
    expect([status, body.location]).toEqual([200, { city: null, latitude: 0, longitude: 0 }])
  })

  test('asks once for neighbours within ten minutes, shows each their own place and the provider none of them', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    await live(ada, 48.13743, 11.57549, 'Ada’s house')
    await live(bob, 48.14199, 11.58001, 'Bob’s house')
    const before = provider.asked.length
    const [first, second] = [await ada.request('GET', WEATHER), await bob.request('GET', WEATHER)]
    expect([first.body.location.latitude, second.body.location.city]).toEqual([48.13743, 'Bob’s house'])
    expect(provider.asked.slice(before).map(({ searchParams }) => searchParams.get('latitude'))).toEqual([
      '48.14',
    ])
    expect(provider.asked.at(-1)?.href).not.toContain('house')
    h.clock.advance({ minutes: 10 })
    await ada.request('GET', WEATHER)
    expect(provider.asked).toHaveLength(before + 2)
  })

  test('a place that is moved is asked for anew', async () => {
    const ada = await h.signedIn()
    const before = provider.asked.length
    await live(ada, 40, -75)
    await ada.request('GET', WEATHER)
    await live(ada, -40, 75)
    const { body } = await ada.request('GET', WEATHER)
    expect([body.location.latitude, provider.asked.length - before]).toEqual([-40, 2])
  })

  test('answers 502 where the provider fails, and the weather as soon as it answers again', async () => {
    let isDown = true
    await using moody = fakeOpenMeteo(() =>
      isDown ? new Response('busy', { status: 503 }) : Response.json(FORECAST),
    )
    await using other = await startHarness({ env: moody.env })
    const ada = await other.signedIn()
    await live(ada, 52.5, 13.4)
    const { status, body } = await ada.request('GET', WEATHER)
    expect([status, body]).toEqual([502, { detail: 'The weather service did not answer' }])
    isDown = false
    expect((await ada.request('GET', WEATHER)).status).toBe(200)
  })

  test('answers 500 to a user without settings, as the specification says', async () => {
    const ada = await h.signedIn()
    await h.db.delete(settings).where(eq(settings.userId, ada.row.id))
    const { status, body } = await ada.request('GET', WEATHER)
    expect([status, body]).toEqual([500, { detail: 'Settings not found for user' }])
  })
})
