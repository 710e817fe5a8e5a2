import { base64, escaped, extension, parameters, spelled, textValue } from './content-lines'
import type { Draw } from './draw'

/** Valid iCalendar components by the grammar of RFC 5545. */

const two = (value: number) => String(value).padStart(2, '0')
const SOME_ZONES = ['Europe/Berlin', 'America/New_York', 'Asia/Kolkata', 'Pacific/Auckland'] as const
const OWN_ZONE = 'Custom/Zone 1'

/** How the times of a component are written. */
interface Form {
  readonly draw: Draw
  readonly kind: 'utc' | 'zone' | 'floating' | 'date'
  readonly zone: string
}

const formFor = (draw: Draw): Form => ({
  draw,
  kind: draw.pick(['utc', 'zone', 'zone', 'floating', 'date']),
  zone: draw.percent(80) ? draw.pick(SOME_ZONES) : OWN_ZONE,
})

const dayFor = (draw: Draw): string =>
  draw.percent(90)
    ? `2026${two(draw.integer(1, 12))}${two(draw.integer(1, 28))}`
    : draw.pick(['20240229', '19700101', '20991231', '20260329', '20261025', '20261231'])

const timeFor = (draw: Draw): string =>
  `T${two(draw.nat(23))}${draw.pick(['00', '30', '59'])}${draw.pick(['00', '00', '59'])}`

/** A property with a time, in the form of its component. */
function timed({ draw, kind, zone }: Form, name: string, day: string, time: string): string {
  const more = parameters(draw, [])
  if (kind === 'date') return `${name};VALUE=DATE${more}:${day}`
  if (kind === 'utc') return `${name}${more}:${day}${time}Z`
  if (kind === 'floating') return `${name}${more}:${day}${time}`
  return `${name};TZID=${zone}${more}:${day}${time}`
}

const numbers = (draw: Draw, min: number, max: number, isSigned = false): string =>
  Array.from({ length: draw.integer(1, 3) }, () => {
    const value = draw.integer(min, max)
    return isSigned && draw.percent(30) ? -value : value
  }).join(',')

const DAYS = ['MO', 'TU', 'WE', 'TH', 'FR', 'SA', 'SU'] as const
const days = (draw: Draw, isCounted: boolean): string =>
  Array.from(
    { length: draw.integer(1, 4) },
    () => `${isCounted && draw.percent(40) ? draw.pick(['1', '2', '-1', '+3', '5']) : ''}${draw.pick(DAYS)}`,
  ).join(',')

/** The parts that a frequency allows (RFC 5545, section 3.3.10). */
const PARTS: Readonly<Record<string, ReadonlyArray<(draw: Draw) => string>>> = {
  DAILY: [
    (draw) => `BYMONTH=${numbers(draw, 1, 12)}`,
    (draw) => `BYMONTHDAY=${numbers(draw, 1, 31, true)}`,
    (draw) => `BYDAY=${days(draw, false)}`,
  ],
  WEEKLY: [(draw) => `BYMONTH=${numbers(draw, 1, 12)}`, (draw) => `BYDAY=${days(draw, false)}`],
  MONTHLY: [
    (draw) => `BYMONTH=${numbers(draw, 1, 12)}`,
    (draw) => `BYMONTHDAY=${numbers(draw, 1, 31, true)}`,
    (draw) => `BYDAY=${days(draw, true)}`,
  ],
  YEARLY: [
    (draw) => `BYMONTH=${numbers(draw, 1, 12)}`,
    (draw) => `BYMONTHDAY=${numbers(draw, 1, 31, true)}`,
    (draw) => `BYYEARDAY=${numbers(draw, 1, 366, true)}`,
    (draw) => `BYWEEKNO=${numbers(draw, 1, 53, true)};BYDAY=${days(draw, false)}`,
    (draw) => `BYDAY=${days(draw, true)}`,
  ],
  HOURLY: [(draw) => `BYHOUR=${numbers(draw, 0, 23)}`, (draw) => `BYDAY=${days(draw, false)}`],
}

/** Each part once; some come in pairs. */
function partsFor(draw: Draw, frequency: string): string[] {
  const drawn = Array.from({ length: draw.nat(2) }, () => draw.oneOf(PARTS[frequency] ?? [])?.(draw) ?? '')
  const parts = drawn
    .join(';')
    .split(';')
    .filter((part) => part !== '')
  return [...new Map(parts.map((part) => [part.split('=')[0], part])).values()]
}

/** In UTC, but for days and times that have no zone. */
function untilFor({ draw, kind }: Form): string {
  const day = `2027${two(draw.integer(1, 12))}15`
  if (kind === 'date') return `UNTIL=${day}`
  return `UNTIL=${day}T120000${kind === 'floating' ? '' : 'Z'}`
}

const OF_DAYS = ['DAILY', 'WEEKLY', 'MONTHLY', 'YEARLY'] as const

function rule(form: Form): string {
  const { draw, kind } = form
  const frequency = draw.pick(kind === 'date' ? OF_DAYS : [...OF_DAYS, 'WEEKLY', 'HOURLY'])
  const parts = partsFor(draw, frequency)
  const perhaps = (percent: number, part: () => string) => (draw.percent(percent) ? [part()] : [])
  return [
    `FREQ=${frequency}`,
    ...perhaps(40, () => `INTERVAL=${draw.integer(1, 5)}`),
    ...perhaps(60, () => (draw.percent(60) ? `COUNT=${draw.integer(1, 30)}` : untilFor(form))),
    ...parts,
    ...perhaps(parts.length > 0 ? 15 : 0, () => `BYSETPOS=${draw.pick(['1', '-1', '1,2'])}`),
    ...perhaps(15, () => `WKST=${draw.pick(['SU', 'MO'])}`),
  ].join(';')
}

const ALARMS: ReadonlyArray<(draw: Draw) => readonly string[]> = [
  (draw) => [
    'ACTION:DISPLAY',
    `DESCRIPTION:${textValue(draw)}`,
    `TRIGGER:${draw.pick(['-PT15M', 'PT0S', '-P1D', '-P1W', '+PT5M'])}`,
  ],
  () => ['ACTION:AUDIO', 'TRIGGER;RELATED=END:PT10M', 'ATTACH;FMTTYPE=audio/basic:http://example.org/a.wav'],
  () => [
    'ACTION:DISPLAY',
    'DESCRIPTION:At',
    'TRIGGER;VALUE=DATE-TIME:20260310T080000Z',
    'REPEAT:2',
    'DURATION:PT5M',
  ],
  (draw) => [
    'ACTION:EMAIL',
    'SUMMARY:s',
    'DESCRIPTION:d',
    'ATTENDEE:mailto:a@example.org',
    'TRIGGER:-PT1H',
    extension(draw),
  ],
  () => ['ACTION:X-SOMETHING', 'TRIGGER:-PT5M', 'UID:alarm-1', 'ACKNOWLEDGED:20260301T000000Z'],
]

const alarm = (draw: Draw): string[] => ['BEGIN:VALARM', ...(draw.oneOf(ALARMS)?.(draw) ?? []), 'END:VALARM']

/** Properties that events and todos may have, each at most once. */
const ONCE: ReadonlyArray<(draw: Draw) => string> = [
  (draw) =>
    `DESCRIPTION${parameters(draw, [';LANGUAGE=de', ';ALTREP="cid:x@example.org"'])}:${textValue(draw)}`,
  (draw) => `LOCATION${parameters(draw, [';LANGUAGE=en'])}:${textValue(draw)}`,
  (draw) => `CLASS:${draw.pick(['PUBLIC', 'PRIVATE', 'CONFIDENTIAL', 'X-ODD'])}`,
  (draw) => `PRIORITY:${draw.nat(9)}`,
  (draw) => `SEQUENCE:${draw.nat(2_147_483_647)}`,
  (draw) => `GEO:${draw.pick(['37.386013;-122.082932', '0;0', '-90;180'])}`,
  () => 'URL:https://example.org/x?y=1,2;3',
  (draw) => `CREATED:${dayFor(draw)}T000000Z`,
  (draw) => `LAST-MODIFIED:${dayFor(draw)}T235959Z`,
  () => 'ORGANIZER;CN="Doe, Jane";SENT-BY="mailto:x@example.org":mailto:jane@example.org',
  (draw) => `COLOR:${draw.pick(['red', 'turquoise'])}`,
]

/** Properties that may come more often. */
const OFTEN: ReadonlyArray<(draw: Draw) => string> = [
  (draw) => `CATEGORIES:${[textValue(draw), textValue(draw)].join(',')}`,
  (draw) => `COMMENT:${textValue(draw)}`,
  (draw) => `CONTACT:${textValue(draw)}`,
  (draw) =>
    `ATTENDEE;PARTSTAT=${draw.pick(['ACCEPTED', 'NEEDS-ACTION', 'X-ODD'])};ROLE=CHAIR;RSVP=TRUE;MEMBER="mailto:g@example.org":mailto:a${draw.nat(9)}@example.org`,
  (draw) => `ATTACH;ENCODING=BASE64;VALUE=BINARY;FMTTYPE=text/plain:${base64(draw)}`,
  () => 'ATTACH:http://example.org/a;b,c.pdf',
  () => 'RELATED-TO;RELTYPE=SIBLING:other@example.org',
  () => 'REQUEST-STATUS:2.0;Success',
  (draw) => `RESOURCES:${textValue(draw)}`,
  () => 'CONFERENCE;VALUE=URI;FEATURE=VIDEO;LABEL="a:b":https://example.org/room',
  (draw) => `IMAGE;VALUE=BINARY;ENCODING=BASE64;FMTTYPE=image/png:${base64(draw)}`,
  extension,
  extension,
]

function chosen(draw: Draw): string[] {
  const once = ONCE.filter(() => draw.percent(15)).map((make) => make(draw))
  const often = Array.from({ length: draw.nat(4) }, () => draw.oneOf(OFTEN)?.(draw) ?? '')
  return [...once, ...often]
}

/** A component of a kind that nobody knows, inside another one. */
const nested = (draw: Draw): string[] => ['BEGIN:X-INNER', extension(draw), 'END:X-INNER']

interface Sized {
  readonly name: 'VEVENT' | 'VTODO'
  readonly uid: string
  readonly form: Form
  readonly start: string
  readonly time: string
}

function master({ name, uid, form, start, time }: Sized, isSeries: boolean): string[] {
  const { draw } = form
  const length = endOf(form, name, { start, time })
  return [
    `BEGIN:${name}`,
    `UID:${uid}`,
    `DTSTAMP:${dayFor(draw)}T120000Z`,
    timed(form, 'DTSTART', start, time),
    ...length,
    `${spelled(draw, 'SUMMARY')}${parameters(draw, [';LANGUAGE=de'])}:${textValue(draw)}`,
    ...(isSeries ? series(form, { start, time }) : []),
    ...chosen(draw),
    ...(draw.percent(25) ? alarm(draw) : []),
    ...(draw.percent(5) ? nested(draw) : []),
    `END:${name}`,
  ]
}

/** Never before the start. */
function endOf(form: Form, name: string, { start, time }: { start: string; time: string }): string[] {
  const { draw, kind } = form
  if (draw.percent(20)) return []
  if (draw.percent(40))
    return [
      `DURATION:${kind === 'date' ? draw.pick(['P1D', 'P2W']) : draw.pick(['PT1H', 'P1DT2H', 'PT0S', 'P1W'])}`,
    ]
  const end = name === 'VEVENT' ? 'DTEND' : 'DUE'
  const later = `${Number(start.slice(0, 4)) + (draw.percent(3) ? 1 : 0)}${start.slice(4)}`
  const nextDay = `${start.slice(0, 6)}${two(Number(start.slice(6)) + 1)}`
  if (kind === 'date') return Number(start.slice(6)) < 28 ? [timed(form, end, nextDay, '')] : []
  const hour = Number(time.slice(1, 3))
  return hour < 22 ? [timed(form, end, later, `T${two(hour + 1)}${time.slice(3)}`)] : []
}

function series(form: Form, { start, time }: { start: string; time: string }): string[] {
  const { draw, kind } = form
  const another = () => timed(form, draw.pick(['EXDATE', 'RDATE']), dayFor(draw), time)
  return [
    `RRULE:${rule(form)}`,
    ...Array.from({ length: draw.nat(2) }, another),
    ...(kind === 'utc' && draw.percent(10) ? [`RDATE;VALUE=PERIOD:${start}${time}Z/PT2H`] : []),
  ]
}

/** A changed occurrence: named by the time that the series gives it. */
function override(sized: Sized): string[] {
  const { name, uid, form, start, time } = sized
  const { draw } = form
  return [
    `BEGIN:${name}`,
    `UID:${uid}`,
    `DTSTAMP:${dayFor(draw)}T120000Z`,
    timed(form, `RECURRENCE-ID${draw.percent(8) ? ';RANGE=THISANDFUTURE' : ''}`, start, time),
    timed(form, 'DTSTART', dayFor(draw), timeFor(draw)),
    `SUMMARY:${textValue(draw)}`,
    ...(name === 'VEVENT' ? [`STATUS:${draw.pick(['CONFIRMED', 'CANCELLED', 'TENTATIVE'])}`] : []),
    `END:${name}`,
  ]
}

/** All components with one UID. */
export function components(draw: Draw, name: 'VEVENT' | 'VTODO', uid: string): string[] {
  const form = formFor(draw)
  const sized = { name, uid: escaped(uid), form, start: dayFor(draw), time: timeFor(draw) }
  const isSeries = draw.percent(45)
  const changed = isSeries && draw.percent(35) ? override(sized) : []
  return draw.percent(90)
    ? [...master(sized, isSeries), ...changed]
    : [...changed, ...master(sized, isSeries)]
}

const RULES_OF_ZONE = ['FREQ=YEARLY;BYMONTH=3;BYDAY=-1SU', 'FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU'] as const

function zoneLines(draw: Draw, name: string): string[] {
  const part = (kind: string, at: number): string[] => [
    `BEGIN:${kind}`,
    `TZOFFSETFROM:${draw.pick(['+0100', '+0200', '-0330', '+053015'])}`,
    `TZOFFSETTO:${draw.pick(['+0200', '+0100', '-1200', '+1400'])}`,
    `DTSTART:19700${at === 0 ? '329' : '925'}T020000`,
    ...(draw.percent(80)
      ? [`RRULE:${RULES_OF_ZONE[at] ?? ''}`]
      : [`RDATE:19800${at === 0 ? '329' : '925'}T020000`]),
    `TZNAME:${textValue(draw)}`,
    `END:${kind}`,
  ]
  return ['BEGIN:VTIMEZONE', `TZID:${name}`, ...part('DAYLIGHT', 0), ...part('STANDARD', 1), 'END:VTIMEZONE']
}

/** The lines of a file with these components, and the zones that they name. */
export function calendarLines(draw: Draw, inside: readonly string[]): string[] {
  const named = [...SOME_ZONES, OWN_ZONE].filter((name) =>
    inside.some((line) => line.includes(`TZID=${name}`)),
  )
  const zones = named.flatMap((name) => (name === OWN_ZONE || draw.percent(60) ? zoneLines(draw, name) : []))
  const isFirst = draw.percent(85)
  return [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    `PRODID:${draw.pick(['-//Fuzz//EN', '-//Grüße//DE'])}`,
    ...(draw.percent(20) ? ['CALSCALE:GREGORIAN'] : []),
    ...(draw.percent(15) ? [`X-WR-CALNAME:${textValue(draw)}`] : []),
    ...(isFirst ? zones : []),
    ...inside,
    ...(isFirst ? [] : zones),
    'END:VCALENDAR',
  ]
}
