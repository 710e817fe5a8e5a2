import type { XmlElement } from './element'
import { partsOf, PREFIXES } from './names'

const PREFIX_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(PREFIXES).map(([prefix, namespace]) => [namespace, prefix]),
)
const XML = 'http://www.w3.org/XML/1998/namespace'

const ESCAPES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  '\r': '&#13;',
}

/** Characters that XML cannot hold, half surrogates among them, are left out (contract: dav.text). */
// oxlint-disable-next-line no-control-regex
const UNWRITABLE = /[\u0000-\u0008\u000B\u000C\u000E-\u001F\uFFFE\uFFFF]|\p{Surrogate}/gu

/** A text as the content of an element or the value of an attribute. */
export const escapeXml = (text: string): string =>
  text.replace(UNWRITABLE, '').replace(/[&<>"\r]/g, (found) => ESCAPES[found] ?? found)

/** Writes an element with content that is XML already. */
export function element(
  name: string,
  content = '',
  attributes: Readonly<Record<string, string>> = {},
): string {
  const [tag, declaration] = tagOf(name)
  const given = Object.entries(attributes).map(([key, value]) => ` ${key}="${escapeXml(value)}"`)
  const head = `${tag}${declaration}${given.join('')}`
  return content === '' ? `<${head}/>` : `<${head}>${content}</${tag}>`
}

/** Writes an element with a text. */
export const textElement = (
  name: string,
  text: string,
  attributes: Readonly<Record<string, string>> = {},
): string => element(name, escapeXml(text), attributes)

/** Names the tag, and declares a namespace that no document of ours declares. */
function tagOf(name: string): readonly [tag: string, declaration: string] {
  const [namespace, local] = partsOf(name)
  const prefix = PREFIX_OF.get(namespace)
  if (prefix !== undefined) return [`${prefix}:${local}`, '']
  if (namespace === XML) return [`xml:${local}`, '']
  return namespace === '' ? [local, ''] : [`x:${local}`, ` xmlns:x="${escapeXml(namespace)}"`]
}

const DECLARATIONS = Object.entries(PREFIXES)
  .map(([prefix, namespace]) => ` xmlns:${prefix}="${namespace}"`)
  .join('')

/** How a document begins and ends whose content is written in pieces. */
export function documentOf(name: string): readonly [begin: string, end: string] {
  const [tag] = tagOf(name)
  return [`<?xml version="1.0" encoding="utf-8"?>\n<${tag}${DECLARATIONS}>`, `</${tag}>\n`]
}

/** A whole document. */
export function document(name: string, content: string): string {
  const [begin, end] = documentOf(name)
  return begin + content + end
}

/** Writes what was read, so that it means the same anywhere in a document. */
export function rewrite(read: XmlElement): string {
  const attributes = [...read.attributes].map(([name, value], place) => attributeOf(name, value, place))
  const [tag, declaration] = tagOf(read.name)
  const nodes = read.nodes ?? (read.children.length > 0 ? read.children : [read.text])
  const content = nodes.map((node) => (typeof node === 'string' ? escapeXml(node) : rewrite(node))).join('')
  return `<${tag}${declaration}${attributes.join('')}>${content}</${tag}>`
}

function attributeOf(name: string, value: string, place: number): string {
  if (!name.startsWith('{')) return ` ${name}="${escapeXml(value)}"`
  const [namespace, local] = partsOf(name)
  if (namespace === XML) return ` xml:${local}="${escapeXml(value)}"`
  return ` y${place}:${local}="${escapeXml(value)}" xmlns:y${place}="${escapeXml(namespace)}"`
}

/** The text of an element that `rewrite` wrote and that holds nothing else. */
export const textIn = (xml: string): string =>
  xml
    .replace(/^<[^>]*>|<[^>]*>$/g, '')
    .replace(/&(?:amp|lt|gt|quot|#13);/g, (found) => UNESCAPED[found] ?? found)
    .trim()

const UNESCAPED: Readonly<Record<string, string>> = Object.fromEntries(
  Object.entries(ESCAPES).map(([plain, escaped]) => [escaped, plain]),
)
