import { decodeText } from './encoding'
import { type LineDraft, first, has, param, type Rewrite, without, withParam } from './draft'
import { escapeText } from '../icalendar/text'

/** Pictures, sounds and keys: 3.0 writes base64, 4.0 a `data:` URI (RFC 6350, section 6.2.4). */

const FAMILIES = new Map([
  ['PHOTO', 'image'],
  ['LOGO', 'image'],
  ['SOUND', 'audio'],
  ['KEY', 'application'],
])

const UNKNOWN = 'application/octet-stream'

export const isBase64 = (draft: LineDraft) => /^(?:b|base64)$/i.test(first(draft, 'encoding'))
export const isBinary = ({ name }: LineDraft) => FAMILIES.has(name) || name.startsWith('X-')

/** Of 3.0, for 4.0. Text in base64 becomes text. */
export const toDataUri: Rewrite = (draft) => {
  if (!isBase64(draft)) return draft
  if (!isBinary(draft)) return toText(draft)
  const family = FAMILIES.get(draft.name)
  const type = family === undefined ? '' : first(draft, 'type').toLowerCase()
  const mediaType = type.includes('/') || type === '' ? type || UNKNOWN : `${family}/${type}`
  const kept = without(draft, 'encoding', 'value', ...(family === undefined ? [] : ['type']))
  return { ...kept, value: `data:${mediaType};base64,${draft.value.replace(/\s/g, '')}` }
}

function toText(draft: LineDraft): LineDraft {
  try {
    const text = decodeText(Uint8Array.fromBase64(draft.value), first(draft, 'charset'))
    return { ...without(draft, 'encoding', 'charset'), value: escapeText(text.replaceAll('\0', '')) }
  } catch {
    return draft
  }
}

const DATA_URI = /^data:([\w.+/-]+);base64,/i
/** A longer beginning has no type of media that anybody knows. */
const MAX_TYPE_LENGTH = 200

/** Of 4.0, for 3.0. */
export const fromDataUri: Rewrite = (draft) => {
  const [start = '', mediaType = ''] = DATA_URI.exec(draft.value.slice(0, MAX_TYPE_LENGTH)) ?? []
  if (start === '' || !isInline(draft, mediaType.toLowerCase())) return named(draft)
  const kept = without(draft, 'value', 'mediatype')
  const encoded = withParam({ ...kept, value: draft.value.slice(start.length) }, param('ENCODING', ['b']))
  const type = typeOf(draft.name, mediaType.toLowerCase())
  return type === '' ? encoded : withParam(encoded, param('TYPE', [type]))
}

/** Whether 3.0 would write the value in base64. */
const isInline = (draft: LineDraft, mediaType: string) =>
  FAMILIES.has(draft.name) || (isBinary(draft) && mediaType === UNKNOWN)

function typeOf(name: string, mediaType: string): string {
  const [family, kind = ''] = mediaType.split('/')
  if (mediaType === UNKNOWN || !FAMILIES.has(name)) return ''
  return family === FAMILIES.get(name) ? kind.toUpperCase() : mediaType
}

/** An address in the place of the picture: 4.0 need not say that it is one. */
const named = (draft: LineDraft): LineDraft =>
  FAMILIES.has(draft.name) && !has(draft, 'value') && /^[a-z][\w+.-]*:/i.test(draft.value.slice(0, 100))
    ? withParam(draft, param('VALUE', ['uri']))
    : draft
