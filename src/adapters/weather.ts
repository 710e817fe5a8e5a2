import { type Static, type TSchema, Type } from 'typebox'
import { Value } from 'typebox/value'
import type { Clock } from '../lib/ports/clock'
import type { DayForecast, Forecast, Place, Weather } from '../lib/ports/weather'
import { cut } from '../lib/text'
import { addSeconds, isDay, parseDateTime } from '../lib/time/time'
import { zoneNamed } from '../lib/time/zone-names'
import { fetchJson, UnusableAnswerError } from './bounded-json'
import { RecentAnswers } from './recent-answers'

const BOUNDS = { deadlineMs: 5000, maxBytes: 1_048_576 }
const MAX_AGE_MS = 10 * 60_000
const MAX_ENTRIES = 500
const CANDIDATES = 10
const DAYS = 7
const MAX_TEXT = 200
/** About a kilometre: as precise as the provider's models, without revealing anybody's house. */
const STEPS_PER_DEGREE = 100

const maybe = <T extends TSchema>(schema: T) => Type.Union([schema, Type.Null()])
const text = () => Type.Optional(maybe(Type.String()))
// `Type.Number` rejects infinite numbers, which JSON can express, such as 1e999.
const figures = () => Type.Array(maybe(Type.Number()))

const Geocoded = Type.Object({
  // The provider reports errors as `{ error: true, reason }`, sometimes with status 200.
  error: Type.Optional(Type.Literal(false)),
  results: Type.Optional(
    Type.Array(
      Type.Object({
        name: Type.String(),
        latitude: Type.Number({ minimum: -90, maximum: 90 }),
        longitude: Type.Number({ minimum: -180, maximum: 180 }),
        admin1: text(),
        country: text(),
        country_code: text(),
        timezone: text(),
      }),
    ),
  ),
})

const Forecasted = Type.Object({
  utc_offset_seconds: Type.Integer({ minimum: -86_400, maximum: 86_400 }),
  current: Type.Object({
    time: Type.String(),
    temperature_2m: Type.Number(),
    apparent_temperature: Type.Number(),
    weather_code: Type.Integer(),
    wind_speed_10m: Type.Number(),
    relative_humidity_2m: Type.Number(),
  }),
  daily: Type.Object({
    time: Type.Array(Type.String()),
    weather_code: Type.Array(maybe(Type.Integer())),
    temperature_2m_min: figures(),
    temperature_2m_max: figures(),
    precipitation_sum: figures(),
  }),
})

interface WeatherOptions {
  /** Complete endpoints. The parameters of each request are added to their own (such as an API key). */
  readonly geocoderUrl: string
  readonly forecastUrl: string
  readonly clock: Pick<Clock, 'monotonic'>
  readonly deadlineMs?: number
}

/**
 * Open-Meteo, with responses cached for ten minutes.
 *
 * Places (https://open-meteo.com/en/docs/geocoding-api): sends `name`, `count`, `language` and `format`. Reads `name`, `admin1`,
 * `country`, `country_code`, `latitude`, `longitude` and `timezone` of each of `results`, which is missing when there are none.
 *
 * Forecasts (https://open-meteo.com/en/docs): sends `latitude`, `longitude`, `current`, `daily`, `timezone=auto`, `forecast_days`
 * and the metric units. Times have no offset and are in the place's time zone.
 */
export function createWeather({ geocoderUrl, forecastUrl, clock, ...given }: WeatherOptions): Weather {
  const bounds = { ...BOUNDS, ...given }
  const memory = { maxAgeMs: MAX_AGE_MS, maxEntries: MAX_ENTRIES, nowMs: () => clock.monotonic() }
  const searches = new RecentAnswers<readonly Place[]>(memory)
  const forecasts = new RecentAnswers<Forecast>(memory)
  const ask = async (endpoint: string, parameters: Readonly<Record<string, string>>) => {
    const url = new URL(endpoint)
    for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value)
    return fetchJson(url, bounds)
  }
  return {
    search: (query) => {
      const name = query.trim().replaceAll(/\s+/gu, ' ')
      return searches.get(name.toLowerCase(), async () => toPlaces(await ask(geocoderUrl, placesOf(name))))
    },
    forecast: ({ latitude, longitude }) => {
      const [lat, lon] = [rounded(latitude), rounded(longitude)]
      return forecasts.get(`${lat} ${lon}`, async () =>
        toForecast(await ask(forecastUrl, forecastAt(lat, lon))),
      )
    },
  }
}

/** Adding zero turns -0 into 0. */
const rounded = (degrees: number) => String(Math.round(degrees * STEPS_PER_DEGREE) / STEPS_PER_DEGREE + 0)

const placesOf = (name: string) => ({ name, count: String(CANDIDATES), language: 'en', format: 'json' })

const forecastAt = (latitude: string, longitude: string) => ({
  latitude,
  longitude,
  current: Object.keys(Forecasted.properties.current.properties).filter(isVariable).join(','),
  daily: Object.keys(Forecasted.properties.daily.properties).filter(isVariable).join(','),
  timezone: 'auto',
  forecast_days: String(DAYS),
  temperature_unit: 'celsius',
  wind_speed_unit: 'kmh',
  precipitation_unit: 'mm',
})

/** The provider sends `time` in any case. */
const isVariable = (name: string) => name !== 'time'

/** @throws {UnusableAnswerError} */
function checked<T extends TSchema>(schema: T, answer: unknown): Static<T> {
  if (!Value.Check(schema, answer)) throw new UnusableAnswerError('answered in another shape')
  return answer
}

const tidy = (given: string | null | undefined) => cut(given ?? '', MAX_TEXT).trim() || null

function toPlaces(answer: unknown): Place[] {
  const { results = [] } = checked(Geocoded, answer)
  return results.slice(0, CANDIDATES).flatMap((place) => {
    const name = tidy(place.name)
    if (name === null) return []
    return {
      name,
      state: tidy(place.admin1),
      country: tidy(place.country),
      countryCode: tidy(place.country_code),
      latitude: place.latitude,
      longitude: place.longitude,
      timeZone: zoneNamed(tidy(place.timezone) ?? '') ?? null,
    }
  })
}

function toForecast(answer: unknown): Forecast {
  const { current, daily, utc_offset_seconds: offset } = checked(Forecasted, answer)
  const local = parseDateTime('UTC', current.time)
  const days = daily.time.slice(0, DAYS).flatMap((_, index) => toDay(daily, index) ?? [])
  if (!local || days.length === 0) throw new UnusableAnswerError('answered without times')
  return {
    current: {
      at: addSeconds(local, -offset),
      temperature: current.temperature_2m,
      apparentTemperature: current.apparent_temperature,
      weatherCode: current.weather_code,
      windSpeed: current.wind_speed_10m,
      humidity: current.relative_humidity_2m,
    },
    daily: days,
  }
}

/** Undefined for a day with missing values, as at the end of a model's range. */
function toDay(daily: Static<typeof Forecasted>['daily'], index: number): DayForecast | undefined {
  const at = (list: ReadonlyArray<number | null>) => list[index] ?? Number.NaN
  const day = {
    date: daily.time[index] ?? '',
    weatherCode: at(daily.weather_code),
    temperatureMin: at(daily.temperature_2m_min),
    temperatureMax: at(daily.temperature_2m_max),
    precipitation: at(daily.precipitation_sum),
  }
  return isDay(day.date) && !Object.values(day).some(Number.isNaN) ? day : undefined
}
