import type { Draw } from './draw'

export interface Schema {
  readonly [keyword: string]: unknown
}

/** What the maker of a value knows beside its schema. */
export interface Site {
  readonly draw: Draw
  readonly schemas: Readonly<Record<string, Schema>>
  /** Stands in texts of the request, and must not come back in an error. */
  readonly marker: string
  /** The moment around which days and times are drawn. */
  readonly now: Date
  /** Values that a field of this name may well take. */
  suggest(name: string, schema: Schema): readonly unknown[]
}

const REFERENCE = '#/components/schemas/'

export function resolve({ schemas }: Pick<Site, 'schemas'>, schema: unknown): Schema {
  const found = (schema ?? {}) as Schema
  const { $ref: reference } = found
  if (typeof reference !== 'string') return found
  return resolve({ schemas }, schemas[reference.slice(REFERENCE.length)])
}

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : [])
export const fieldsOf = (schema: Schema) =>
  Object.entries((schema.properties ?? {}) as Record<string, unknown>)
const numberOf = (value: unknown, otherwise: number) => (typeof value === 'number' ? value : otherwise)

/** A value that its schema allows, and that an operation may therefore be expected to act on. */
export function validValue(site: Site, given: unknown, name: string): unknown {
  const schema = resolve(site, given)
  if (schema.const !== undefined) return schema.const
  const types = [schema.type ?? 'object'].flat()
  if (types.includes('null') && site.draw.percent(15)) return null
  const known = types.includes('array') ? undefined : suggestion(site, schema, name)
  if (known !== undefined) return known
  if (schema.enum !== undefined) return site.draw.oneOf(listOf(schema.enum))
  if (schema.anyOf !== undefined) return validValue(site, site.draw.oneOf(listOf(schema.anyOf)), name)
  return ofType(site, schema, { name, type: types.find((type) => type !== 'null') })
}

const suggestion = (site: Site, schema: Schema, name: string) =>
  site.draw.percent(name.endsWith('_id') ? 97 : 70) ? site.draw.oneOf(site.suggest(name, schema)) : undefined

function ofType(site: Site, schema: Schema, { name, type }: { name: string; type: unknown }): unknown {
  const { draw } = site
  switch (type) {
    case 'boolean':
      return draw.percent(50)
    case 'integer':
      return draw.integer(numberOf(schema.minimum, 1), numberOf(schema.maximum, 2_147_483_647))
    case 'number':
      return draw.integer(numberOf(schema.minimum, -1000) * 100, numberOf(schema.maximum, 1000) * 100) / 100
    case 'array':
      return [...new Set(severalOf(site, schema, name.replace(/s$/, '')))]
    case 'object':
      return validObject(site, schema)
    default:
      return validText(site, schema, name)
  }
}

const severalOf = (site: Site, schema: Schema, name: string) =>
  Array.from({ length: site.draw.nat(2) + numberOf(schema.minItems, 0) }, () =>
    validValue(site, schema.items, name),
  )

/** The required fields, and of the others few, half or most. */
export function validObject(site: Site, schema: Schema): Record<string, unknown> {
  const required = listOf(schema.required)
  const density = site.draw.pick([8, 8, 30, 50, 90])
  return inOrder(
    Object.fromEntries(
      fieldsOf(schema)
        .filter(([name]) => required.includes(name) || site.draw.percent(density))
        .filter(([name]) => required.includes(name) || isKnown(site, name))
        .map(([name, field]) => [name, validValue(site, field, name)]),
    ),
  )
}

/** An id that nobody has seen would be refused. */
const isKnown = (site: Site, name: string) => !/_ids?$/.test(name) || site.suggest(name, {}).length > 0

/** What ends does not end before it starts. */
export function inOrder<Fields extends Record<string, unknown>>(fields: Fields): Fields {
  const swapped: Record<string, unknown> = {}
  for (const [name, start] of Object.entries(fields)) {
    const other = name.startsWith('start_') ? name.replace('start_', 'end_') : name === 'from' ? 'to' : ''
    const end = fields[other]
    if (typeof start !== 'string' || typeof end !== 'string' || start <= end) continue
    swapped[name] = end
    swapped[other] = start
  }
  return { ...fields, ...swapped }
}

/** What the documentation calls a text, but only some texts are. */
const BY_NAME: ReadonlyArray<readonly [RegExp, readonly [string, ...string[]]]> = [
  [
    /time_zone$/,
    ['Europe/Berlin', 'UTC', 'America/New_York', 'Asia/Kolkata', 'Pacific/Apia', 'Europe/Kiev', 'Etc/GMT+5'],
  ],
  [
    /recurrence_rule$/,
    [
      'FREQ=DAILY',
      'FREQ=WEEKLY;BYDAY=MO,WE;INTERVAL=2',
      'FREQ=MONTHLY;BYMONTHDAY=31',
      'FREQ=MONTHLY;BYDAY=-1FR;COUNT=12',
      'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=29',
      'FREQ=YEARLY;BYWEEKNO=53;BYDAY=MO',
      'FREQ=DAILY;UNTIL=20270101T000000Z',
      'FREQ=MONTHLY;BYDAY=MO,TU,WE,TH,FR;BYSETPOS=-1',
    ],
  ],
  [/url$/, ['https://ntfy.example', 'http://ntfy.example:8080/x']],
  [/^types$/, ['events', 'todos,people', 'events,todos,reminders,projects,tasks,people']],
]

function validText(site: Site, schema: Schema, name: string): string {
  const { draw } = site
  const byName = BY_NAME.find(([pattern]) => pattern.test(name))
  if (byName) return draw.pick(byName[1])
  const example = draw.percent(40) ? draw.oneOf(listOf(schema.examples)) : undefined
  if (typeof example === 'string') return example
  if (schema.format === 'date') return dayNear(site)
  if (schema.format === 'date-time') return momentNear(site)
  if (schema.format === 'email') return `${site.marker}@example.org`
  if (typeof schema.pattern === 'string') return draw.matching(schema.pattern)
  if (listOf(schema.examples).length > 0) return draw.percent(50) ? dayNear(site) : momentNear(site)
  return textOf(site, numberOf(schema.minLength, 0), numberOf(schema.maxLength, 300))
}

const dayNear = ({ draw, now }: Site) =>
  new Date(now.getTime() + (draw.nat(200) - 60) * 86_400_000).toISOString().slice(0, 10)

/** Offsets that exist, none at all, and fractions of a second. */
function momentNear(site: Site): string {
  const { draw } = site
  const time = `${String(draw.nat(23)).padStart(2, '0')}:${draw.pick(['00', '15', '30', '59'])}`
  return `${dayNear(site)}T${time}${draw.pick(['', ':00', ':59', ':30.5'])}${draw.pick(['', '', 'Z', '+01:00', '-09:30'])}`
}

/** Of any allowed length, the least and the greatest more often than chance would have it. */
function textOf({ draw, marker }: Site, min: number, max: number): string {
  if (draw.percent(4)) return filled(marker, max)
  if (draw.percent(4)) return filled(marker, min)
  const text = `${marker} ${draw.text(0, 12)}`
  const { length } = Array.from(text)
  return length > max ? filled(marker, max) : filled(text, Math.max(min, length))
}

/** In code points, as the contract measures. */
const filled = (text: string, length: number) => {
  const characters = Array.from(text).slice(0, length)
  return `${characters.join('')}${'x'.repeat(length - characters.length)}`
}
