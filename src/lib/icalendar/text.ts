/** Values of vCard 4.0 properties (RFC 6350, sections 3.4 and 4). */

export const unescapeText = (value: string): string =>
  value.replace(/\\([\s\S])/g, (_, escaped: string) => (escaped.toLowerCase() === 'n' ? '\n' : escaped))

export const escapeText = (text: string): string =>
  text.replace(/[\\,]/g, '\\$&').replace(/\r\n|\n|\r/g, '\\n')

/** Escapes one component of a value that uses semicolons as separators. */
export const escapeComponent = (text: string): string => escapeText(text).replaceAll(';', '\\;')

/** Splits at separators that are not escaped; the parts stay escaped. */
export const splitValue = (value: string, separator: ',' | ';'): string[] => {
  const parts = ['']
  for (const [piece] of value.matchAll(/\\[\s\S]|[^\\,;]+|[\s\S]/g)) {
    if (piece === separator) parts.push('')
    else parts[parts.length - 1] += piece
  }
  return parts
}

const present = (parts: readonly string[]) =>
  parts.map((part) => unescapeText(part).trim()).filter((part) => part !== '')

/** Joins the entries of a list into one text. */
export const readList = (value: string, joint = ', '): string => present(splitValue(value, ',')).join(joint)

/** The inverse of `readList`; a text that is no such list becomes a single entry. */
export function printList(text: string): string {
  const entries = text.split(', ')
  const isList = entries.every((entry) => entry !== '' && entry === entry.trim())
  return isList ? entries.map(escapeText).join(',') : escapeText(text)
}

/** The non-empty components of a structured value, each as one text. */
export const readComponents = (value: string): string[] =>
  splitValue(value, ';')
    .map((component) => readList(component))
    .filter((component) => component !== '')
