import { expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { editCard } from '../../src/features/people/vcards/rules.edit'
import { type Printed, printCard } from '../../src/features/people/vcards/rules.printing'
import { readCard } from '../../src/features/people/vcards/rules.reading'
import { cleanLine, cleanLines, tidyParagraphs } from '../../src/lib/wire/tidy'
import { codePoints } from '../../src/lib/text'

const PIECES = [
  ',',
  ';',
  '\\',
  '\n',
  '"',
  ':',
  '=',
  '^',
  "'",
  ' ',
  '\t',
  '.',
  '-',
  '^n',
  '\\n',
  '\\;',
  ', ',
  'a',
  'N',
]
const pieces = fc.constantFrom(
  ...PIECES,
  'é',
  'ß',
  '日本',
  '😀',
  '👩‍👩‍👧',
  '\u2028',
  '\u0001',
  '=0D',
  'tel:',
  'BEGIN:VCARD',
  '\nEND:VCARD',
  '--',
)
const raw = fc.array(fc.oneof({ weight: 3, arbitrary: pieces }, fc.string({ unit: 'binary' })), {
  maxLength: 40,
})
const storable = raw.map((parts) =>
  parts
    .join('')
    .toWellFormed()
    .replaceAll(/[\0\r]/g, ''),
)

const paragraphs = storable.map((text) => tidyParagraphs(text) || null)
const line = (max: number, clean = cleanLine) =>
  storable.map((text) => {
    const tidy = clean(text)
    return tidy === '' || codePoints(tidy) > max ? null : tidy
  })
const birthday = fc.constantFrom(null, '1900-01-01', '2024-02-29', '--02-29', '--12-31', '1985-04-12')

const person: fc.Arbitrary<Printed> = fc
  .record({
    firstName: line(100),
    lastName: line(100),
    nickname: line(100),
    email: fc.constantFrom(null, 'a@example.org', "o'b+x@example.org"),
    mobile: line(200),
    phone: line(200),
    address: line(500, cleanLines),
    company: line(200),
    jobTitle: line(200),
    birthday,
    category: line(50),
    notes: paragraphs,
    isFavourite: fc.boolean(),
    uid: fc.uuid(),
    kept: fc.constant([]),
  })
  .filter(({ firstName, lastName, nickname }) => (firstName ?? lastName ?? nickname) !== null)

const readBack = (text: string) => {
  const { card, reason } = readCard(text)
  if (!card) throw new Error(reason)
  return card
}

test('what is exported reads back as it was, field by field', () => {
  fc.assert(
    fc.property(person, (from) => {
      const { fields, uid, isFavourite } = readBack(printCard(from))
      expect({ ...fields, uid, isFavourite, kept: from.kept }).toEqual(from)
    }),
    { numRuns: 1000 },
  )
})

test('whatever the bytes are, cards are read without a failure, and what was read prints', () => {
  const noise = fc.array(
    fc.oneof(
      pieces,
      fc.constantFrom(
        'BEGIN:VCARD\r\n',
        '\r\nEND:VCARD\r\n',
        '\r\n',
        '\r\n ',
        'VERSION:2.1\r\n',
        'FN:A',
        'N;',
        'TEL;',
      ),
      fc.constantFrom(
        'ENCODING=QUOTED-PRINTABLE:',
        'ENCODING=b:',
        'CHARSET=x:',
        'VALUE=',
        'item1.',
        'BDAY:',
        'AGENT:\r\n',
      ),
    ),
    { maxLength: 60 },
  )
  fc.assert(
    fc.property(noise, (parts) => {
      const file = `BEGIN:VCARD\r\nFN:A\r\n${parts.join('').toWellFormed()}\r\nEND:VCARD\r\n`
      const { card } = readCard(file)
      if (!card) return
      const text = printCard({ ...card.fields, kept: [], uid: 'u', isFavourite: false })
      expect(readCard(text).reason).toBeUndefined()
      const whole = { ...card.fields, isFavourite: card.isFavourite }
      const edit = { before: whole, after: { ...whole, phone: '1' }, uid: 'u', changedAt: new Date(0) }
      expect(readCard(editCard(card, edit)).card?.fields.phone ?? '1').toBe('1')
    }),
    {
      numRuns: 2000,
      // A quote that opens in the name of a group.
      examples: [[['"', 'item1.', 'FN:A', '"', 'ENCODING=QUOTED-PRINTABLE:']]],
    },
  )
})
