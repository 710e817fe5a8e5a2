import { useId } from 'react'
import { Link } from 'wouter'
import type { WeatherView } from '../../features/overview/weather/model'
import { call } from '../api/call'
import { useAnswer } from '../api/use-answer'
import { PATTERNS } from '../app/addresses'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useSignedIn } from '../session/use-session'
import { weekdayName } from '../time/format'
import { weatherWords, wordOf } from './weather-words'

const messages = defineMessages({
  en: {
    weather: 'Weather',
    at: (place: string) => `Weather in ${place}`,
    unplaced: 'Today can show the weather at a place of your choice.',
    choose: 'Choose a place',
    unanswered: 'The weather service did not answer.',
    feels: (temperature: string) => `Feels like ${temperature}`,
    wind: (speed: string) => `Wind ${speed}`,
    range: (low: string, high: string) => `${low} to ${high}`,
  },
  de: {
    weather: 'Wetter',
    at: (place) => `Wetter in ${place}`,
    unplaced: 'Hier kann das Wetter an einem Ort nach Wahl stehen.',
    choose: 'Ort wählen',
    unanswered: 'Der Wetterdienst hat nicht geantwortet.',
    feels: (temperature) => `Gefühlt ${temperature}`,
    wind: (speed) => `Wind ${speed}`,
    range: (low, high) => `${low} bis ${high}`,
  },
})

/** The weather at the user's place, or the way to choose one. */
export function WeatherCard() {
  const m = useMessages(messages)
  const id = useId()
  const { weather_lat: latitude, weather_lon: longitude, weather_city: city } = useSignedIn().settings
  return (
    <section aria-labelledby={id} className="today-weather">
      <h2 id={id}>{city === null || latitude === null ? m.weather : m.at(city)}</h2>
      {latitude === null ? (
        <>
          <p>{m.unplaced}</p>
          <Link href={PATTERNS.settingsTimes}>{m.choose}</Link>
        </>
      ) : (
        <Forecast key={`${latitude} ${longitude}`} />
      )}
    </section>
  )
}

const readWeather = async (): Promise<WeatherView> => (await call<WeatherView>('GET', 'weather')).body

/** It fails alone: the day is there without it. */
function Forecast() {
  const m = useMessages(messages)
  const words = useMessages(weatherWords)
  const units = useUnits()
  const { value, refusal, again } = useAnswer(readWeather)
  if (refusal) {
    const sentence = refusal.status === 502 || refusal.status === 404 ? { sentence: m.unanswered } : {}
    return <ProblemNote refusal={refusal} {...sentence} onTryAgain={again} />
  }
  if (!value) return <Skeleton lines={3} />
  const { current, daily } = value
  return (
    <>
      <p className="today-weather-now">
        <b>{units.degrees(current.temperature)}</b> {words[wordOf(current.weather_code)]}
      </p>
      <p>
        {m.feels(units.degrees(current.apparent_temperature))} · {m.wind(units.speed(current.wind_speed))}
      </p>
      <ul aria-label={m.weather}>
        {daily.slice(0, 4).map((day) => (
          <li key={day.date} className="today-weather-day">
            <span>{units.weekday(day.date)}</span>
            <span>{words[wordOf(day.weather_code)]}</span>
            <span>{m.range(units.degrees(day.temperature_min), units.degrees(day.temperature_max))}</span>
          </li>
        ))}
      </ul>
    </>
  )
}

function useUnits() {
  const locale = useLocale()
  const unit = (value: number, name: string) =>
    value.toLocaleString(locale, { style: 'unit', unit: name, maximumFractionDigits: 0 })
  return {
    degrees: (value: number) => unit(value, 'celsius'),
    speed: (value: number) => unit(value, 'kilometer-per-hour'),
    weekday: (date: string) => weekdayName(Temporal.PlainDate.from(date), locale),
  }
}
