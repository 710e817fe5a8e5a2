/** Open-Meteo's documented answers: https://open-meteo.com/en/docs/geocoding-api and https://open-meteo.com/en/docs. */
export const PLACES = {
  results: [
    {
      id: 2_950_159,
      name: 'Berlin',
      latitude: 52.52437,
      longitude: 13.41053,
      elevation: 74,
      feature_code: 'PPLC',
      country_code: 'DE',
      admin1_id: 2_950_157,
      timezone: 'Europe/Berlin',
      population: 3_426_354,
      postcodes: ['10967', '13347'],
      country_id: 2_921_044,
      country: 'Germany',
      admin1: 'State of Berlin',
    },
    {
      id: 5_083_330,
      name: 'Berlin',
      latitude: 44.46867,
      longitude: -71.18508,
      elevation: 311,
      feature_code: 'PPL',
      country_code: 'US',
      timezone: 'America/New_York',
      country: 'United States',
      admin1: 'New Hampshire',
    },
  ],
  generationtime_ms: 0.7,
}

/** Of a place two hours ahead of UTC. */
export const FORECAST = {
  latitude: 52.52,
  longitude: 13.419,
  generationtime_ms: 0.2,
  utc_offset_seconds: 7200,
  timezone: 'Europe/Helsinki',
  timezone_abbreviation: 'GMT+2',
  elevation: 38,
  current_units: {
    time: 'iso8601',
    interval: 'seconds',
    temperature_2m: '°C',
    apparent_temperature: '°C',
    weather_code: 'wmo code',
    wind_speed_10m: 'km/h',
    relative_humidity_2m: '%',
  },
  current: {
    time: '2026-03-04T11:15',
    interval: 900,
    temperature_2m: 4.2,
    apparent_temperature: -0.4,
    weather_code: 3,
    wind_speed_10m: 18.4,
    relative_humidity_2m: 71,
  },
  daily_units: {
    time: 'iso8601',
    weather_code: 'wmo code',
    temperature_2m_min: '°C',
    temperature_2m_max: '°C',
    precipitation_sum: 'mm',
  },
  daily: {
    time: ['2026-03-04', '2026-03-05'],
    weather_code: [3, 61],
    temperature_2m_min: [-1.5, 0],
    temperature_2m_max: [6.1, 5.4],
    precipitation_sum: [0, 12.3],
  },
}

/** A server in Open-Meteo's place, and the environment that leads to it. `asked` are the requests that it got. */
export function fakeOpenMeteo(answer: (url: URL) => Response | Promise<Response> = answerAsDocumented) {
  const asked: URL[] = []
  const server = Bun.serve({
    hostname: '127.0.0.1',
    port: 0,
    fetch: (request) => {
      const url = new URL(request.url)
      asked.push(url)
      return answer(url)
    },
  })
  return {
    asked,
    env: { GEOCODER_URL: `${server.url}v1/search`, FORECAST_URL: `${server.url}v1/forecast` },
    [Symbol.asyncDispose]: () => server.stop(true),
  }
}

const answerAsDocumented = ({ pathname }: URL) => Response.json(pathname === '/v1/search' ? PLACES : FORECAST)
