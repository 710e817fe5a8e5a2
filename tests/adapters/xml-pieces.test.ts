import { expect, test } from 'bun:test'
import { xmlReader } from '../../src/adapters/xml'
import { XmlError } from '../../src/lib/ports/xml'

/** Longer than several pieces, with characters of two code units at any of their edges. */
const LONG = `<a xmlns="urn:x">${'<b c="1">&amp;😀ä]]&gt;</b>'.repeat(9000)}</a>`

const bytesOf = (text: string) => new TextEncoder().encode(text)

test('a long text is read in pieces as it is read at once, with pauses between them', async () => {
  for (let shift = 0; shift < 4; shift++) {
    const text = `${' '.repeat(shift)}${LONG}`
    let pauses = 0
    const read = await xmlReader.readInPieces(bytesOf(text), async () => void pauses++)
    expect(read).toEqual(xmlReader.read(text))
    expect(pauses).toBeGreaterThan(10)
  }
})

test('what is wrong in the last piece is refused, and nothing is read after what is wrong in the first', async () => {
  let pauses = 0
  const read = (text: string) => xmlReader.readInPieces(bytesOf(text), async () => void pauses++)
  await expect(read(LONG.slice(0, -4))).rejects.toThrow(XmlError)
  expect(pauses).toBeGreaterThan(10)
  pauses = 0
  await expect(read(`<!DOCTYPE a>${LONG}`)).rejects.toThrow(XmlError)
  expect(pauses).toBe(0)
})

test('what is not UTF-8 is refused, also where only its end is missing', async () => {
  const bytes = bytesOf(`<a>${'ä'.repeat(20_000)}</a>`)
  const read = (some: Uint8Array) => xmlReader.readInPieces(some, async () => {})
  await expect(read(bytes.with(4, 0x41))).rejects.toThrow(XmlError)
  await expect(read(bytes.subarray(0, 4))).rejects.toThrow(XmlError)
  expect((await read(bytes)).text).toHaveLength(20_000)
})
