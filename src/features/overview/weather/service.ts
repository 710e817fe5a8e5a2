import type { Deps } from '../../../deps'
import { AppError, badGateway } from '../../../lib/errors'
import type { Forecast, Place } from '../../../lib/ports/weather'
import { formatInstant } from '../../../lib/time/time'
import { type Owner } from '../../../access/sessions/service'
import { settingsOf } from '../../../access/reader/service'
import type { LocationView, WeatherView } from './model'

/** Used for every failure of the provider. */
const unanswered = (cause: unknown) => badGateway('The weather service did not answer', cause)

/** Returns candidates for a place, the best match first. @throws {AppError} 502. */
export async function searchLocations(
  { weather }: Pick<Deps, 'weather'>,
  query: string,
): Promise<LocationView[]> {
  const places = await weather.search(query).catch((cause: unknown) => {
    throw unanswered(cause)
  })
  return places.map(toLocationView)
}

/** Returns the weather at the user's saved place. @throws {AppError} 404 when there is none, 502. */
export async function readWeather(
  { weather, config }: Pick<Deps, 'weather' | 'config'>,
  owner: Owner | undefined,
): Promise<WeatherView> {
  const { weatherCity: city, weatherLat: latitude, weatherLon: longitude } = settingsOf(owner)
  if (latitude === null || longitude === null) throw new AppError('not_found', 'No location is set')
  const forecast = await weather.forecast({ latitude, longitude }).catch((cause: unknown) => {
    throw unanswered(cause)
  })
  return { location: { city, latitude, longitude }, ...toForecastView(config.timeZone, forecast) }
}

const toLocationView = (place: Place): LocationView => ({
  name: place.name,
  state: place.state,
  country: place.country,
  country_code: place.countryCode,
  latitude: place.latitude,
  longitude: place.longitude,
  time_zone: place.timeZone,
})

const toForecastView = (zone: string, { current, daily }: Forecast) => ({
  current: {
    time: formatInstant(zone, current.at),
    temperature: current.temperature,
    apparent_temperature: current.apparentTemperature,
    weather_code: current.weatherCode,
    wind_speed: current.windSpeed,
    humidity: current.humidity,
  },
  daily: daily.map((day) => ({
    date: day.date,
    weather_code: day.weatherCode,
    temperature_min: day.temperatureMin,
    temperature_max: day.temperatureMax,
    precipitation: day.precipitation,
  })),
})
