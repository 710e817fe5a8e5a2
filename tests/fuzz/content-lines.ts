import type { Draw } from './draw'

/** Lines of iCalendar and vCard files by their common grammar (RFC 5545, section 3.1; RFC 6350, section 3.3). */

const TEXTS = [
  'Choir',
  'Grüße, 日本語; 😀',
  'back\\slash',
  'two\nlines',
  '',
  ' ',
  'ﷺ‮x',
  'a:b;c,d"e\'f^g',
  '=C3=A4',
  '%41&amp;<b>',
  'e\u0301',
] as const

/** A text as it is written: commas, semicolons, backslashes and line ends are escaped. */
export const escaped = (text: string): string =>
  text
    .replaceAll('\\', '\\\\')
    .replaceAll(/([;,])/g, '\\$1')
    .replaceAll('\n', '\\n')

export function textValue(draw: Draw): string {
  const text = draw.percent(60) ? draw.pick(TEXTS) : draw.text(0, 60)
  return escaped(draw.percent(4) ? text.repeat(40) : text)
}

/** Values of parameters: bare, quoted, with what RFC 6868 escapes. */
const parameterValue = (draw: Draw): string =>
  draw.pick(['x', 'A-b_1', '"a;b:c,d"', '""', '"^n^\'^^"', 'ä', 'a,b', '"a","b;c"', '"mailto:x@example.org"'])

export const parameters = (draw: Draw, names: readonly string[]): string =>
  draw.percent(75)
    ? ''
    : Array.from({ length: draw.integer(1, 3) }, (_, n) => `;X-P${n}=${parameterValue(draw)}`).join('') +
      (draw.oneOf(names) ?? '')

/** Upper case, lower case or both, as a program likes. */
export const spelled = (draw: Draw, name: string): string =>
  draw.percent(96) ? name : draw.pick([name.toLowerCase(), name[0] + name.slice(1).toLowerCase()])

/** A property that no standard knows. */
export const extension = (draw: Draw): string =>
  `X-${draw.matching('^[A-Z]{1,10}$')}${parameters(draw, [])}:${draw.pick(['', 'kept', ':;,"', textValue(draw)])}`

export const base64 = (draw: Draw): string => Buffer.from('x'.repeat(draw.integer(0, 400))).toString('base64')

/** Lines as a file, folded after so many octets; some programs fold everywhere, or nowhere, and end lines in their own way. */
export function fileFrom(draw: Draw, lines: readonly string[]): Uint8Array<ArrayBuffer> {
  const end = draw.percent(85) ? '\r\n' : '\n'
  const width = draw.pick([75, 75, 75, 60, 20, 10_000])
  const space = draw.percent(92) ? ' ' : '\t'
  const text = lines.map((line) => folded(line, width, `${end}${space}`) + end).join('')
  return new Uint8Array(Buffer.from(text))
}

/** Between code points; the fold counts as an octet of the next line. */
function folded(line: string, width: number, fold: string): string {
  let [text, length] = ['', 0]
  for (const character of line) {
    const bytes = Buffer.byteLength(character)
    if (length + bytes > width) {
      text += fold
      length = 1
    }
    text += character
    length += bytes
  }
  return text
}
