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

/** A line of a file, in which a control character is no reason to lose the rest. */
export const cleanLine = (text: string) => tidyLine(withoutControls(text))

/** The same of a few lines. */
export const cleanLines = (text: string) => tidyLine(linesWithoutControls(text))

/** A text of several lines, in each of which what it says about directions ends. */
export const tidyParagraphs = (value: string) => nfc(withoutStrayDirections(value))

const TIDY: Readonly<Record<string, (value: string) => string>> = {
  [LINE]: tidyLine,
  [LINES]: tidyLine,
  [PARAGRAPHS]: tidyParagraphs,
}

/** Kinds of text that hold no control characters but tabs, and whether one holds any. */
const CONTROLLED: Readonly<Record<string, (text: string) => boolean>> = {
  [LINE]: hasControls,
  [LINES]: (text) => hasControls(text.replace(/[\r\n]/g, ' ')),
}

/** Kinds of text that either are one or are not. */
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

/** What is wrong with `value` under one of the schemas of this file, or undefined. Never repeats the value. */
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

/** Too long however it is written, which is known before anything that takes long is done with it. */
const isHopeless = ({ maxLength }: TSchema, value: string): boolean =>
  maxLength !== undefined && value.trim().length > 4 * maxLength

const tooLong = ({ maxLength }: TSchema): string => `must be at most ${maxLength} characters`

/** Kinds that are no text. */
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

// Of answers; Elysia's own checks take other forms too, and an eighth of the time of a list of thousands.
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
 * A single-line text: without stray bidirectional controls, trimmed and NFC before it is measured and used. It holds no
 * control characters but tabs.
 */
export const line = (options: TextOptions) =>
  Type.Transform(textSchema(LINE, options))
    .Decode(tidyLine)
    .Encode((value) => value)

/** The same in a few lines, as a postal address has them. */
export const lines = (options: TextOptions) =>
  Type.Transform(textSchema(LINES, options))
    .Decode(tidyLine)
    .Encode((value) => value)

/** A text of several lines: without stray bidirectional controls, NFC, never trimmed. */
export const paragraphs = (options: TextOptions) =>
  Type.Transform(textSchema(PARAGRAPHS, options))
    .Decode(tidyParagraphs)
    .Encode((value) => value)

/** A visible character: no white space, control or zero-width character, and not U+2800, the blank of Braille. */
const VISIBLE = '[^\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800]'

/** The same where there has to be one: it needs a character that one sees. */
export const requiredParagraphs = (options: { readonly max: number; readonly examples: readonly string[] }) =>
  paragraphs({ ...options, pattern: VISIBLE, problem: 'must not be empty' })

/** A text that is taken exactly as it came: passwords, codes, tokens. */
export const verbatim = (options: TextOptions) => textSchema(TEXT, options)

/**
 * A text of one form. `Type.String` will not do: Elysia writes what it finds instead of a text into a message of its own, and
 * fails over an object that cannot be turned into one.
 */
const patterned = ({ problem, ...rest }: Omit<TextOptions, 'min' | 'max'> & { pattern: string }) =>
  Type.Unsafe<string>({ [Kind]: TEXT, type: 'string', 'x-problem': problem, ...rest })

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

/** A day as `YYYY-MM-DD`, or as `--MM-DD` where the year is unknown. */
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

/** An IANA time zone, aliases included; read without regard to case, and used in the spelling of the database. */
export const timeZone = () =>
  Type.Transform(Type.Unsafe<string>({ [Kind]: ZONE, type: 'string' }))
    .Decode((value) => zoneNamed(value) ?? value)
    .Encode((value) => value)

/** An RFC 3339 date-time; without an offset it is wall time, in a zone that the operation names. */
export const dateTime = (description: string) =>
  Type.Unsafe<string>({ [Kind]: DATE_TIME, type: 'string', format: 'date-time', description })

/** A calendar day, or a date-time as `dateTime` takes it. */
export const dayOrDateTime = (description: string) =>
  Type.Unsafe<string>({
    [Kind]: DAY_OR_DATE_TIME,
    type: 'string',
    description,
    examples: ['2026-03-01', '2026-03-01T09:00:00+01:00'],
  })

/** The id of a record in a path. Whatever stands there passes: `readId` answers 404 for what is no id. */
export const pathId = (description: string) =>
  Type.Unsafe<string>({ [Kind]: PATH_ID, type: 'integer', minimum: 1, maximum: MAX_ID, description })

/** The name of a record in a path, where that is no number. Whatever stands there passes: what is no name names nothing. */
export const pathName = (description: string) =>
  Type.Unsafe<string>({ [Kind]: PATH_ID, type: 'string', description })

/** A whole number in a query, where everything arrives as text. */
export const queryInteger = (minimum: number, maximum: number, description: string) =>
  Type.Transform(
    Type.Unsafe<number>({ [Kind]: QUERY_INTEGER, type: 'integer', minimum, maximum, description }),
  )
    // Elysia decodes a query twice: the second time it is a number already.
    .Decode(Number)
    .Encode((value) => value)

/** Yes or no in a query, where everything arrives as text; a name alone says yes. */
export const queryFlag = (description: string) =>
  Type.Transform(Type.Unsafe<boolean>({ [Kind]: QUERY_FLAG, type: 'boolean', description }))
    // Elysia decodes a query twice: the second time it is a boolean already.
    .Decode((value) => String(value) !== 'false')
    .Encode((value) => value)

/** The body of an import: the bytes of a file of this media type, which no other may be. */
export const file = (contentMediaType: string, description: string) =>
  Type.Unsafe<Uint8Array>({ [Kind]: FILE, type: 'string', contentMediaType, description })

/** One of these words, read without regard to case. */
export const keyword = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Transform(Type.Unsafe<Word>({ [Kind]: KEYWORD, type: 'string', enum: words, description }))
    .Decode((value) => words.find((word) => sameKeyword(word, value)) ?? value)
    .Encode((value) => value)

/** An object that refuses fields that it does not name; Elysia's `additionalProperties: false` strips them silently. */
export const strictObject = <T extends TProperties>(properties: T, options: ObjectOptions = {}) =>
  Type.Object(properties, { ...options, additionalProperties: Type.Never() })

/** The body of an operation that has nothing to be told: none at all, or an object without fields. */
export const emptyBody = () => strictObject({}, { 'x-omittable': true })

export const optionalNullable = <T extends TSchema>(schema: T) =>
  Type.Optional(Type.Union([schema, Type.Null()]))

/** Where among its siblings something is to stand, from 1. */
export const listPosition = () =>
  Type.Optional(
    Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'Beyond the last one it is the last.' }),
  )

/** A colour as `#rrggbb`. */
export const color = () =>
  patterned({
    pattern: '^#[0-9A-Fa-f]{6}$',
    problem: 'must be a colour as #rrggbb',
    examples: ['#3b82f6'],
  })
