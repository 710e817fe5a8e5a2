import type { Draw } from './draw'
import { fieldsOf, resolve, type Schema, type Site } from './schemas'

/** Ways of making a good body a bad one. Some bodies stay good; the judge does not ask. */

const nested = (depth: number): unknown => (depth === 0 ? {} : { a: [nested(depth - 1)] })

/** What hardly any field takes; every text holds the marker, so that an echo shows. */
const JUNK: ReadonlyArray<(site: Site) => unknown> = [
  () => null,
  () => true,
  () => 0,
  () => -1,
  () => 1.5,
  () => 2_147_483_648,
  () => 2 ** 53,
  () => 1e300,
  () => '',
  () => '   ',
  () => '5',
  () => [],
  () => ({}),
  () => nested(20),
  () => nested(300),
  ({ marker }) => marker,
  ({ marker }) => [marker],
  ({ marker }) => [[marker]],
  ({ marker }) => ({ unknown: marker }),
  ({ marker }) => ({ length: 3, toString: marker }),
  ({ marker }) => `${marker}\u0000`,
  ({ marker }) => `${marker}\ud800`,
  ({ marker }) => `\udc00${marker}`,
  ({ marker }) => `${marker}'; drop table users; --`,
  ({ marker }) => `\u202e${marker}\ufeff\u2028%s%n\${7*7}`,
  ({ marker }) => marker.repeat(3000),
  ({ marker }) => Array.from({ length: 3000 }, () => marker),
  () => Array.from({ length: 3000 }, (_, i) => i),
  () => '2026-02-30',
  () => '0000-00-00T25:61:61Z',
  () => '+012345-01-01T00:00:00Z',
  () => '2200-12-31T23:59:59.999999999Z',
  () => '1900-01-01',
  () => 'FREQ=SECONDLY;INTERVAL=0',
  () => 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
  () => '１２３',
  ({ draw }) => draw.json(),
]

const tooLong = (schema: Schema) =>
  typeof schema.maxLength === 'number' ? 'x'.repeat(schema.maxLength + 1) : undefined
const beyond = ({ minimum, maximum }: Schema, draw: Draw) =>
  typeof maximum === 'number' ? draw.pick([maximum + 1, Number(minimum) - 1, maximum + 0.5]) : undefined

/** A value that a field of this schema most likely refuses. */
export function wrongValue(site: Site, given: unknown): unknown {
  const schema = resolve(site, given)
  const near = site.draw.percent(30) ? (tooLong(schema) ?? beyond(schema, site.draw)) : undefined
  return near ?? site.draw.oneOf(JUNK)?.(site)
}

type Body = Record<string, unknown>

/** Fields that some operation answers with, or that some program treats specially. */
const EXTRA = [
  '__proto__',
  'constructor',
  'toString',
  'id',
  'user_id',
  'version',
  'role',
  'created_at',
  'is_system',
  '$where',
  '',
]

/** `body` with one or two faults, at the top or below. */
export function spoilt(site: Site, given: unknown, body: unknown): unknown {
  const schema = resolve(site, given)
  const { draw } = site
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return wrongValue(site, schema)
  const fields = { ...body } as Body
  const [name, field] = draw.oneOf(fieldsOf(schema)) ?? ['', {}]
  const fault = draw.pick(['replace', 'replace', 'replace', 'remove', 'add', 'below'])
  if (fault === 'remove') return Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name))
  if (fault === 'add') return withOwn(fields, draw.oneOf(EXTRA) ?? '', wrongValue(site, {}))
  if (fault === 'below') return withOwn(fields, name, spoilt(site, field, fields[name]))
  return withOwn(fields, name, wrongValue(site, field))
}

/** Also `__proto__` as a member of its own, as JSON has it. */
const withOwn = (fields: Body, name: string, value: unknown): Body => {
  const changed = { ...fields }
  Object.defineProperty(changed, name, { value, enumerable: true, configurable: true, writable: true })
  return changed
}

const bytesOf = (text: string) => new TextEncoder().encode(text)

/** The bytes of a body that is no JSON, or that a reader of JSON may trip over. */
export function spoiltText({ draw, marker }: Site, text: string): string | Uint8Array<ArrayBuffer> {
  return draw.pick<() => string | Uint8Array<ArrayBuffer>>([
    () => '',
    () => text.slice(0, -1),
    () => `${text}${text}`,
    () => `[${text}]`,
    () => JSON.stringify(text),
    () => 'null',
    () => '5',
    () => marker,
    () => `\ufeff${text}`,
    () => ` \n\t${text}\n`,
    () => text.replace('{', '{"a":NaN,'),
    () => text.replace('{', '{"a":1e999,'),
    () => text.replace('{', '{"a":1,"a":2,'),
    () => text.replace('{', '{"unknown":-0,'),
    () => '['.repeat(100_000),
    () => `${'{"a":'.repeat(40)}1${'}'.repeat(40)}`,
    () => new Uint8Array([...bytesOf(text), 0]),
    () => new Uint8Array([0xff, 0xfe, ...bytesOf(text)]),
    () => new Uint8Array([...bytesOf(text.slice(0, -1)), 0xc3, 0x28]),
    () => `{"${marker}":"${'x'.repeat(1_048_576)}"}`,
  ])()
}

/** Content types other than the one that the operation takes; undefined for none at all. */
export const OTHER_TYPES = [
  'text/plain',
  'application/x-www-form-urlencoded',
  'multipart/form-data; boundary=x',
  'application/json; charset=utf-16',
  'APPLICATION/JSON',
  'application/jsonp',
  'application/merge-patch+json',
  'text/vcard',
  'text/calendar',
  ';',
  'application/json, text/plain',
] as const

/** Path segments that name no record. */
export const OTHER_IDS = [
  '0',
  '-1',
  '01',
  '+1',
  '1.0',
  '1e3',
  '0x10',
  ' 1',
  '1%20',
  '2147483647',
  '2147483648',
  '99999999999999999999',
  'NaN',
  'null',
  'undefined',
  '%00',
  '%ff',
  '%',
  '%2e%2e%2f',
  '%F0%9F%98%80',
  '１',
  '1;drop',
  'x'.repeat(3000),
] as const
