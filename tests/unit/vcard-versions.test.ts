import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { convert } from '../../src/lib/vcard/convert'
import { ADDRESS_BOOKS } from '../support/address-books'

const card = (version: string, ...lines: readonly string[]) =>
  ['BEGIN:VCARD', `VERSION:${version}`, 'FN:A', 'N:;A;;;', ...lines, 'END:VCARD', ''].join('\r\n')

/** Both ways: each is what the other becomes. */
const BOTH = [
  ['PHOTO;ENCODING=b;TYPE=JPEG:QUJD', 'PHOTO:data:image/jpeg;base64,QUJD'],
  ['LOGO;ENCODING=b;TYPE=PNG:QUJD', 'LOGO:data:image/png;base64,QUJD'],
  ['SOUND;ENCODING=b;TYPE=OGG:QUJD', 'SOUND:data:audio/ogg;base64,QUJD'],
  ['KEY;ENCODING=b;TYPE=PGP:QUJD', 'KEY:data:application/pgp;base64,QUJD'],
  ['PHOTO;ENCODING=b:QUJD', 'PHOTO:data:application/octet-stream;base64,QUJD'],
  ['X-SIGNATURE;ENCODING=b:QUJD', 'X-SIGNATURE:data:application/octet-stream;base64,QUJD'],
  ['item1.PHOTO;ENCODING=b;TYPE=GIF:QUJD', 'item1.PHOTO:data:image/gif;base64,QUJD'],
  ['BDAY:1985-04-12', 'BDAY:19850412'],
  ['BDAY:1604-04-12', 'BDAY:16040412'],
  ['BDAY;X-APPLE-OMIT-YEAR=1604:1604-04-12', 'BDAY:--0412'],
  ['ANNIVERSARY;X-APPLE-OMIT-YEAR=1604:1604-02-29', 'ANNIVERSARY:--0229'],
  ['BDAY:1996-10-22T14:00:00Z', 'BDAY:19961022T140000Z'],
  ['BDAY;VALUE=text:circa 1800', 'BDAY;VALUE=text:circa 1800'],
  ['TEL;TYPE=home,voice;TYPE=pref:1', undefined],
  ['EMAIL;TYPE=home;TYPE=pref:a@b.example', undefined],
  ['X-ADDRESSBOOKSERVER-KIND:group', 'KIND:group'],
  ['X-ADDRESSBOOKSERVER-MEMBER:urn:uuid:1', 'MEMBER:urn:uuid:1'],
  ['GEO:37.386013;-122.082932', 'GEO:geo:37.386013,-122.082932'],
  ['item3.X-ABLabel:_$!<Anniversary>!$_', 'item3.X-ABLabel:_$!<Anniversary>!$_'],
  ['item3.X-ABDATE;type=home:1835-07-08', 'item3.X-ABDATE;type=home:1835-07-08'],
  ['RELATED;TYPE=friend:urn:uuid:1', 'RELATED;TYPE=friend:urn:uuid:1'],
  ['IMPP;X-SERVICE-TYPE=Jabber:xmpp:a@b.example', 'IMPP;X-SERVICE-TYPE=Jabber:xmpp:a@b.example'],
  ['X-ODD;X-Q="a;b:c":kept \\\\ whole', 'X-ODD;X-Q="a;b:c":kept \\\\ whole'],
  ['NOTE:one\\, two\\; three\\nfour', 'NOTE:one\\, two\\; three\\nfour'],
] as const

describe('a card of the other version', () => {
  test.each(BOTH.flatMap(([three, four]) => (four === undefined ? [] : [[three, four] as const])))(
    '%s in 3.0 is %s in 4.0, and back',
    (three, four) => {
      expect(convert(card('3.0', three), '4.0')).toBe(card('4.0', four))
      expect(convert(card('4.0', four), '3.0')).toBe(card('3.0', three))
    },
  )

  test.each([
    ['TEL;TYPE=home,pref:1', 'TEL;TYPE=home;PREF=1:1'],
    ['TEL;TYPE=PREF:1', 'TEL;PREF=1:1'],
    ['NOTE;CHARSET=UTF-8:ä', 'NOTE:ä'],
    ['NOTE;ENCODING=b:w6Q=', 'NOTE:ä'],
    ['PHOTO;VALUE=URL:https://example.org/a.jpg', 'PHOTO;VALUE=uri:https://example.org/a.jpg'],
  ])('%s in 3.0 becomes %s', (three, four) => {
    expect(convert(card('3.0', three), '4.0')).toBe(card('4.0', four))
  })

  test.each([
    ['TEL;PREF=1;TYPE="voice,home":1', 'TEL;TYPE=voice,home;TYPE=pref:1'],
    ['TEL;VALUE=uri;TYPE=cell:tel:+44-1', 'TEL;TYPE=cell:+44-1'],
    ['TEL;PREF=2:1', 'TEL;PREF=2:1'],
    ['PHOTO:https://example.org/a.jpg', 'PHOTO;VALUE=uri:https://example.org/a.jpg'],
    ['NOTE:a; b\\; c', 'NOTE:a\\; b\\; c'],
  ])('%s in 4.0 becomes %s', (four, three) => {
    expect(convert(card('4.0', four), '3.0')).toBe(card('3.0', three))
  })

  test('has the names that its version requires', () => {
    expect(convert('BEGIN:VCARD\nVERSION:4.0\nFN:Only; this\nEND:VCARD\n', '3.0')).toContain(
      'N:;Only\\; this;;;\n',
    )
    expect(convert('BEGIN:VCARD\nVERSION:3.0\nN:Last;First;;;\nEND:VCARD\n', '4.0')).toContain(
      'FN:First Last\n',
    )
  })

  test('of 2.1 is UTF-8 without encodings, and the agent’s card stays', () => {
    const text =
      'BEGIN:VCARD\r\nVERSION:2.1\r\nN;CHARSET=Windows-1252;ENCODING=QUOTED-PRINTABLE:M=FCller;J=FCrgen\r\nFN:J\r\nTEL;WORK;PREF:1\r\n' +
      'PHOTO;JPEG;BASE64:\r\n QUJD\r\n REVG\r\n\r\nURL:http://a.example/a,b\r\nORG:A, B;C\r\nAGENT:\r\nBEGIN:VCARD\r\nFN:B\r\nEND:VCARD\r\nEND:VCARD\r\n'
    const three = convert(text, '3.0')
    for (const line of [
      'N:Müller;Jürgen',
      'TEL;TYPE=WORK;TYPE=PREF:1',
      'PHOTO;TYPE=JPEG;ENCODING=b:QUJDREVG',
      'URL:http://a.example/a,b',
      'ORG:A\\, B;C',
    ]) {
      expect(three).toContain(`\r\n${line}\r\n`)
    }
    expect(three).toContain('FN:B')
    expect(convert(text, '4.0')).toContain('\r\nPHOTO:data:image/jpeg;base64,QUJDREVG\r\n')
  })
})

test('3.0 to 4.0 and back keeps each line of any card that both can say', () => {
  const lines = fc.array(fc.constantFrom(...BOTH.map(([three]) => three)), { maxLength: 12 })
  fc.assert(
    fc.property(lines, (chosen) => {
      const text = card('3.0', ...chosen)
      const back = convert(convert(text, '4.0'), '3.0')
      const plain = (whole: string) =>
        whole.replaceAll(/TYPE=home,voice;TYPE=pref|TYPE=home;TYPE=pref/g, (types) => types)
      expect(plain(back)).toBe(plain(text))
    }),
    { numRuns: 500 },
  )
})

test.each(Object.entries(ADDRESS_BOOKS))(
  'the cards of %s lose no line on the way to either version and back',
  (_, file) => {
    for (const text of file.split(/(?<=END:VCARD\r\n)/)) {
      const [three, four] = [convert(text, '3.0'), convert(text, '4.0')]
      for (const other of [convert(four, '3.0'), convert(convert(three, '4.0'), '3.0')]) {
        expect(other.match(/^[^ \r\n]/gm)?.length).toBeGreaterThanOrEqual(
          three.match(/^[^ \r\n]/gm)?.length ?? 0,
        )
      }
      expect(convert(text, '4.0')).toMatch(/^BEGIN:VCARD\r\nVERSION:4.0\r\n/)
    }
  },
)
