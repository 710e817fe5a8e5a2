import { expect, test } from 'bun:test'
import { xmlReader } from '../../src/adapters/xml'
import { XmlError } from '../../src/lib/ports/xml'

/** Longer than several pieces, with characters of two code units at any of their edges. */
const LONG = `<a xmlns="urn:x">${'<b c="1">&amp;😀ä]]&gt;</b>'.repeat(9000)}</a>`

test('a long text is read in pieces as it is read at once, with pauses between them', async () => {
  for (let shift = 0; shift < 4; shift++) {
    const text = `${' '.repeat(shift)}${LONG}`
    let pauses = 0
    const read = await xmlReader.readInPieces(text, async () => void pauses++)
    expect(read).toEqual(xmlReader.read(text))
    expect(pauses).toBeGreaterThan(10)
  }
})

test('what is wrong in the last piece is refused, and nothing is read after what is wrong in the first', async () => {
  let pauses = 0
  const read = (text: string) => xmlReader.readInPieces(text, async () => void pauses++)
  await expect(read(LONG.slice(0, -4))).rejects.toThrow(XmlError)
  expect(pauses).toBeGreaterThan(10)
  pauses = 0
  await expect(read(`<!DOCTYPE a>${LONG}`)).rejects.toThrow(XmlError)
  expect(pauses).toBe(0)
})
