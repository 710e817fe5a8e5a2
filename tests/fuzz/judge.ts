import Ajv2020, { type ValidateFunction } from 'ajv/dist/2020'
import addFormats from 'ajv-formats'
import type { Document } from '../support/openapi'
import { INTERNALS } from './findings'
import { MARK, type Operation, type Sent } from './requests'
import type { Schema } from './schemas'

/** What came back for a request. */
export interface Answer {
  readonly sent: Sent
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

export type Judge = (answer: Answer) => string[]

/** RFC 3339 with an offset and without `Z`, as the contract asks of responses. */
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?[+-]\d\d:\d\d$/
const ERROR_FIELDS = new Set(['detail', 'code', 'errors', 'items'])

/** Holds answers against the document: statuses, media types, bodies, headers, and what errors may not say. */
export function judging(document: Document): Judge {
  const ajv = new Ajv2020({ strict: false, allErrors: false, formats: { 'date-time': MOMENT } })
  addFormats(ajv, ['date', 'email'])
  ajv.addSchema({ $id: 'document', components: closed(document.components) })
  const compiled = new Map<unknown, ValidateFunction>()
  const compile = (schema: Schema): ValidateFunction => {
    const known = compiled.get(schema) ?? ajv.compile(closed(schema, 'document'))
    compiled.set(schema, known)
    return known
  }

  const bodyProblems = (answer: Answer): string[] => {
    const [declared] = Object.entries(documented(answer)?.content ?? {})
    if (!declared) return answer.text === '' ? [] : ['has a body where none is documented']
    const [mediaType, { schema }] = declared
    const given = answer.headers.get('content-type')?.split(';')[0]
    if (given !== mediaType) return [`is ${String(given)} and not ${mediaType}`]
    return mediaType === 'application/json' ? jsonProblems(parsed(answer.text), schema) : []
  }

  const jsonProblems = (body: unknown, schema: Schema = {}): string[] => {
    if (body === undefined) return ['is no JSON']
    const validate = compile(schema)
    return validate(body) ? [] : [`breaks its schema: ${ajv.errorsText(validate.errors)}`]
  }

  return (answer) => [
    ...statusProblems(answer),
    ...(documented(answer) ? bodyProblems(answer) : []),
    ...headerProblems(answer),
    ...(answer.status >= 400 ? errorProblems(answer) : []),
  ]
}

const documented = ({ sent, status }: Pick<Answer, 'sent' | 'status'>) => {
  const { responses } = sent.operation.operation
  return responses[String(status)] ?? (status >= 400 && status < 500 ? responses['4XX'] : undefined)
}

/** Trouble of another service is the only failure that a request can bring about. */
function statusProblems(answer: Answer): string[] {
  if (!documented(answer)) return ['is not documented']
  return answer.status >= 500 && answer.status !== 502 ? ['is a failure'] : []
}

function headerProblems({ headers, status, text }: Answer): string[] {
  const expected: Record<string, string> = {
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
  }
  const wrong = Object.entries(expected).filter(([name, value]) => headers.get(name) !== value)
  const etag = headers.get('etag')
  const { version } = (parsed(text) ?? {}) as { version?: number }
  return [
    ...wrong.map(([name]) => `has no ${name}`),
    ...(headers.has('x-request-id') ? [] : ['has no x-request-id']),
    ...(headers.has('cache-control') ? [] : ['has no cache-control']),
    ...(etag !== null && status < 300 && version !== undefined && etag !== `"${version}"`
      ? ['has an ETag of another version']
      : []),
  ]
}

/** Lists beside the detail, and the status that alone has them. */
const LISTS = [
  ['errors', 422],
  ['items', 409],
] as const

function errorProblems({ status, text }: Answer): string[] {
  const body = parsed(text)
  if (typeof body !== 'object' || body === null) return ['is an error without a body']
  // The titles of items are those of records.
  const { items: _items, ...said } = body as { detail?: unknown; items?: unknown }
  const { detail } = said
  return [
    ...(typeof detail === 'string' && detail !== '' ? [] : ['is an error without detail']),
    ...(Object.keys(body).every((name) => ERROR_FIELDS.has(name))
      ? []
      : ['is an error with more than detail, code, errors and items']),
    ...LISTS.flatMap(([name, only]) =>
      name in body && status !== only ? [`lists ${name} though it is no ${only}`] : [],
    ),
    ...(JSON.stringify(said).includes(MARK) ? ['echoes what was submitted'] : []),
    ...(INTERNALS.test(text) ? ['speaks of the inside'] : []),
  ]
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The schema with no further members allowed wherever it names some, and with references into `base`. */
function closed(schema: unknown, base = ''): object {
  const copy = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copy)
    if (typeof value !== 'object' || value === null) return value
    const fields = Object.fromEntries(
      Object.entries(value).map(([name, field]) => [
        name,
        name === '$ref' ? `${base}${String(field)}` : copy(field),
      ]),
    )
    const isOpen =
      'properties' in value && !('additionalProperties' in value) && !('patternProperties' in value)
    const isSchema = isOpen && typeof value.properties === 'object'
    return isSchema ? { ...fields, additionalProperties: false } : fields
  }
  return copy(schema) as object
}

/** The answers that an operation gave, by status. */
export class Tally {
  readonly #counts = new Map<string, Map<number, number>>()

  constructor(operations: readonly Operation[]) {
    for (const { title } of operations) this.#counts.set(title, new Map())
  }

  count({ sent, status }: Answer): void {
    const counts = this.#counts.get(sent.operation.title)
    counts?.set(status, (counts.get(status) ?? 0) + 1)
  }

  /** One row for each operation: requests, the share that succeeded, and how often each status came. */
  rows() {
    return [...this.#counts].map(([title, counts]) => {
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0)
      const good = [...counts].filter(([status]) => status < 300).reduce((sum, [, count]) => sum + count, 0)
      const statuses = [...counts]
        .toSorted(([a], [b]) => a - b)
        .map(([status, count]) => `${status}×${count}`)
      return { title, all, good, statuses: statuses.join(' ') }
    })
  }
}
