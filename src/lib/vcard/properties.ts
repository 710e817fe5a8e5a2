import { decodeText, escapeLegacy, fold, quotedPrintable } from './encoding'
import { type ContentLine, type Param, paramsOf, rawValue, type VCardVersion } from './lines'

/** A property of a vCard as in a jCard (RFC 7095, section 3.3), except that its value stays escaped. */
export type VCardProperty = readonly [
  /** In lower case. */
  name: string,
  /** Keys are in lower case; `group` is the property's group. */
  params: Readonly<Record<string, string | readonly string[]>>,
  /** The `VALUE` parameter in lower case, or else `unknown`. */
  type: string,
  value: string,
]

/** Reads a content line of any version as a property of 4.0. Returns undefined where its value is not in its encoding. */
export function toProperty(line: ContentLine, version: VCardVersion): VCardProperty | undefined {
  const params = paramsOf(line)
  const type = params.find(({ name }) => name === 'value')?.values[0]?.toLowerCase() ?? 'unknown'
  const value = textOf(line, version)
  if (value === undefined) return undefined
  const { group } = line
  return [line.name.toLowerCase(), { ...recordOf(params), ...(group === '' ? {} : { group }) }, type, value]
}

const recordOf = (params: readonly Param[]): Record<string, readonly string[]> =>
  Object.fromEntries(
    [...Map.groupBy(params, ({ name }) => name)].map(([name, same]) => [
      name,
      same.flatMap(({ values }) => [...values]),
    ]),
  )

const fromBase64 = (text: string) => Uint8Array.fromBase64(text)

/** Decoders of the transfer encodings. */
const DECODERS = new Map<string, (text: string) => Uint8Array>([
  ['quoted-printable', quotedPrintable],
  ['base64', fromBase64],
  ['b', fromBase64],
])

/** Properties in which commas separate values. */
const LISTS = new Set(['CATEGORIES', 'NICKNAME'])

/** The value as 3.0 and 4.0 write it: without a transfer encoding. Undefined where it is not in its encoding. */
export function textOf(line: ContentLine, version: VCardVersion): string | undefined {
  const params = paramsOf(line)
  const first = (wanted: string) => params.find(({ name }) => name === wanted)?.values[0] ?? ''
  const decode = DECODERS.get(first('encoding').toLowerCase())
  const written = rawValue(line)
  if (version !== '2.1' && !decode) return written
  const text = decode ? decoded(decode, written, first('charset')) : written
  if (text === undefined) return undefined
  // Commas in these mean the same in every version.
  const isPlain = LISTS.has(line.name) || line.name === 'URL' || /^ur[il]$/i.test(first('value'))
  return isPlain ? text.replace(/[\r\n]+/g, ' ') : escapeLegacy(text)
}

function decoded(decode: (text: string) => Uint8Array, written: string, charset: string): string | undefined {
  try {
    return decodeText(decode(written), charset).replaceAll('\0', '')
  } catch {
    return undefined
  }
}

/** Prints a property of 4.0 as a folded line. */
export function printProperty([name, { group, ...params }, type, value]: VCardProperty): string {
  const typed = type === 'unknown' || params['value'] !== undefined ? {} : { value: type.toUpperCase() }
  const texts = Object.entries({ ...params, ...typed }).map(
    ([key, values]) => `;${key.toUpperCase()}=${[values].flat().map(printParam).join()}`,
  )
  const prefix = group === undefined ? '' : `${String(group)}.`
  return `${fold(`${prefix}${name}`.toUpperCase() + `${texts.join('')}:${value}`)}\r\n`
}

const ENCODED: Readonly<Record<string, string>> = { '^': '^^', '"': "^'", '\n': '^n' }

/** A value of a parameter, in quotes where it needs them (RFC 6350, section 3.3; RFC 6868). */
function printParam(value: string): string {
  const text = value.replace(/[\^"\n]/g, (character) => ENCODED[character] ?? '').replace(/\p{Cc}/gu, ' ')
  return /[,;:]/.test(text) ? `"${text}"` : text
}
