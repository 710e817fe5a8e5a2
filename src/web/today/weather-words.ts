import { defineMessages } from '../messages/messages'

/** What the codes of the World Meteorological Organization mean, by their tens and what is apart. */
export const weatherWords = defineMessages({
  en: {
    clear: 'Clear',
    fair: 'Partly cloudy',
    overcast: 'Overcast',
    fog: 'Fog',
    drizzle: 'Drizzle',
    rain: 'Rain',
    snow: 'Snow',
    showers: 'Showers',
    snowShowers: 'Snow showers',
    thunder: 'Thunderstorm',
    unknown: 'Changeable',
  },
  de: {
    clear: 'Klar',
    fair: 'Teils bewölkt',
    overcast: 'Bedeckt',
    fog: 'Nebel',
    drizzle: 'Nieselregen',
    rain: 'Regen',
    snow: 'Schnee',
    showers: 'Schauer',
    snowShowers: 'Schneeschauer',
    thunder: 'Gewitter',
    unknown: 'Wechselhaft',
  },
})

type WeatherWord = keyof (typeof weatherWords)['en']

/** Each from its code on. */
const FROM: ReadonlyArray<readonly [code: number, word: WeatherWord]> = [
  [0, 'clear'], [1, 'fair'], [3, 'overcast'], [45, 'fog'], [51, 'drizzle'], [61, 'rain'], [71, 'snow'],
  [80, 'showers'], [85, 'snowShowers'], [95, 'thunder'],
] // prettier-ignore

export const wordOf = (code: number): WeatherWord => FROM.findLast(([from]) => code >= from)?.[1] ?? 'unknown'
