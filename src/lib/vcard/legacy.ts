import type { LineDraft } from './draft'

/** Lines of vCard 2.1, which has no escapes but for semicolons, and no folding within words. */

const MAX_LENGTH = 70

/** A draft of 3.0 as a line of 2.1: QUOTED-PRINTABLE where it is long, has several lines, or letters beyond ASCII. */
export function printLegacy({ group, name, params, value }: LineDraft, lineBreak: string): string {
  const prefix = group === '' ? '' : `${group}.`
  const head = `${prefix}${name}${params.map(({ text }) => `;${text}`).join('')}`
  const text = plain(value)
  if (/^[ -~]*$/.test(text) && head.length + text.length < MAX_LENGTH) return `${head}:${text}${lineBreak}`
  return `${head};CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:${quoted(text, lineBreak)}${lineBreak}`
}

/** Commas stand for themselves, and line breaks as they are. */
const plain = (value: string): string =>
  value.replace(/\\([\s\S])/g, (whole, escaped: string) => {
    if (escaped.toLowerCase() === 'n') return '\r\n'
    return escaped === ';' ? whole : escaped
  })

const quoted = (text: string, lineBreak: string): string => {
  const pieces = Array.from(new TextEncoder().encode(text), (byte) =>
    byte >= 0x20 && byte <= 0x7e && byte !== 0x3d
      ? String.fromCharCode(byte)
      : `=${byte.toString(16).toUpperCase().padStart(2, '0')}`,
  )
  const lines = ['']
  for (const piece of pieces) {
    const last = lines.at(-1) ?? ''
    if (last.length + piece.length > MAX_LENGTH) lines.push(piece)
    else lines[lines.length - 1] = last + piece
  }
  return lines.join(`=${lineBreak}`)
}
