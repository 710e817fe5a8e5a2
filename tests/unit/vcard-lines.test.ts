import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { joinLines, rawValue, splitLines } from '../../src/lib/vcard/lines'
import { readCard } from '../../src/features/people/vcards/rules.reading'
import { convert } from '../../src/lib/vcard/convert'

const piece = fc.oneof(
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 12 }) },
  {
    weight: 6,
    arbitrary: fc.constantFrom(
      'BEGIN:VCARD',
      'END:VCARD',
      'VERSION:2.1',
      'VERSION:4.0',
      '\r\n',
      '\r\n',
      '\n',
      '\r',
      '\r\n ',
      '\n\t',
      '=\r\n',
      '=',
      'AGENT:',
      'item1.',
      'NOTE;ENCODING=QUOTED-PRINTABLE:',
      'PHOTO;BASE64:',
      'PHOTO;ENCODING=b:',
      'QUJD',
      'TEL;TYPE="a;b:c":',
      'X-A:',
      ';',
      ':',
      '"',
      '\\n',
      '\u2028',
    ),
  },
)

test('whatever a text is, its content lines joined are the text again', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 80 }), (parts) => {
      const text = parts.join('')
      expect(joinLines(splitLines(text))).toBe(text)
    }),
    { numRuns: 5000 },
  )
})

test.each([
  ['NOTE:a\r\n b\r\n  c', 'ab c'],
  ['NOTE:a\n\tb', 'ab'],
  ['NOTE;ENCODING=QUOTED-PRINTABLE:a=\r\nb=\r\n c', 'ab c'],
  ['VERSION:2.1\r\nNOTE:a\r\n b', 'a b'],
  ['PHOTO;ENCODING=BASE64;TYPE=JPEG:QUJD\r\nREVG', 'QUJDREVG'],
  ['PHOTO;ENCODING=b:\r\n QUJD\r\n REVG', 'QUJDREVG'],
  ['item1.TEL;X-A="b;c:d":1', '1'],
])('%j has the value %j', (text, value) => {
  const line = splitLines(`${text}\r\n`).at(-1)
  expect(line && rawValue(line)).toBe(value)
})

test('the card of an agent within a card of 2.1 belongs to its line', () => {
  const text = 'BEGIN:VCARD\nVERSION:2.1\nFN:A\nAGENT:\nBEGIN:VCARD\nFN:B\nEND:VCARD\nTEL:1\nEND:VCARD\n'
  expect(splitLines(text).map(({ name }) => name)).toEqual(['BEGIN', 'VERSION', 'FN', 'AGENT', 'TEL', 'END'])
})

const card = (...lines: readonly string[]) =>
  ['BEGIN:VCARD', 'VERSION:3.0', 'FN:A', ...lines, 'END:VCARD', ''].join('\r\n')
const MIB = 1_048_576

/** Milliseconds that the fastest of three runs takes. */
function timeOf(run: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const startedAt = performance.now()
    run()
    return performance.now() - startedAt
  })
  return Math.min(...times)
}

test.each([
  {
    what: 'a picture',
    make: (length: number) => card(`PHOTO;ENCODING=b;TYPE=JPEG:${'QUJD'.repeat(length / 4)}`),
  },
  {
    what: 'a folded picture',
    make: (length: number) =>
      card(`PHOTO;ENCODING=b;TYPE=JPEG:${`${'QUJD'.repeat(18)}\r\n `.repeat(length / 75)}QUJD`),
  },
  { what: 'deep folding', make: (length: number) => card(`NOTE:${'\r\n x'.repeat(length / 4)}`) },
  { what: 'folds of nothing', make: (length: number) => card(`NOTE:${'\r\n '.repeat(length / 3)}`) },
  {
    what: 'soft line breaks',
    make: (length: number) => card(`NOTE;ENCODING=QUOTED-PRINTABLE:${'=\r\n'.repeat(length / 3)}`),
  },
  { what: 'backslashes', make: (length: number) => card(`NOTE:${'\\'.repeat(length)}`) },
  { what: 'separators', make: (length: number) => card(`ADR:${';,'.repeat(length / 2)}`) },
  { what: 'quotes', make: (length: number) => card(`TEL${';"'.repeat(length / 2)}:1`) },
  { what: 'many lines', make: (length: number) => card('X-A:1\r\n'.repeat(length / 7)) },
])(
  'the time of $what grows with its length alone',
  ({ make }) => {
    const [short, long] = [make(MIB / 2), make(8 * MIB)]
    const run = (text: string) => timeOf(() => (readCard(text).card ? convert(text, '4.0') : undefined))
    run(short)
    const [shortMs, longMs] = [run(short), run(long)]
    expect(longMs / Math.max(shortMs, 5)).toBeLessThan(100)
  },
  60_000,
)
