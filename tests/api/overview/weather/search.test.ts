import { afterAll, describe, expect, test } from 'bun:test'
import { startHarness } from '../../../support/harness'
import { fakeOpenMeteo } from '../../../support/open-meteo'
import { useHarness } from '../../../support/use-harness'

const provider = fakeOpenMeteo()
const h = useHarness({ env: provider.env })
afterAll(() => provider[Symbol.asyncDispose]())

const SEARCH = '/api/weather/search'

describe('GET /api/weather/search', () => {
  test('answers several candidates with their state and country', async () => {
    const ada = await h.signedIn()
    const { status, body } = await ada.request('GET', `${SEARCH}?q=Berlin`)
    expect([status, body]).toEqual([
      200,
      {
        locations: [
          {
            name: 'Berlin',
            state: 'State of Berlin',
            country: 'Germany',
            country_code: 'DE',
            latitude: 52.52437,
            longitude: 13.41053,
            time_zone: 'Europe/Berlin',
          },
          {
            name: 'Berlin',
            state: 'New Hampshire',
            country: 'United States',
            country_code: 'US',
            latitude: 44.46867,
            longitude: -71.18508,
            time_zone: 'America/New_York',
          },
        ],
      },
    ])
  })

  test('answers an empty list where nothing is found', async () => {
    await using nothing = fakeOpenMeteo(() => Response.json({ generationtime_ms: 0.5 }))
    await using other = await startHarness({ env: nothing.env })
    const ada = await other.signedIn()
    const { status, body } = await ada.request('GET', `${SEARCH}?q=Nowhere`)
    expect([status, body]).toEqual([200, { locations: [] }])
  })

  test('asks once for what differs in case and spaces, and again after ten minutes', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    const before = provider.asked.length
    await ada.request('GET', `${SEARCH}?q=New%20York`)
    await bob.request('GET', `${SEARCH}?q=%20new%20%20york`)
    expect(provider.asked.length - before).toBe(1)
    h.clock.advance({ minutes: 10 })
    await ada.request('GET', `${SEARCH}?q=New%20York`)
    expect(provider.asked.length - before).toBe(2)
  })

  test('the saved settings take a candidate as it is', async () => {
    const ada = await h.signedIn()
    const [{ name, latitude, longitude, time_zone }] = (await ada.request('GET', `${SEARCH}?q=Berlin`)).body
      .locations
    const saved = await ada.request('PUT', '/api/settings', {
      body: { weather_city: name, weather_lat: latitude, weather_lon: longitude, time_zone },
    })
    expect(saved.status).toBe(200)
  })

  test.each([
    ['', 'q: is required'],
    ['?q=', 'q: must be at least 2 characters'],
    ['?q=%20a%20', 'q: must be at least 2 characters'],
    [`?q=${'a'.repeat(101)}`, 'q: must be at most 100 characters'],
    ['?q=a%00b', 'q: must not contain U+0000 or lone surrogates'],
  ])('refuses %s and asks nobody', async (query, detail) => {
    const ada = await h.signedIn()
    const before = provider.asked.length
    const refused = await ada.request('GET', `${SEARCH}${query}`)
    expect([refused.status, refused.body.detail]).toEqual([422, detail])
    expect(provider.asked).toHaveLength(before)
  })

  test('sends what is searched as one parameter, whatever it holds', async () => {
    const ada = await h.signedIn()
    await ada.request('GET', `${SEARCH}?q=${encodeURIComponent('a&count=100#ü')}`)
    const asked = provider.asked.at(-1)?.searchParams
    expect([asked?.get('name'), asked?.getAll('count')]).toEqual(['a&count=100#ü', ['10']])
  })

  test('answers 502 where the provider cannot be reached, and says why in the log only', async () => {
    await using alone = await startHarness()
    const ada = await alone.signedIn()
    const { status, body } = await ada.request('GET', `${SEARCH}?q=Berlin`)
    expect([status, body]).toEqual([502, { detail: 'The weather service did not answer' }])
    const [entry] = alone.log.entries.filter(({ level }) => level === 'warn')
    expect(entry).toMatchObject({
      message: 'The weather service did not answer',
      fields: { reason: 'ECONNREFUSED' },
    })
    expect(JSON.stringify(alone.log.entries)).not.toContain('Berlin')
  })
})
