import { remembered } from '../remembered'
import { compile, type Pattern } from './calendar'
import { compileFine, type FineRule } from './fine'
import { parseRule } from './grammar'
import type { Rule, Until } from './rule'

/** A rule of another program's calendar: also one that repeats within a day, and without limits on INTERVAL and COUNT. */
export type ForeignRule = Rule | FineRule

const FINE = ['HOURLY', 'MINUTELY', 'SECONDLY'] as const satisfies ReadonlyArray<FineRule['frequency']>

const UNTIL = /^(\d{4})-?(\d\d)-?(\d\d)(?:T(\d\d):?(\d\d):?(\d\d)(Z)?)?$/

/** Every series ends with the year 2200, so that a later UNTIL says nothing. Null for a malformed one. */
function readUntil(text: string): Until | undefined | null {
  const [whole, year, month, day, hour, minute = '0', second = '0', utc] = UNTIL.exec(text) ?? []
  if (whole === undefined || Number(year) < 1000) return null
  const at = Date.UTC(
    Number(year),
    Number(month) - 1,
    Number(day),
    Number(hour ?? 0),
    Number(minute),
    Math.min(Number(second), 59),
  )
  if (Number(year) > 2200) return undefined
  if (hour === undefined) return { form: 'date', at }
  return { form: utc === undefined ? 'local' : 'instant', at }
}

const COUNTED = /^[1-9]\d{0,8}$/

/** The parts of a rule by name; undefined when one is malformed or repeated. */
function partsOf(text: string): Map<string, string> | undefined {
  const parts = new Map<string, string>()
  for (const part of text.toUpperCase().replace(/\s+/g, '').split(';')) {
    if (part === '') continue
    const [, name, value] = /^([A-Z-]+)=([^=]+)$/.exec(part) ?? []
    if (name === undefined || value === undefined || parts.has(name)) return undefined
    parts.set(name, value)
  }
  return parts
}

/** The parts without those that every rule may have, and those of RFC 7529 that say what is so anyway. */
function byParts(parts: ReadonlyMap<string, string>): string {
  const others = new Set(['FREQ', 'INTERVAL', 'COUNT', 'UNTIL', 'RSCALE', 'SKIP'])
  return [...parts]
    .filter(([name]) => !others.has(name))
    .map(([name, value]) => `;${name}=${value}`)
    .join('')
}

function isPlain(parts: ReadonlyMap<string, string>): boolean {
  const said = (name: string, usual: string) => (parts.get(name) ?? usual) === usual
  const counted = (name: string) => COUNTED.test(parts.get(name) ?? '1')
  return said('RSCALE', 'GREGORIAN') && said('SKIP', 'OMIT') && counted('INTERVAL') && counted('COUNT')
}

function readFine(frequency: FineRule['frequency'], by: string): FineRule | undefined {
  const rule = readCoarse('YEARLY', by)
  const isAllowed = rule?.byWeekNo.length === 0 && rule.byDay.every(({ ordinal }) => ordinal === 0)
  return isAllowed ? { ...rule, frequency } : undefined
}

function readCoarse(frequency: string, by: string): Rule | undefined {
  const parsed = parseRule(`FREQ=${frequency}${by}`)
  return 'problem' in parsed ? undefined : parsed.rule
}

function read(text: string): ForeignRule | undefined {
  const parts = partsOf(text)
  if (!parts || !isPlain(parts)) return undefined
  const ending = endingOf(parts)
  const rule = readBase(parts.get('FREQ') ?? '', byParts(parts))
  return rule && ending && { ...rule, interval: Number(parts.get('INTERVAL') ?? 1), ...ending }
}

function readBase(named: string, by: string): ForeignRule | undefined {
  const fine = FINE.find((frequency) => frequency === named)
  return fine ? readFine(fine, by) : readCoarse(named, by)
}

/** Undefined for a malformed one. */
function endingOf(parts: ReadonlyMap<string, string>): Pick<Rule, 'count' | 'until'> | undefined {
  const [count, last] = [parts.get('COUNT'), parts.get('UNTIL')]
  const until = last === undefined ? undefined : readUntil(last)
  return until === null ? undefined : { count: count === undefined ? undefined : Number(count), until }
}

/** Cached, as many series share the same few rules; that a rule is none is remembered, too. */
const readOnce = remembered(1000, (text: string) => ({ rule: read(text) }))

const MAX_LENGTH = 2000

/** Parses a rule; undefined for one that says what we cannot count, and for one without any day. */
export const readForeignRule = (text: string): ForeignRule | undefined =>
  text.length > MAX_LENGTH ? undefined : readOnce(text).rule

const TIMES = { byHour: [], byMinute: [], bySecond: [] }

/** Compiles `rule` for the wall time of DTSTART; in a series of days its times of day say nothing. Undefined for hours of days. */
export function compileForeign(rule: ForeignRule, first: number, isDays: boolean): Pattern | undefined {
  switch (rule.frequency) {
    case 'HOURLY':
    case 'MINUTELY':
    case 'SECONDLY':
      return isDays ? undefined : compileFine(rule, first)
    case 'DAILY':
    case 'WEEKLY':
    case 'MONTHLY':
    case 'YEARLY':
      return compile(isDays ? { ...rule, ...TIMES } : rule, first)
  }
}
