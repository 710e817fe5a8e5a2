import { every, type Repeat, WORKDAYS } from '../recurrence/rule'
import {
  dated, dayReader, form, type Grammar, type Groups, type Meaning, type NamedDay, oneOf, placed, plain, repeats,
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
  monday: 1, tuesday: 2, wednesday: 3, thursday: 4, friday: 5, saturday: 6, sunday: 7,
  tue: 2, tues: 2, thu: 4, thur: 4, thurs: 4, fri: 5,
} as const // prettier-ignore
/** They are words of their own, or parts of names. */
const SHORT_WEEKDAYS = { mon: 1, wed: 3, sat: 6, sun: 7 } as const
const MONTHS = {
  january: 1, february: 2, march: 3, april: 4, may: 5, june: 6, july: 7, august: 8, september: 9, october: 10,
  november: 11, december: 12, jan: 1, feb: 2, mar: 3, apr: 4, jun: 6, jul: 7, aug: 8, sept: 9, sep: 9, oct: 10, nov: 11,
  dec: 12,
} as const // prettier-ignore
const NUMBERS = {
  a: 1, an: 1, one: 1, two: 2, three: 3, four: 4, five: 5, six: 6, seven: 7, eight: 8, nine: 9, ten: 10,
} as const // prettier-ignore
const PLACES = { first: 1, second: 2, third: 3, fourth: 4, fifth: 5, last: -1 } as const
const UNITS = { day: 'DAILY', week: 'WEEKLY', month: 'MONTHLY', year: 'YEARLY' } as const

const WEEKDAY = oneOf(WEEKDAYS)
const ANY_WEEKDAY = oneOf({ ...WEEKDAYS, ...SHORT_WEEKDAYS })
const MONTH = oneOf(MONTHS)
const NUMBER = `\\d+|${oneOf(NUMBERS)}`
const ORDINAL = '(\\d{1,2})(?:st|nd|rd|th)?'
const NTH = `[1-5](?:st|nd|rd|th)|${oneOf(PLACES)}`
const YEAR = '(\\d{4})'
const DASH = '\\s*[-–—]\\s*|\\s+(?:to|until|till|through)\\s+'

const known = (names: Readonly<Record<string, number>>, word = ''): number => names[word.toLowerCase()] ?? 0
const weekday = (word = '') => known({ ...WEEKDAYS, ...SHORT_WEEKDAYS }, word)
const month = (word = '') => known(MONTHS, word)
const number = (word = '1') => known(NUMBERS, word) || Number(word)
const place = (word = '') => known(PLACES, word) || Number.parseInt(word, 10)

const relative: Readonly<Record<string, number>> = { today: 0, tonight: 0, tomorrow: 1, 'day after tomorrow': 2, 'the day after tomorrow': 2 } // prettier-ignore

/** Days that mean the same anywhere at the end of a line. */
const DAYS: readonly NamedDay[] = [
  [
    '(today|tonight|tomorrow|(?:the )?day after tomorrow)',
    ([word = ''], { today }) => today.add({ days: relative[word.toLowerCase()] ?? 0 }),
  ],
  [`(?:(?:this|coming) )?(${WEEKDAY})`, ([word], around) => nextWeekday(around, weekday(word))],
  [`(?:this|coming) (${ANY_WEEKDAY})`, ([word], around) => nextWeekday(around, weekday(word))],
  [`next (${ANY_WEEKDAY})`, ([word], around) => nextWeekday(around, weekday(word), true)],
  [
    `(?:(?:${ANY_WEEKDAY}),? )?(\\d{4})-(\\d\\d)-(\\d\\d)`,
    ([y, m, d]) => dayOf(Number(y), Number(m), Number(d)),
  ],
  [
    `(?:(?:${ANY_WEEKDAY}),? )?(?:the )?${ORDINAL}(?: of)? (${MONTH})(?:,? ${YEAR})?`,
    ([d, m, y], around) => nextDay(around, month(m), Number(d), y),
  ],
  [
    `(?:(?:${ANY_WEEKDAY}),? )?(${MONTH}) (?:the )?${ORDINAL}(?:,? ${YEAR})?`,
    ([m, d, y], around) => nextDay(around, month(m), Number(d), y),
  ],
  ['(\\d{1,2})/(\\d{1,2})/(\\d{4}|\\d\\d)', ([a, b, y], around) => slashed(around, [a, b], y)],
  [
    `in (${NUMBER}) (day|week|month)s?`,
    ([n, unit = ''], { today }) => {
      const count = number(n)
      return count > 31 ? undefined : today.add({ [`${unit.toLowerCase()}s`]: count })
    },
  ],
]
/** Days that need a word such as "on", or a time after them. */
const WEAK_DAYS: readonly NamedDay[] = [
  [oneOf(SHORT_WEEKDAYS).replace(/^(.*)$/, '($1)'), ([word], around) => nextWeekday(around, weekday(word))],
  ['(\\d{1,2})/(\\d{1,2})', ([a, b], around) => slashed(around, [a, b])],
]

function slashed(around: Surroundings, [a, b]: Groups, year?: string) {
  const [day, at] = around.dayFirst ? [a, b] : [b, a]
  return nextDay(around, Number(at), Number(day), year)
}

const AFTER_ON: readonly NamedDay[] = [
  ...DAYS,
  ...WEAK_DAYS,
  ['the (\\d{1,2})(?:st|nd|rd|th)', ([d], around) => nextNumbered(around, Number(d))],
]

const readDay = dayReader([...DAYS, ...WEAK_DAYS])

const isNumber = (words: string) => /^\d{1,2}(?:st|nd|rd|th)?$/i.test(words)

/** "3–7 August" and "3 to 7 August" name their month once; so does "August 3–7". */
function readSpan([from = '', to = '']: Groups, around: Surroundings): Meaning | undefined {
  const [tail] = new RegExp(`(?:${MONTH})(?:,? \\d{4})?$`, 'iu').exec(to) ?? ['']
  const [head] = new RegExp(`^(?:${MONTH}) `, 'iu').exec(from) ?? ['']
  const start = readDay(isNumber(from) ? `${from} ${tail}` : from, around)
  const end = readDay(isNumber(to) ? `${head}${to}` : to, around)
  const span = start && end && spanOf(start, end)
  return span && { what: 'date', ...span }
}

const CLOCK = '(\\d{1,2})(?:[:.](\\d\\d))?\\s?(am|pm|a\\.m\\.|p\\.m\\.)|(\\d{1,2}):(\\d\\d)|(noon|midnight)'
const START = `(?:(?:at|from) )?`

const NAMED_HOURS: Readonly<Record<string, number>> = { noon: 12, midnight: 0 }

/** `half` is of the day, "a" or "p", where the words do not say. */
function readClock(words: string, half = ''): Temporal.PlainTime | undefined {
  const text = words.trim().toLowerCase()
  const [, h, min = '0', said = half] = /^(\d{1,2})(?:[:.](\d\d))?\s?([ap])?/.exec(text) ?? []
  const hour = Number(h ?? NAMED_HOURS[text])
  const isBare = /^\d+$/.test(text)
  if (said === '') return timeOf(isBare ? usualHour(hour) : hour, Number(min))
  return timeOf(halfDay(hour, said), Number(min))
}

const halfDay = (hour: number, half: string) =>
  hour < 1 || hour > 12 ? Number.NaN : (hour % 12) + (half === 'p' ? 12 : 0)

const readTime = ([words = '']: Groups): Meaning | undefined => {
  const from = readClock(words)
  return from && { what: 'time', from }
}

const halfOf = (words: string) => /\d ?([ap])\.?m\.?$/i.exec(words)?.[1]?.toLowerCase() ?? ''

/** "9–10 am" is said of both, "11–1 pm" is not, and "22:00 to 2 am" cannot be. */
function readTimes([first = '', second = '']: Groups): Meaning | undefined {
  const [half, to] = [halfOf(second), readClock(second)]
  const both = readClock(first, half)
  const isBefore = (from: Temporal.PlainTime) => to && Temporal.PlainTime.compare(from, to) < 0
  const other = half === 'p' ? readClock(first, 'a') : readClock(first)
  const from = both && (half === '' || halfOf(first) !== '' || isBefore(both)) ? both : other
  return from && to && { what: 'time', from, to }
}

const BARE = '\\d{1,2}(?::\\d\\d)?'
const TIMES = [
  form(`${START}(${plain(CLOCK)})`, readTime),
  form("at (\\d{1,2})(?: o[’']clock)?", readTime),
  form("(?:at )?(\\d{1,2}) o[’']clock", readTime),
  form(`${START}(${BARE}|${plain(CLOCK)})(?:${DASH})(${plain(CLOCK)})`, readTimes),
  form(`${START}(${plain(CLOCK)})(?:${DASH})(${BARE})`, readTimes),
  form(`(?:from|at) (${BARE})(?:${DASH})(${BARE})`, readTimes),
]

/** "In 10 minutes", "in half an hour". */
const fromNow = (words: string, minutes: (count: number) => number) =>
  form(words, ([n = '1'], around) => {
    const from = minutesFromNow(around, minutes(amount(n)))
    return from && { what: 'time', from }
  })
const amount = (words: string) => (words.toLowerCase() === 'half an' ? 0.5 : number(words.replace(',', '.')))
const FROM_NOW = [
  fromNow(`in (${NUMBER}) ?(?:mins?|minutes?)`, (count) => count),
  fromNow(`in (\\d+[.,]\\d+|half an|${NUMBER}) ?(?:h|hrs?|hours?)`, (count) => count * 60),
]

const lasting = (words: string, minutes: (count: number) => number) =>
  form(words, ([n = '1']) => {
    const count = amount(n)
    return count > 0 ? { what: 'duration', minutes: Math.round(minutes(count)) } : undefined
  })
const DURATIONS = [
  lasting(`for (\\d+[.,]\\d+|half an|${NUMBER}) ?(?:h|hrs?|hours?)`, (count) => count * 60),
  lasting(`for (${NUMBER}) ?(?:m|mins?|minutes?)`, (count) => count),
  form('for (\\d+) ?h(?:ours?)? ?(\\d+) ?(?:m|mins?|minutes?)?', ([h, m]) => ({
    what: 'duration',
    minutes: Number(h) * 60 + Number(m),
  })),
  form(`for (${NUMBER}) (day|week)s?`, ([n, unit = '']) => ({
    what: 'days',
    days: number(n) * (unit.toLowerCase() === 'week' ? 7 : 1),
  })),
]

const unitOf = (unit = '') => UNITS[unit.toLowerCase() as keyof typeof UNITS]
const listed = (words = '') =>
  [...words.matchAll(new RegExp(ANY_WEEKDAY, 'giu'))].map(([word]) => weekday(word))
const LIST = `(?:${ANY_WEEKDAY})s?(?:(?:,? and |, ?| & |/)(?:${ANY_WEEKDAY})s?)*`
const NOT_A_NAME = { notAfter: /\b(?:the|an?|my|our|your|bi-?)$/i }

const REPEATS = [
  repeats('daily', () => every('DAILY'), NOT_A_NAME),
  repeats('weekly', () => every('WEEKLY'), NOT_A_NAME),
  repeats('monthly', () => every('MONTHLY'), NOT_A_NAME),
  repeats('yearly|annually', () => every('YEARLY'), NOT_A_NAME),
  repeats('fortnightly|biweekly|every fortnight', () => every('WEEKLY', 2), NOT_A_NAME),
  repeats('(?:every|each) (day|week|month|year)', ([unit]) => every(unitOf(unit))),
  repeats('every (?:other|second|2nd) (day|week|month|year)', ([unit]) => every(unitOf(unit), 2)),
  repeats(`every (${NUMBER}) (day|week|month|year)s`, ([n, unit]) => every(unitOf(unit), number(n))),
  repeats('(?:every |on )?(?:weekdays|workdays)|every (?:weekday|workday)', () => ({ ...every('WEEKLY'), weekdays: WORKDAYS }), { notAfter: /\b(?:the|my|our)$/i }),
  repeats(`(?:every|each) (${LIST})|weekly on (${LIST})|on ((?:${ANY_WEEKDAY})s(?:(?:,? and |, ?| & |/)(?:${ANY_WEEKDAY})s)*)`, ([a, b, c]) => ({
    ...every('WEEKLY'),
    weekdays: listed(a ?? b ?? c),
  })),
  repeats(`every other (${ANY_WEEKDAY})|every (?:2|two) weeks on (${ANY_WEEKDAY})`, ([a, b]) => ({ ...every('WEEKLY', 2), weekdays: [weekday(a ?? b)] })),
  repeats(`(?:every|(?:monthly )?on the) (${NTH}) (${ANY_WEEKDAY})(?: of (?:the|every|each) month| every month)`, nthWeekday),
  repeats(`every (${NTH}) (${ANY_WEEKDAY})`, nthWeekday),
  form('(?:every |(?:every month |monthly )on the )(\\d{1,2})(?:st|nd|rd|th)(?: of (?:the|every|each) month)?|on the (\\d{1,2})(?:st|nd|rd|th) of (?:every|each) month', ([a, b], around) => {
    const from = nextNumbered(around, Number(a ?? b))
    return from && { what: 'repeat', repeat: every('MONTHLY'), from }
  }),
  form(`(?:every|yearly on|every year on) (?:the )?(?:${ORDINAL}(?: of)? (${MONTH})|(${MONTH}) ${ORDINAL})`, ([d, m, n, e], around) => {
    const from = nextDay(around, month(m ?? n), Number(d ?? e))
    return from && { what: 'repeat', repeat: every('YEARLY'), from }
  }),
] // prettier-ignore

function nthWeekday([n, day]: Groups): Repeat {
  return { ...every('MONTHLY'), nth: { place: place(n), weekday: weekday(day) } }
}

/** Days that have a name of their own, and words that belong to the day after them. */
const NAMED_DAYS =
  /\b(?:ash|black|bloody|cyber|easter|giving|good|maundy|palm|super|for|the|a|since|until|till|before|after|from|first|second|third|last|of|than|and|or|every|each)$/i
const DEADLINE = '(?:due|due on|due by|by) '
const PROPER = "[\\p{Lu}\\d][\\p{L}\\d’'.&-]*"
const LINKS = 'de|del|la|le|of|the|and|&|on|der|zum'

export const ENGLISH: Grammar = {
  atEnd: [
    ...DAYS.map(([is, read]) => form(is, dated(read), { notAfter: NAMED_DAYS })),
    ...WEAK_DAYS.map(([is, read]) => form(is, dated(read), { isWeak: true })),
    ...AFTER_ON.map(([is, read]) => form(`on ${is}`, dated(read))),
    ...AFTER_ON.map(([is, read]) => form(`${DEADLINE}${is}`, dated(read, true))),
    form(`(?:from )?(\\S+(?: \\S+)*?)(?:${DASH})(\\S+(?: \\S+)*)`, readSpan),
    ...TIMES,
    ...FROM_NOW,
    ...DURATIONS,
    ...REPEATS,
  ],
  places: [
    placed('@ ?([^@\\s][^@]*)'),
    placed(`at ((?:the )?${PROPER}(?: (?:(?:${LINKS}) )*${PROPER})*)`),
    placed(`in ((?:the )?(?:[Rr]oom|[Hh]all|Building|Studio|Lab|Meeting Room|Conference Room) ${PROPER})`),
  ],
  // A noun is a part of the title unless a colon follows it: "Todo app", "Task force".
  atStart: [
    form('(?:todo|to-do|task): ?', () => ({ what: 'kind', kind: 'todo' })),
    form('remind me (?:to|about|of) |reminder: ?|remember to ', () => ({
      what: 'kind',
      kind: 'reminder',
    })),
    form('event: ?', () => ({ what: 'kind', kind: 'event' })),
  ],
}
