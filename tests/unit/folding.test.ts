import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { calendarFiles } from '../../src/adapters/icalendar'
import { printProperty } from '../../src/lib/vcard/properties'

const utf8 = new TextEncoder()
const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The physical lines of a file as bytes, without what ends them. */
function physicalLines(file: string): Uint8Array[] {
  const bytes = utf8.encode(file)
  const lines: Uint8Array[] = []
  for (let start = 0; start < bytes.length;) {
    const end = bytes.indexOf(13, start)
    expect([bytes[end], bytes[end + 1]]).toEqual([13, 10])
    lines.push(bytes.subarray(start, end))
    start = end + 2
  }
  return lines
}

const text = fc
  .array(fc.constantFrom('a', 'b c', ' ', 'ü', 'ß', '東', '京', '🎂', '👩‍👩‍👧', '\t', 'x'.repeat(70), '\ufeff'), {
    maxLength: 120,
  })
  .map((parts) => parts.join(''))

const FORMATS: ReadonlyArray<readonly [string, (value: string) => string]> = [
  ['iCalendar', (value) => calendarFiles.print([`X-NOTE:${value}`])],
  ['vCard', (value) => printProperty(['x-note', {}, 'unknown', value])],
]

test.each(FORMATS)('lines of %s have at most 75 octets, and none ends within a character', (_, print) => {
  fc.assert(
    fc.property(text, (value) => {
      const file = print(value)
      for (const line of physicalLines(file)) {
        expect(line.length).toBeLessThanOrEqual(75)
        expect(() => strict.decode(line)).not.toThrow()
      }
      expect(file.replaceAll('\r\n ', '')).toContain(`X-NOTE:${value}\r\n`)
    }),
    { numRuns: 500 },
  )
})

test.each(FORMATS)('a line of %s is folded where it must be, and nowhere else', (_, print) => {
  const lengths = (value: string) =>
    physicalLines(print(value))
      .filter((line) => /^(?:X-NOTE| )/.test(strict.decode(line)))
      .map((line) => line.length)
  expect(lengths('x'.repeat(68))).toEqual([75])
  expect(lengths('x'.repeat(69))).toEqual([75, 2])
  expect(lengths('x'.repeat(68 + 74))).toEqual([75, 75])
  expect(lengths(`${'x'.repeat(67)}ü`)).toEqual([74, 3])
  expect(lengths(`${'x'.repeat(68)}${'x'.repeat(73)}ü`)).toEqual([75, 74, 3])
})
