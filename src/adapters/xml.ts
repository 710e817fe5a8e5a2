import { type SaxesAttributeNS, SaxesParser, type SaxesTagNS } from 'saxes'
import { XmlError, type XmlReader } from '../lib/ports/xml'
import type { XmlElement } from '../lib/xml/element'

const MAX_DEPTH = 32
const MAX_ATTRIBUTES = 64
/** A request for ten thousand objects has one for each. */
const MAX_ELEMENTS = 25_000

/** Bytes that are read between two pauses: about a millisecond. */
const PIECE = 16_384

/** Reads XML with saxes, which knows no entity but the five of XML itself. */
export const xmlReader: XmlReader = {
  read(text) {
    const { parser, tree } = begin()
    parser.write(text).close()
    return tree.root()
  },
  async readInPieces(bytes, pause) {
    const { parser, tree } = begin()
    for (const piece of decoded(bytes)) {
      parser.write(piece)
      await pause()
    }
    parser.close()
    return tree.root()
  },
}

/** The text, in pieces. @throws {XmlError} where it is not UTF-8. */
function* decoded(bytes: Uint8Array): Generator<string> {
  const utf8 = new TextDecoder('utf-8', { fatal: true })
  try {
    for (let at = 0; at < bytes.length; at += PIECE)
      yield utf8.decode(bytes.subarray(at, at + PIECE), { stream: true })
    yield utf8.decode()
  } catch (error) {
    throw error instanceof TypeError ? new XmlError('the text is not UTF-8') : error
  }
}

function begin() {
  const parser = new SaxesParser({ xmlns: true })
  const tree = new Tree()
  parser.on('error', ({ message }) => {
    throw new XmlError(message)
  })
  parser.on('doctype', () => {
    throw new XmlError('a document type is not allowed')
  })
  parser.on('opentag', (tag) => tree.open(tag))
  parser.on('text', (part) => tree.add(part))
  parser.on('cdata', (part) => tree.add(part))
  parser.on('closetag', () => tree.close())
  return { parser, tree }
}

interface OpenElement {
  readonly name: string
  readonly attributes: ReadonlyMap<string, string>
  readonly nodes: Array<XmlElement | string>
}

class Tree {
  readonly #open: OpenElement[] = []
  #root: XmlElement | undefined
  #count = 0

  root(): XmlElement {
    if (!this.#root) throw new XmlError('there is no element')
    return this.#root
  }

  open({ uri, local, attributes }: SaxesTagNS): void {
    const given = Object.values(attributes)
    if (this.#open.length >= MAX_DEPTH) throw new XmlError('the elements are nested too deep')
    if (++this.#count > MAX_ELEMENTS) throw new XmlError('there are too many elements')
    if (given.length > MAX_ATTRIBUTES) throw new XmlError('an element has too many attributes')
    const own = given.filter(({ prefix, name }) => prefix !== 'xmlns' && name !== 'xmlns')
    this.#open.push({
      name: `{${uri}}${local}`,
      attributes: new Map(own.map((each) => [nameOf(each), each.value])),
      nodes: [],
    })
  }

  add(text: string): void {
    this.#open.at(-1)?.nodes.push(text)
  }

  close(): void {
    const open = this.#open.pop()
    if (!open) return
    const { nodes, ...rest } = open
    const children = nodes.filter((node) => typeof node !== 'string')
    const text = nodes.filter((node) => typeof node === 'string').join('')
    const element = { ...rest, children, text, ...(children.length > 0 && text !== '' && { nodes }) }
    const parent = this.#open.at(-1)
    if (parent) parent.nodes.push(element)
    else this.#root = element
  }
}

/** An attribute without a prefix belongs to no namespace. */
const nameOf = ({ uri, local }: SaxesAttributeNS) => (uri === '' ? local : `{${uri}}${local}`)
