import { Kind, type TSchema, Type, TypeRegistry } from '@sinclair/typebox'
import { codePoints, isStorable } from './text'

/**
 * Building blocks of wire schemas, with the contract's idea of a string: lengths in code points, no U+0000 and no lone
 * surrogates. `minLength` and `maxLength` mean code points in JSON Schema too, so the OpenAPI document says the same.
 */
interface TextOptions {
  readonly min?: number
  readonly max: number
  readonly pattern?: string
  readonly format?: string
  /** What is wrong with a value that does not match `pattern`: `must be …`. */
  readonly problem?: string
  readonly description?: string
  /** What the documentation fills in; without them it makes nonsense up from `pattern`. */
  readonly examples?: readonly string[]
}

const TEXT = 'OrganiserText'
const LINE = 'OrganiserLine'
const DAY = 'OrganiserDay'

const tidyLine = (value: string) => value.trim().normalize('NFC')

/** What is wrong with `value` under one of the schemas of this file, or undefined. Never repeats the value. */
export function customProblem(schema: TSchema, value: unknown): string | undefined {
  if (typeof value !== 'string') return 'must be a string'
  if (schema[Kind] === DAY) return isDay(value) ? undefined : 'must be a day as YYYY-MM-DD'
  if (!isStorable(value)) return 'must not contain U+0000 or lone surrogates'
  return textProblem(schema, schema[Kind] === LINE ? tidyLine(value) : value)
}

function textProblem({ minLength, maxLength, pattern, 'x-problem': problem }: TSchema, text: string) {
  const length = codePoints(text)
  if (length < minLength)
    return minLength === 1 ? 'must not be empty' : `must be at least ${minLength} characters`
  if (length > maxLength) return `must be at most ${maxLength} characters`
  return pattern === undefined || new RegExp(pattern, 'u').test(text)
    ? undefined
    : (problem ?? 'is not valid')
}

for (const kind of [TEXT, LINE, DAY]) {
  TypeRegistry.Set<TSchema>(kind, (schema, value) => customProblem(schema, value) === undefined)
}

const textSchema = (kind: string, { min = 1, max, problem, ...rest }: TextOptions) =>
  Type.Unsafe<string>({
    [Kind]: kind,
    type: 'string',
    minLength: min,
    maxLength: max,
    ...(problem !== undefined && { 'x-problem': problem }),
    ...rest,
  })

/** A single-line text: trimmed and NFC before it is measured and used. */
export const line = (options: TextOptions) =>
  Type.Transform(textSchema(LINE, options))
    .Decode(tidyLine)
    .Encode((value) => value)

/** A text that is taken exactly as it came: passwords, codes, tokens. */
export const verbatim = (options: TextOptions) => textSchema(TEXT, options)

/** The e-mail address of the HTML standard (section 4.10.5.1.5), as `<input type=email>` accepts it. */
const EMAIL =
  "^[a-zA-Z0-9.!#$%&'*+\\/=?^_`{|}~\\-]+@[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?)*$"

export const email = () =>
  line({
    max: 254,
    pattern: EMAIL,
    format: 'email',
    problem: 'must be an email address',
    examples: ['ada@example.org'],
  })

/** A calendar day between 1900-01-01 and 2200-12-31, as `YYYY-MM-DD`. */
export const day = () => Type.Unsafe<string>({ [Kind]: DAY, type: 'string', format: 'date' })

export function isDay(text: string): boolean {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text) || text < '1900' || text > '2201') return false
  try {
    return Temporal.PlainDate.from(text, { overflow: 'reject' }).toString() === text
  } catch {
    return false
  }
}

export const optionalNullable = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))
