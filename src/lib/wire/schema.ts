import {
  FormatRegistry,
  Kind,
  type ObjectOptions,
  type TProperties,
  type TSchema,
  Type,
  TypeRegistry,
} from '@sinclair/typebox'
import { MAX_ID } from './id'
import {
  codePoints,
  hasControls,
  hasLongRuns,
  isStorable,
  linesWithoutControls,
  nfc,
  withoutControls,
  withoutStrayDirections,
} from '../text'
import { isBirthday, isDay, parseDateTime } from '../time/time'
import { zoneNamed } from '../time/zone-names'

/**
 * Building blocks of wire schemas with the contract's definition of a string: lengths in code points, no U+0000 and no lone
 * surrogates. `minLength` and `maxLength` count code points in JSON Schema too, so the OpenAPI document agrees.
 */
interface TextOptions {
  readonly min?: number
  readonly max: number
  readonly pattern?: string
  readonly format?: string
  /** The message for a value that does not match `pattern`: `must be …`. */
  readonly problem?: string
  readonly description?: string
  /** Examples for the documentation, which would otherwise generate nonsense from `pattern`. */
  readonly examples?: readonly string[]
}

const TEXT = 'OrganiserText'
const LINE = 'OrganiserLine'
const LINES = 'OrganiserLines'
const PARAGRAPHS = 'OrganiserParagraphs'
const DAY = 'OrganiserDay'
const BIRTHDAY = 'OrganiserBirthday'
const ZONE = 'OrganiserTimeZone'
const DATE_TIME = 'OrganiserDateTime'
const DAY_OR_DATE_TIME = 'OrganiserDayOrDateTime'
const QUERY_INTEGER = 'OrganiserQueryInteger'
const KEYWORD = 'OrganiserKeyword'
const QUERY_FLAG = 'OrganiserQueryFlag'
const PATH_ID = 'OrganiserPathId'
const FILE = 'OrganiserFile'

export const tidyLine = (value: string) => nfc(withoutStrayDirections(value).trim())

/** Cleans a line from a file, where control characters should not cause an error. */
export const cleanLine = (text: string) => tidyLine(withoutControls(text))

/** The same for several lines. */
export const cleanLines = (text: string) => tidyLine(linesWithoutControls(text))

/** Cleans a text of several lines; bidirectional controls do not reach beyond their line. */
export const tidyParagraphs = (value: string) => nfc(withoutStrayDirections(value))

const TIDY: Readonly<Record<string, (value: string) => string>> = {
  [LINE]: tidyLine,
  [LINES]: tidyLine,
  [PARAGRAPHS]: tidyParagraphs,
}

/** Kinds of text that may not contain control characters except tabs, and how to find these. */
const CONTROLLED: Readonly<Record<string, (text: string) => boolean>> = {
  [LINE]: hasControls,
  [LINES]: (text) => hasControls(text.replace(/[\r\n]/g, ' ')),
}

/** Kinds of text with a fixed format. */
const FORMATS: Readonly<
  Record<string, { readonly isOne: (text: string) => boolean; readonly problem: string }>
> = {
  [DAY]: { isOne: isDay, problem: 'must be a day as YYYY-MM-DD' },
  [BIRTHDAY]: { isOne: isBirthday, problem: 'must be a day as YYYY-MM-DD, or as --MM-DD without a year' },
  [ZONE]: { isOne: (text) => zoneNamed(text) !== undefined, problem: 'must be an IANA time zone' },
  [DATE_TIME]: {
    isOne: (text) => parseDateTime('UTC', text) !== undefined,
    problem: 'must be a date-time (RFC 3339)',
  },
  [DAY_OR_DATE_TIME]: {
    isOne: (text) => isDay(text) || parseDateTime('UTC', text) !== undefined,
    problem: 'must be a day as YYYY-MM-DD, or a date-time (RFC 3339)',
  },
}

/** Returns what is wrong with `value` under a schema of this file, or undefined. Never repeats the value. */
export function customProblem(schema: TSchema, value: unknown): string | undefined {
  const kind = schema[Kind]
  const problem = OTHERS[kind]
  if (problem) return problem(value, schema)
  if (typeof value !== 'string') return 'must be a string'
  const format = FORMATS[kind]
  if (format) return format.isOne(value) ? undefined : format.problem
  if (!isStorable(value)) return 'must not contain U+0000 or lone surrogates'
  if (isHopeless(schema, value)) return tooLong(schema)
  const tidy = TIDY[kind]
  return tidy ? tidyProblem(schema, value, tidy) : textProblem(schema, value)
}

function tidyProblem(schema: TSchema, value: string, tidy: (value: string) => string): string | undefined {
  if (hasLongRuns(value)) return 'must not contain more than 30 combining marks in a row'
  const text = tidy(value)
  return CONTROLLED[schema[Kind]]?.(text) ? 'must not contain control characters' : textProblem(schema, text)
}

/** Whether the text is too long in every normal form. Checked first, as normalising is slow. */
const isHopeless = ({ maxLength }: TSchema, value: string): boolean =>
  maxLength !== undefined && value.trim().length > 4 * maxLength

const tooLong = ({ maxLength }: TSchema): string => `must be at most ${maxLength} characters`

/** Kinds whose values are not texts. */
const OTHERS: Readonly<Record<string, (value: unknown, schema: TSchema) => string | undefined>> = {
  [QUERY_INTEGER]: integerProblem,
  [QUERY_FLAG]: (value) =>
    typeof value === 'boolean' || /^(?:true|false|)$/.test(String(value))
      ? undefined
      : 'must be true or false',
  [KEYWORD]: (value, schema) => keywordProblem(value, schema['enum'] ?? []),
  [PATH_ID]: () => undefined,
  [FILE]: (value) => (value instanceof Uint8Array ? undefined : 'must be a file'),
}

const sameKeyword = (one: string, value: unknown) =>
  typeof value === 'string' && value.toLowerCase() === one.toLowerCase()

const keywordProblem = (value: unknown, words: readonly string[]) =>
  words.some((word) => sameKeyword(word, value)) ? undefined : `must be one of ${words.join(', ')}`

function integerProblem(value: unknown, { minimum, maximum }: TSchema): string | undefined {
  const number =
    typeof value === 'number' ? value : /^\d{1,10}$/.test(String(value)) ? Number(value) : Number.NaN
  return number >= minimum && number <= maximum
    ? undefined
    : `must be a whole number from ${minimum} to ${maximum}`
}

function textProblem(schema: TSchema, text: string) {
  const { minLength, maxLength, pattern, 'x-problem': problem } = schema
  const length = codePoints(text)
  if (length < minLength)
    return minLength === 1 ? 'must not be empty' : `must be at least ${minLength} characters`
  if (length > maxLength) return tooLong(schema)
  return pattern === undefined || new RegExp(pattern, 'u').test(text)
    ? undefined
    : (problem ?? 'is not valid')
}

const KINDS = [
  TEXT,
  LINE,
  LINES,
  PARAGRAPHS,
  DAY,
  BIRTHDAY,
  ZONE,
  DATE_TIME,
  DAY_OR_DATE_TIME,
  QUERY_INTEGER,
  QUERY_FLAG,
  KEYWORD,
  PATH_ID,
  FILE,
]
for (const kind of KINDS) {
  TypeRegistry.Set<TSchema>(kind, (schema, value) => customProblem(schema, value) === undefined)
}

// Formats in responses. Elysia's own checks accept more forms, and would take an eighth of the time of a list of thousands.
FormatRegistry.Set('date', (text) => /^\d{4}-\d\d-\d\d$/.test(text))
FormatRegistry.Set('date-time', (text) =>
  /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?[+-]\d\d:\d\d$/.test(text),
)

const textSchema = (kind: string, { min = 1, max, problem, ...rest }: TextOptions) =>
  Type.Unsafe<string>({
    [Kind]: kind,
    type: 'string',
    minLength: min,
    maxLength: max,
    ...(problem !== undefined && { 'x-problem': problem }),
    ...rest,
  })

/**
 * A single line: stray bidirectional controls are removed, and it is trimmed and normalised to NFC before it is measured. It
 * may not contain control characters except tabs.
 */
export const line = (options: TextOptions) =>
  Type.Transform(textSchema(LINE, options))
    .Decode(tidyLine)
    .Encode((value) => value)

/** The same for a few lines, such as a postal address. */
export const lines = (options: TextOptions) =>
  Type.Transform(textSchema(LINES, options))
    .Decode(tidyLine)
    .Encode((value) => value)

/** A text of several lines: stray bidirectional controls are removed, and it is normalised to NFC, but never trimmed. */
export const paragraphs = (options: TextOptions) =>
  Type.Transform(textSchema(PARAGRAPHS, options))
    .Decode(tidyParagraphs)
    .Encode((value) => value)

/** A visible character: not white space, control or zero-width, nor U+2800, the blank Braille pattern. */
const VISIBLE = '[^\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800]'

/** Paragraphs that contain at least one visible character. */
export const requiredParagraphs = (options: { readonly max: number; readonly examples: readonly string[] }) =>
  paragraphs({ ...options, pattern: VISIBLE, problem: 'must not be empty' })

/** A text that is used exactly as sent: passwords, codes, tokens. */
export const verbatim = (options: TextOptions) => textSchema(TEXT, options)

/**
 * A text that matches a pattern. Not `Type.String`, for which Elysia puts a value of another type into a message of its own,
 * and fails when an object cannot be converted to a string.
 */
const patterned = ({ problem, ...rest }: Omit<TextOptions, 'min' | 'max'> & { pattern: string }) =>
  Type.Unsafe<string>({ [Kind]: TEXT, type: 'string', 'x-problem': problem, ...rest })

/** An e-mail address as `<input type=email>` accepts it (HTML standard, section 4.10.5.1.5). */
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

/** A day as `YYYY-MM-DD`, or as `--MM-DD` when the year is unknown. */
export const birthday = (description: string) =>
  Type.Unsafe<string>({
    [Kind]: BIRTHDAY,
    type: 'string',
    pattern: '^([0-9]{4}|-)-[0-9]{2}-[0-9]{2}$',
    description,
    examples: ['1915-12-10', '--12-10'],
  })

/** A time of day as `HH:MM`. */
export const timeOfDay = () =>
  patterned({ pattern: '^([01][0-9]|2[0-3]):[0-5][0-9]$', problem: 'must be a time of day as HH:MM' })

/** An IANA time zone or alias; accepted regardless of case, and converted to the spelling of the database. */
export const timeZone = () =>
  Type.Transform(Type.Unsafe<string>({ [Kind]: ZONE, type: 'string' }))
    .Decode((value) => zoneNamed(value) ?? value)
    .Encode((value) => value)

/** An RFC 3339 date-time; without an offset it is wall time in the zone that the route documents. */
export const dateTime = (description: string) =>
  Type.Unsafe<string>({ [Kind]: DATE_TIME, type: 'string', format: 'date-time', description })

/** A calendar day, or a date-time as in `dateTime`. */
export const dayOrDateTime = (description: string) =>
  Type.Unsafe<string>({
    [Kind]: DAY_OR_DATE_TIME,
    type: 'string',
    description,
    examples: ['2026-03-01', '2026-03-01T09:00:00+01:00'],
  })

/** The id in a path. Accepts anything, so that `readId` can return 404 for invalid ids. */
export const pathId = (description: string) =>
  Type.Unsafe<string>({ [Kind]: PATH_ID, type: 'integer', minimum: 1, maximum: MAX_ID, description })

/** A name in a path that is not a number. Accepts anything; an unknown name is not found. */
export const pathName = (description: string) =>
  Type.Unsafe<string>({ [Kind]: PATH_ID, type: 'string', description })

/** An integer in a query, where every value is a string. */
export const queryInteger = (minimum: number, maximum: number, description: string) =>
  Type.Transform(
    Type.Unsafe<number>({ [Kind]: QUERY_INTEGER, type: 'integer', minimum, maximum, description }),
  )
    // Elysia decodes a query twice: the second time the value is already a number.
    .Decode(Number)
    .Encode((value) => value)

/** A boolean in a query, where every value is a string; a name without a value means true. */
export const queryFlag = (description: string) =>
  Type.Transform(Type.Unsafe<boolean>({ [Kind]: QUERY_FLAG, type: 'boolean', description }))
    // Elysia decodes a query twice: the second time the value is already a boolean.
    .Decode((value) => String(value) !== 'false')
    .Encode((value) => value)

/** The body of an import: a file of this media type only. */
export const file = (contentMediaType: string, description: string) =>
  Type.Unsafe<Uint8Array>({ [Kind]: FILE, type: 'string', contentMediaType, description })

/** One of these words, regardless of case. */
export const keyword = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Transform(Type.Unsafe<Word>({ [Kind]: KEYWORD, type: 'string', enum: words, description }))
    .Decode((value) => words.find((word) => sameKeyword(word, value)) ?? value)
    .Encode((value) => value)

/** An object that refuses unknown fields; with `additionalProperties: false` Elysia would strip them silently. */
export const strictObject = <T extends TProperties>(properties: T, options: ObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: Type.Never() })

/** The body of a route without input: absent, or an object without fields. */
export const emptyBody = () => strictObject({}, { 'x-omittable': true })

export const optionalNullable = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** The position of an entry in its list, from 1. */
export const listPosition = () =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'A position beyond the end means the end.' }),
  )

/** A colour as `#rrggbb`. */
export const color = () =>
  patterned({
    pattern: '^#[0-9A-Fa-f]{6}$',
    problem: 'must be a colour as #rrggbb',
    examples: ['#3b82f6'],
  })
