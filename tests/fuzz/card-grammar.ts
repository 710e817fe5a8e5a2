import { base64, escaped, extension, parameters, textValue } from './content-lines'
import type { Draw } from './draw'

/** Valid vCards by the grammars of RFC 2426 (3.0) and RFC 6350 (4.0). */

type Line = (draw: Draw) => string

const BOTH: readonly Line[] = [
  (draw) => `NICKNAME:${textValue(draw)}`,
  (draw) => `ORG:${textValue(draw)};${textValue(draw)}`,
  (draw) => `TITLE:${textValue(draw)}`,
  (draw) => `NOTE${parameters(draw, [';LANGUAGE=fr'])}:${textValue(draw)}`,
  (draw) => `CATEGORIES:${textValue(draw)},${textValue(draw)}`,
  (draw) => `TEL;TYPE=${draw.pick(['HOME', 'CELL', 'cell,voice', 'X-ODD'])}:+49 30 ${draw.nat(9999)}`,
  (draw) => `EMAIL;TYPE=${draw.pick(['HOME', 'INTERNET'])}:a${draw.nat(99)}@example.org`,
  (draw) => `ADR;TYPE=${draw.pick(['HOME', 'WORK'])}:;;${textValue(draw)};${textValue(draw)};;12345;Germany`,
  () => 'URL:https://example.org/a,b;c',
  (draw) => `item${draw.integer(1, 3)}.X-ABLABEL:_$!<Other>!$_`,
  (draw) => `item${draw.integer(1, 3)}.TEL:+1 ${draw.nat(999)}`,
  () => 'REV:20260301T120000Z',
  () => 'IMPP:xmpp:a@example.org',
  extension,
  extension,
]

const OF_3: readonly Line[] = [
  (draw) => `BDAY:${draw.pick(['1990-03-10', '19900310', '1604-02-29', '1990-03-10T00:00:00Z'])}`,
  (draw) => `PHOTO;ENCODING=b;TYPE=JPEG:${base64(draw)}`,
  () => 'TEL;TYPE=pref:+1',
  () => 'LABEL;TYPE=HOME:12 Square\\nLondon',
  () => 'X-ANNIVERSARY:2010-05-05',
  () => 'X-ABSHOWAS:COMPANY',
  () => 'CLASS:PRIVATE',
  () => 'GEO:37.38;-122.08',
  () => 'TZ:-05:00',
]

const OF_4: readonly Line[] = [
  (draw) => `BDAY:${draw.pick(['19900310', '--0229', '1990', '---10', '19900310T123000Z'])}`,
  () => 'BDAY;VALUE=text:circa 1800',
  () => 'ANNIVERSARY:20100505',
  (draw) => `PHOTO:data:image/png;base64,${base64(draw)}`,
  () => 'TEL;VALUE=uri;PREF=1;TYPE="voice,home":tel:+1-555-555-5555;ext=5555',
  () => 'GENDER:F;grrrl',
  () => 'LANG;PREF=1:fr',
  () => 'RELATED;TYPE=friend:urn:uuid:f81d4fae-7dec-11d0-a765-00a0c91e6bf6',
  () => 'GEO:geo:37.386013,-122.082932',
  () => 'KIND:individual',
  () => 'CLIENTPIDMAP:1;urn:uuid:53e374d9-337e-4727-8803-a1e9c14e0556',
  () => 'XML:<a xmlns="urn:x">b</a>',
]

/** The lines of one card. */
export function cardLines(draw: Draw, uid: string): string[] {
  const isFour = draw.percent(50)
  const lines = [...BOTH, ...(isFour ? OF_4 : OF_3)].filter(() => draw.percent(18)).map((make) => make(draw))
  const names = [`N:${textValue(draw)};${textValue(draw)};;Dr.;`, `FN:${textValue(draw)}`]
  return [
    'BEGIN:VCARD',
    `VERSION:${isFour ? '4.0' : '3.0'}`,
    ...(draw.percent(80) ? names : names.toReversed()),
    `UID:${escaped(uid)}`,
    ...lines,
    'END:VCARD',
  ]
}
