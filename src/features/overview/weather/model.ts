import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { line } from '../../../lib/wire/schema'

export const LocationQuery = t.Object({
  q: line({ min: 2, max: 100, description: 'A name, or a postal code.', examples: ['Berlin'] }),
})

const LocationView = t.Object(
  {
    name: t.String(),
    state: t.Nullable(t.String()),
    country: t.Nullable(t.String()),
    country_code: t.Nullable(t.String({ description: 'ISO 3166-1 alpha-2.' })),
    latitude: Type.Number(),
    longitude: Type.Number(),
    time_zone: t.Nullable(t.String({ description: 'IANA name.' })),
  },
  { title: 'Location' },
)
export type LocationView = typeof LocationView.static

export const LocationsView = t.Object({ locations: t.Array(LocationView) })

const weatherCode = () => Type.Integer({ description: 'WMO weather interpretation code.' })

export const WeatherView = t.Object({
  location: t.Object({
    city: t.Nullable(t.String()),
    latitude: Type.Number(),
    longitude: Type.Number(),
  }),
  current: t.Object({
    time: t.String({ format: 'date-time' }),
    temperature: Type.Number({ description: 'Degrees Celsius.' }),
    apparent_temperature: Type.Number({ description: 'Degrees Celsius.' }),
    weather_code: weatherCode(),
    wind_speed: Type.Number({ description: 'Kilometres per hour.' }),
    humidity: Type.Number({ description: 'Per cent.' }),
  }),
  daily: t.Array(
    t.Object({
      date: t.String({ format: 'date', description: "In the place's time zone." }),
      weather_code: weatherCode(),
      temperature_min: Type.Number({ description: 'Degrees Celsius.' }),
      temperature_max: Type.Number({ description: 'Degrees Celsius.' }),
      precipitation: Type.Number({ description: 'Millimetres.' }),
    }),
  ),
})
export type WeatherView = typeof WeatherView.static
