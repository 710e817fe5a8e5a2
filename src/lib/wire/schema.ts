import {
  Kind,
  type ObjectOptions,
  type Static,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox'
import { Value } from '@sinclair/typebox/value'
import { MAX_ID } from './id'
import { KINDS, sameKeyword } from './schema-kinds'
import { zoneNamed } from '../time/zone-names'
import { tidyLine, tidyParagraphs } from './tidy'

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
  Type.Transform(textSchema(KINDS.line, options))
    .Decode(tidyLine)
    .Encode((value) => value)

/** The same for a few lines, such as a postal address. */
export const lines = (options: TextOptions) =>
  Type.Transform(textSchema(KINDS.lines, options))
    .Decode(tidyLine)
    .Encode((value) => value)

/** A text of several lines: stray bidirectional controls are removed, and it is normalised to NFC, but never trimmed. */
export const paragraphs = (options: TextOptions) =>
  Type.Transform(textSchema(KINDS.paragraphs, options))
    .Decode(tidyParagraphs)
    .Encode((value) => value)

/** A visible character: not white space, control or zero-width, nor U+2800, the blank Braille pattern. */
const VISIBLE = '[^\\s\\p{Cc}\\p{Default_Ignorable_Code_Point}\\u2800]'

/** Paragraphs that contain at least one visible character. */
export const requiredParagraphs = (options: { readonly max: number; readonly examples: readonly string[] }) =>
  paragraphs({ ...options, pattern: VISIBLE, problem: 'must not be empty' })

/** A text that is used exactly as sent: passwords, codes, tokens. */
export const verbatim = (options: TextOptions) => textSchema(KINDS.text, options)

/**
 * A text that matches a pattern. Not `Type.String`, for which Elysia puts a value of another type into a message of its own,
 * and fails when an object cannot be converted to a string.
 */
const patterned = ({ problem, ...rest }: Omit<TextOptions, 'min' | 'max'> & { pattern: string }) =>
  Type.Unsafe<string>({ [Kind]: KINDS.text, type: 'string', 'x-problem': problem, ...rest })

/** An e-mail address as `<input type=email>` accepts it (HTML standard, section 4.10.5.1.5). */
const EMAIL =
  "^[a-zA-Z0-9.!#$%&'*+\\/=?^_`{|}~\\-]+@[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?(?:\\.[a-zA-Z0-9](?:[a-zA-Z0-9\\-]{0,61}[a-zA-Z0-9])?)*$"

const MAX_EMAIL = 254

export const email = () =>
  line({
    max: MAX_EMAIL,
    pattern: EMAIL,
    format: 'email',
    problem: 'must be an email address',
    examples: ['ada@example.org'],
  })

const IS_EMAIL = new RegExp(EMAIL)

/** Whether the text is an e-mail address, for texts that come from elsewhere than a request. */
export const isEmail = (text: string): boolean => text.length <= MAX_EMAIL && IS_EMAIL.test(text)

/** A calendar day between 1900-01-01 and 2200-12-31, as `YYYY-MM-DD`. */
export const day = () => Type.Unsafe<string>({ [Kind]: KINDS.day, type: 'string', format: 'date' })

/** A day as `YYYY-MM-DD`, or as `--MM-DD` when the year is unknown. */
export const birthday = (description: string) =>
  Type.Unsafe<string>({
    [Kind]: KINDS.birthday,
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
  Type.Transform(Type.Unsafe<string>({ [Kind]: KINDS.zone, type: 'string' }))
    .Decode((value) => zoneNamed(value) ?? value)
    .Encode((value) => value)

/** An RFC 3339 date-time; without an offset it is wall time in the zone that the route documents. */
export const dateTime = (description: string) =>
  Type.Unsafe<string>({ [Kind]: KINDS.dateTime, type: 'string', format: 'date-time', description })

/** A calendar day, or a date-time as in `dateTime`. */
export const dayOrDateTime = (description: string) =>
  Type.Unsafe<string>({
    [Kind]: KINDS.dayOrDateTime,
    type: 'string',
    description,
    examples: ['2026-03-01', '2026-03-01T09:00:00+01:00'],
  })

/** The id in a path. Accepts anything, so that `readId` can return 404 for invalid ids. */
export const pathId = (description: string) =>
  Type.Unsafe<string>({ [Kind]: KINDS.pathId, type: 'integer', minimum: 1, maximum: MAX_ID, description })

/** A name in a path that is not a number. Accepts anything; an unknown name is not found. */
export const pathName = (description: string) =>
  Type.Unsafe<string>({ [Kind]: KINDS.pathId, type: 'string', description })

/** An integer in a query, where every value is a string. */
export const queryInteger = (minimum: number, maximum: number, description: string) =>
  Type.Transform(
    Type.Unsafe<number>({ [Kind]: KINDS.queryInteger, type: 'integer', minimum, maximum, description }),
  )
    // Elysia decodes a query twice: the second time the value is already a number.
    .Decode(Number)
    .Encode((value) => value)

/** A boolean in a query, where every value is a string; a name without a value means true. */
export const queryFlag = (description: string) =>
  Type.Transform(Type.Unsafe<boolean>({ [Kind]: KINDS.queryFlag, type: 'boolean', description }))
    // Elysia decodes a query twice: the second time the value is already a boolean.
    .Decode((value) => String(value) !== 'false')
    .Encode((value) => value)

/** The body of an import: a file of this media type only. */
export const file = (contentMediaType: string, description: string) =>
  Type.Unsafe<Uint8Array>({ [Kind]: KINDS.file, type: 'string', contentMediaType, description })

/** One of these words, regardless of case. */
export const keyword = <Word extends string>(words: readonly Word[], description: string) =>
  Type.Transform(Type.Unsafe<Word>({ [Kind]: KINDS.keyword, type: 'string', enum: words, description }))
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

/** What a hand-made order goes by. */
export const rank = () =>
  Type.String({
    description:
      'The order is that of these decimal numbers of any length. Moving one entry changes its rank alone, while `position` says where it stands now.',
    examples: ['12.5'],
  })

/** A colour as `#rrggbb`. */
export const color = () =>
  patterned({
    pattern: '^#[0-9A-Fa-f]{6}$',
    problem: 'must be a colour as #rrggbb',
    examples: ['#3b82f6'],
  })

/** A value that a route has checked against this schema before. @throws {Error} when it has not. */
export function checked<Schema extends TSchema>(schema: Schema, value: unknown): Static<Schema> {
  if (Value.Check(schema, value)) return value
  throw new Error('the value was not checked')
}
