import { every, type Repeat } from '../recurrence/rule'
import {
  dated, dayReader, form, type Form, type Grammar, type Groups, type Meaning, type NamedDay, oneOf, placed, plain, repeats,
  type Surroundings,
} from './grammar' // prettier-ignore
import {
  dayOf,
  minutesFromNow,
  nextDay,
  nextNumbered,
  nextWeekday,
  spanOf,
  timeOf,
  usualHour,
} from './reading'

const WEEKDAYS = {
  montag: 1, dienstag: 2, mittwoch: 3, donnerstag: 4, freitag: 5, samstag: 6, sonnabend: 6, sonntag: 7,
} as const // prettier-ignore
/** Some are words of their own ("so", "mi"). */
const SHORT_WEEKDAYS = { mo: 1, di: 2, mi: 3, do: 4, fr: 5, sa: 6, so: 7 } as const
const MONTHS = {
  januar: 1, jänner: 1, februar: 2, märz: 3, april: 4, mai: 5, juni: 6, juli: 7, august: 8, september: 9, oktober: 10,
  november: 11, dezember: 12, jan: 1, feb: 2, mär: 3, apr: 4, jun: 6, jul: 7, aug: 8, sept: 9, sep: 9, okt: 10, nov: 11,
  dez: 12,
} as const // prettier-ignore
const NUMBERS = {
  ein: 1, eine: 1, einem: 1, einen: 1, einer: 1, zwei: 2, drei: 3, vier: 4, fünf: 5, sechs: 6, sieben: 7, acht: 8, neun: 9,
  zehn: 10, elf: 11, zwölf: 12,
} as const // prettier-ignore
const PLACES = { ersten: 1, zweiten: 2, dritten: 3, vierten: 4, fünften: 5, letzten: -1 } as const
const UNITS = {
  tag: 'DAILY', tage: 'DAILY', woche: 'WEEKLY', wochen: 'WEEKLY', monat: 'MONTHLY', monate: 'MONTHLY', jahr: 'YEARLY',
  jahre: 'YEARLY',
} as const // prettier-ignore

const WEEKDAY = oneOf(WEEKDAYS)
const SHORT = `(?:${oneOf(SHORT_WEEKDAYS)})\\.?`
const ANY_WEEKDAY = `${WEEKDAY}|${SHORT}`
const MONTH = oneOf(MONTHS)
const NUMBER = `\\d+|${oneOf(NUMBERS)}`
const NTH = `[1-5]\\.|${oneOf(PLACES)}`
const DASH = '\\s*[-–—]\\s*|\\s+bis(?: zum)?\\s+'

const known = (names: Readonly<Record<string, number>>, word = ''): number =>
  names[word.toLowerCase().replace('.', '')] ?? 0
const weekday = (word = '') => known({ ...WEEKDAYS, ...SHORT_WEEKDAYS }, word)
const month = (word = '') => known(MONTHS, word)
const number = (word = '1') => known(NUMBERS, word) || Number(word)
const place = (word = '') => known(PLACES, word) || Number.parseInt(word, 10)
const relative: Readonly<Record<string, number>> = { heute: 0, morgen: 1, übermorgen: 2 }

/** Days that mean the same anywhere at the end of a line. */
const DAYS: readonly NamedDay[] = [
  ['(heute|übermorgen)(?: abend)?', ([word = ''], { today }) => today.add({ days: relative[word.toLowerCase()] ?? 0 })],
  [`(?:diesen |kommenden )?(${WEEKDAY})`, ([word], around) => nextWeekday(around, weekday(word))],
  [`(?:diesen |kommenden )(${ANY_WEEKDAY})`, ([word], around) => nextWeekday(around, weekday(word))],
  [`nächsten (${ANY_WEEKDAY})`, ([word], around) => nextWeekday(around, weekday(word), true)],
  [`(?:(?:${ANY_WEEKDAY}),? )?(\\d{4})-(\\d\\d)-(\\d\\d)`, ([y, m, d]) => dayOf(Number(y), Number(m), Number(d))],
  [
    `(?:(?:${ANY_WEEKDAY}),? (?:de[nm] )?)?(\\d{1,2})\\. ?(${MONTH})\\.?(?: (\\d{4}))?`,
    ([d, m, y], around) => nextDay(around, month(m), Number(d), y),
  ],
  [
    `(?:(?:${ANY_WEEKDAY}),? (?:de[nm] )?)?(\\d{1,2})\\. ?(\\d{1,2})\\.(?: ?(\\d{4}|\\d\\d))?`,
    ([d, m, y], around) => nextDay(around, Number(m), Number(d), y),
  ],
  [
    `in (${NUMBER}) (tag|woche|monat)(?:en|e|n)?`,
    ([n, unit = ''], { today }) => {
      const count = number(n)
      const amount = { tag: { days: count }, woche: { weeks: count }, monat: { months: count } }[unit.toLowerCase()]
      return count > 31 || !amount ? undefined : today.add(amount)
    },
  ],
] // prettier-ignore
/** "Morgen" is also the morning: "Guten Morgen", "jeden Morgen". */
const TOMORROW: NamedDay = ['morgen(?: abend)?', (_, { today }) => today.add({ days: 1 })]
const WEAK_DAYS: readonly NamedDay[] = [
  [`(${SHORT})`, ([word], around) => nextWeekday(around, weekday(word))],
]
const AFTER_AM: readonly NamedDay[] = [
  ...DAYS,
  ...WEAK_DAYS,
  ['(\\d{1,2})\\.', ([d], around) => nextNumbered(around, Number(d))],
]

const readDay = dayReader([...DAYS, TOMORROW, ...WEAK_DAYS])

function readSpan([from = '', to = '']: Groups, around: Surroundings): Meaning | undefined {
  // "3.–7. August" and "3. bis 7.8." name their month once.
  const [, tail = ''] = new RegExp(`^\\d{1,2}\\.( ?(?:${MONTH}|\\d{1,2}\\.).*)$`, 'iu').exec(to) ?? []
  const start = readDay(/^\d{1,2}\.?$/.test(from) ? `${from.replace('.', '')}.${tail}` : from, around)
  const end = readDay(to, around)
  const span = start && end && spanOf(start, end)
  return span && { what: 'date', ...span }
}

const CLOCK =
  '(\\d{1,2}:\\d\\d)(?: ?uhr)?|(\\d{1,2}\\.\\d\\d) ?uhr|(\\d{1,2}) ?uhr(?: (\\d\\d))?|(mitternacht)'
const START = '(?:(?:um|ab|gegen|von) )?'
const BARE = '\\d{1,2}(?:[:.]\\d\\d)?'

function readClock(words: string): Temporal.PlainTime | undefined {
  const text = words.trim().toLowerCase()
  if (text === 'mitternacht') return timeOf(0)
  const [, h = '', min] =
    /^(\d{1,2})(?:[:.](\d\d)| ?uhr (\d\d))?/.exec(text)?.flatMap((each) => each ?? []) ?? []
  const isBare = /^\d+$/.test(text)
  return h === '' ? undefined : timeOf(isBare ? usualHour(Number(h)) : Number(h), Number(min ?? 0))
}

const readTime = ([words = '']: Groups): Meaning | undefined => {
  const from = readClock(words)
  return from && { what: 'time', from }
}
function readTimes([first = '', second = '']: Groups): Meaning | undefined {
  // "9–10 Uhr" gives its word to both.
  const from = readClock(/uhr$/i.test(second) && /^\d+$/.test(first) ? `${first} Uhr` : first)
  const to = readClock(second)
  return from && to && { what: 'time', from, to }
}
const readHalf = ([hour = '']: Groups): Meaning | undefined => {
  const full = number(hour)
  const from = full >= 1 && full <= 12 ? timeOf(usualHour(full - 1 || 12), 30) : undefined
  return from && { what: 'time', from }
}

const TIMES = [
  form(`${START}(${plain(CLOCK)})`, readTime),
  form('(?:um|gegen) (\\d{1,2})', readTime),
  form(`(?:um |gegen )?halb (${NUMBER})(?: uhr)?`, readHalf),
  form(`${START}(${BARE}|${plain(CLOCK)})(?:${DASH})(${plain(CLOCK)})`, readTimes),
  form(`${START}(${plain(CLOCK)})(?:${DASH})(${BARE})`, readTimes),
  form(`(?:von|um) (${BARE})(?:${DASH})(${BARE})`, readTimes),
]

const HALVES: Readonly<Record<string, number>> = {
  'eine halbe': 0.5,
  'einer halben': 0.5,
  anderthalb: 1.5,
  eineinhalb: 1.5,
}
const count = (words = '') => HALVES[words.toLowerCase()] ?? number(words.replace(',', '.'))
/** "In 10 Minuten", "in einer halben Stunde". */
const fromNow = (words: string, minutes: (found: number) => number) =>
  form(words, ([n], around) => {
    const from = minutesFromNow(around, minutes(count(n)))
    return from && { what: 'time', from }
  })
const FROM_NOW = [
  fromNow(`in (${NUMBER}) ?(?:min\\.?|minuten?)`, (n) => n),
  fromNow('in einer viertelstunde', () => 15),
  fromNow(
    `in (\\d+[.,]\\d+|${Object.keys(HALVES).join('|')}|${NUMBER}) ?(?:h|std\\.?|stunden?)`,
    (n) => n * 60,
  ),
]

const lasting = (words: string, minutes: (found: number) => number) =>
  form(words, ([n]) =>
    count(n) > 0 ? { what: 'duration', minutes: Math.round(minutes(count(n))) } : undefined,
  )
const DURATIONS = [
  lasting(
    `für (\\d+[.,]\\d+|${Object.keys(HALVES).join('|')}|${NUMBER}) ?(?:h|std\\.?|stunden?)`,
    (n) => n * 60,
  ),
  lasting(
    `(\\d+[.,]\\d+|${Object.keys(HALVES).join('|')}|${NUMBER}) (?:std\\.?|stunden?) lang`,
    (n) => n * 60,
  ),
  lasting(`für (${NUMBER}) ?(?:min\\.?|minuten?)`, (n) => n),
  form('für (\\d+) ?(?:h|std\\.?|stunden?)(?: und)? ?(\\d+) ?(?:min\\.?|minuten)', ([h, m]) => ({
    what: 'duration',
    minutes: Number(h) * 60 + Number(m),
  })),
  form(`für (${NUMBER}) (tag|woche)(?:en|e|n)?`, ([n, unit = '']) => ({
    what: 'days',
    days: number(n) * (unit.toLowerCase() === 'woche' ? 7 : 1),
  })),
]

const unitOf = (unit = '') => UNITS[unit.toLowerCase() as keyof typeof UNITS]
const listed = (words = '') =>
  [...words.matchAll(new RegExp(`\\b(?:${ANY_WEEKDAY})`, 'giu'))].map(([word]) => weekday(word))
const LIST = (ending: string) =>
  `(?:${ANY_WEEKDAY})${ending}(?:(?:,? und |, ?| & |/)(?:jeden )?(?:${ANY_WEEKDAY})${ending})*`
const onDays = (words: string | undefined, interval = 1): Repeat => ({
  ...every('WEEKLY', interval),
  weekdays: listed(words),
})
const nthWeekday = ([n, day]: Groups): Repeat => ({
  ...every('MONTHLY'),
  nth: { place: place(n), weekday: weekday(day) },
})
const NOT_A_NAME = { notAfter: /\b(?:der|die|das|den|dem|mein|meine)$/i }

const REPEATS: readonly Form[] = [
  repeats('täglich|jeden tag', () => every('DAILY'), NOT_A_NAME),
  repeats('wöchentlich|jede woche', () => every('WEEKLY'), NOT_A_NAME),
  repeats('monatlich|jeden monat', () => every('MONTHLY'), NOT_A_NAME),
  repeats('jährlich|jedes jahr', () => every('YEARLY'), NOT_A_NAME),
  repeats('werktags|jeden werktag|an werktagen', () => onDays('mo di mi do fr')),
  repeats('jede[nrs]? (?:zweite[nrs]?|2\\.) (tag|woche|monat|jahr)', ([unit]) => every(unitOf(unit), 2)),
  repeats(`alle (${NUMBER}) (tage|wochen|monate|jahre)`, ([n, unit]) => every(unitOf(unit), number(n))),
  repeats(`jeden (${LIST('')})`, ([days]) => onDays(days)),
  repeats(`((?:${WEEKDAY})s(?:(?:,? und |, ?| & )(?:${WEEKDAY})s)*)`, ([days]) => onDays(days)),
  repeats(`alle (?:2|zwei) wochen (?:am )?(${LIST('')})`, ([days]) => onDays(days, 2)),
  // Without the month, "jeden zweiten Sonntag" is every other Sunday.
  repeats(`jeden (?:2\\.|zweiten) (${ANY_WEEKDAY})`, ([day]) => onDays(day, 2)),
  repeats(`(?:jeden|am) (${NTH}) (${ANY_WEEKDAY}) (?:im|des|jeden|eines jeden) monats?`, nthWeekday),
  repeats(`jeden ((?!2\\.|zweiten)(?:${NTH})) (${ANY_WEEKDAY})`, nthWeekday),
  form('(?:monatlich am|jeden monat am) (\\d{1,2})\\.|(?:jeden|am) (\\d{1,2})\\. (?:im monat|jeden monats|jedes monats|des monats)|jeden (\\d{1,2})\\.', ([a, b, c], around) => {
    const from = nextNumbered(around, Number(a ?? b ?? c))
    return from && { what: 'repeat', repeat: every('MONTHLY'), from }
  }),
  form(`(?:jeden|jährlich am|jedes jahr am) (\\d{1,2})\\. ?(${MONTH})`, ([d, m], around) => {
    const from = nextDay(around, month(m), Number(d))
    return from && { what: 'repeat', repeat: every('YEARLY'), from }
  }),
] // prettier-ignore

/** Words that belong to the day after them, or to the morning. */
const BELONGS =
  /(?:^|\s)(?:guten?|schönen|jeden|am|der|die|das|den|dem|diesen|heute|für|seit|ab|nach|vor|und|oder|von)$/i
const DEADLINE = '(?:fällig|fällig am|bis|bis zum|bis spätestens|spätestens|spätestens am) '
const PROPER = "[\\p{Lu}\\d][\\p{L}\\d’'.&-]*"
const LINKS = 'de|la|le|am|an|der|im|in|zum|zur|und|&|von'
const ROOMS =
  'Raum|Saal|Zimmer|[\\p{L}]+raum|[\\p{L}]+saal|[\\p{L}]*[Bb]üro|Café|Restaurant|Gasthaus|Gasthof|Hotel|Kino|Theater|Museum|Rathaus|Krankenhaus|Stadion|Biergarten|Bibliothek|Kirche|Schule|Kneipe|Bar|Halle|Praxis|Mensa|Kantine|Oper'

export const GERMAN: Grammar = {
  atEnd: [
    ...DAYS.map(([is, read]) => form(is, dated(read), { notAfter: BELONGS })),
    form(TOMORROW[0], dated(TOMORROW[1]), { notAfter: BELONGS }),
    ...WEAK_DAYS.map(([is, read]) => form(is, dated(read), { isWeak: true })),
    ...AFTER_AM.map(([is, read]) => form(`am ${is}`, dated(read))),
    ...[...AFTER_AM, TOMORROW].map(([is, read]) => form(`${DEADLINE}${is}`, dated(read, true))),
    form(`(?:vo[nm] )?(\\S+(?: \\S+)*?)(?:${DASH})(\\S+(?: \\S+)*)`, readSpan),
    ...TIMES,
    ...FROM_NOW,
    ...DURATIONS,
    ...REPEATS,
  ],
  places: [
    placed('@ ?([^@\\s][^@]*)'),
    placed(`(?:[Ii]m|[Ii]n der|[Ii]n) ((?:${ROOMS})(?: (?:(?:${LINKS}) )*${PROPER})*)`),
  ],
  // A noun is a part of the title unless a colon follows it: "Todo App", "Erinnerung an den Sommer".
  atStart: [
    form('(?:todo|to-do|aufgabe): ?', () => ({ what: 'kind', kind: 'todo' })),
    form('erinnere? mich(?: bitte)? (?:daran,? |an )?|erinnerung: ?', () => ({ what: 'kind', kind: 'reminder' })),
    form('termin: ?', () => ({ what: 'kind', kind: 'event' })),
  ],
} // prettier-ignore
