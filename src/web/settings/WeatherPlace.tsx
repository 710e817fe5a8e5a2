import { useEffect, useId, useState } from 'react'
import type { LocationView } from '../../features/overview/weather/model'
import { call, queryOf } from '../api/call'
import { type Refusal, refusalOf } from '../api/refusal'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { Status } from '../parts/Status'
import { SuggestField } from '../parts/SuggestField'
import { useChangeSettings, useSettings } from './data'

const messages = defineMessages({
  en: {
    title: 'Weather',
    about: 'Today shows the weather at this place.',
    place: 'Place',
    hint: 'Type a name or a postal code, and choose from the list.',
    none: 'No place of this name was found.',
    unanswered: 'The weather service does not answer at the moment. Try again later.',
    chosen: (city: string, where: string) => `${city} (${where})`,
    unnamed: 'A place',
    remove: 'Remove the place',
  },
  de: {
    title: 'Wetter',
    about: 'Die Seite „Heute“ zeigt das Wetter an diesem Ort.',
    place: 'Ort',
    hint: 'Namen oder Postleitzahl eingeben und aus der Liste wählen.',
    none: 'Ein Ort dieses Namens ist nicht bekannt.',
    unanswered: 'Der Wetterdienst antwortet gerade nicht. Bitte später noch einmal versuchen.',
    chosen: (city, where) => `${city} (${where})`,
    unnamed: 'Ein Ort',
    remove: 'Ort entfernen',
  },
})

/** The place whose weather Today shows. */
export function WeatherPlace() {
  const m = useMessages(messages)
  const id = useId()
  const where = useWhere()
  const { weather_city: city, weather_lat: latitude, weather_lon: longitude } = useSettings()
  const change = useChangeSettings()
  const isSet = latitude !== null && longitude !== null
  const save = (place: LocationView) =>
    change(
      { weather_city: place.name, weather_lat: place.latitude, weather_lon: place.longitude },
      m.chosen(place.name, where(place.latitude, place.longitude)),
    )
  const remove = () => change({ weather_city: null, weather_lat: null, weather_lon: null }, m.remove)
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{m.title}</h2>
      <p className="settings-lead">{m.about}</p>
      {isSet && (
        <p className="actions">
          <strong>{m.chosen(city ?? m.unnamed, where(latitude, longitude))}</strong>
          <Button onClick={remove}>{m.remove}</Button>
        </p>
      )}
      <PlaceField onChoose={save} />
    </section>
  )
}

/** Writes coordinates as people do: “52.5° N, 13.4° E”. */
function useWhere() {
  const locale = useLocale()
  return (latitude: number, longitude: number): string => {
    const degrees = (value: number) =>
      `${Math.abs(value).toLocaleString(locale, { maximumFractionDigits: 1 })}°`
    const east = locale.startsWith('de') ? 'O' : 'E'
    return `${degrees(latitude)} ${latitude < 0 ? 'S' : 'N'}, ${degrees(longitude)} ${longitude < 0 ? 'W' : east}`
  }
}

function PlaceField({ onChoose }: { readonly onChoose: (place: LocationView) => void }) {
  const m = useMessages(messages)
  const [typed, setTyped] = useState('')
  const { places, problem } = usePlaces(typed.trim())
  const isNone = places?.length === 0
  return (
    <>
      <SuggestField
        label={m.place}
        hint={m.hint}
        problem={problem}
        value={typed}
        onChange={setTyped}
        options={(places ?? []).map((place, index) => ({ value: String(index), label: labelOf(place) }))}
        onChoose={(value) => {
          const place = places?.[Number(value)]
          if (place) onChoose(place)
          setTyped('')
        }}
      />
      <Status isVisible>{isNone && m.none}</Status>
    </>
  )
}

const labelOf = ({ name, state, country }: LocationView): string =>
  [name, state, country].filter(Boolean).join(', ')

const PAUSE_MS = 250

interface FoundPlaces {
  readonly query: string
  readonly places?: readonly LocationView[]
  readonly refusal?: Refusal
}

/** The places that fit what is typed, once it rests. */
function usePlaces(query: string) {
  const m = useMessages(messages)
  const { sentence } = useRefusals()
  const [found, setFound] = useState<FoundPlaces>({ query: '' })
  useEffect(() => {
    if (query.length < 2) return
    const ends = new AbortController()
    const timer = setTimeout(() => void search(query, ends.signal, setFound), PAUSE_MS)
    return () => {
      clearTimeout(timer)
      ends.abort()
    }
  }, [query])
  const { places, refusal } = found.query === query ? found : {}
  return { places, problem: refusal && (refusal.status === 502 ? m.unanswered : sentence(refusal)) }
}

async function search(query: string, signal: AbortSignal, tell: (found: FoundPlaces) => void): Promise<void> {
  try {
    const { body } = await call<{ locations: LocationView[] }>(
      'GET',
      `weather/search${queryOf({ q: query })}`,
      {
        signal,
      },
    )
    tell({ query, places: body.locations })
  } catch (error) {
    if (signal.aborted) return
    const refusal = refusalOf(error)
    if (!refusal) throw error
    tell({ query, refusal })
  }
}
