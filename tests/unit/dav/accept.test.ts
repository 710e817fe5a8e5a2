import { expect, test } from 'bun:test'
import { cardVersionIn } from '../../../src/dav/accept'
import type { CardVersion } from '../../../src/features/objects/sources/rules'

test.each<[string, CardVersion | undefined]>([
  ['', undefined],
  ['*/*', undefined],
  ['text/vcard', undefined],
  ['text/html', undefined],
  ['text/vcard;version=4.0', '4.0'],
  ['text/vcard; version="3.0"', '3.0'],
  ['TEXT/VCARD; charset=utf-8; Version=4.0', '4.0'],
  ['text/vcard;version=4.0, */*', '4.0'],
  ['text/vcard;version=3.0;q=0.5, text/vcard;version=4.0', '4.0'],
  ['text/vcard;version=4.0;q=0.3, text/vcard;version=3.0;q=0.7', '3.0'],
  ['text/vcard;version=4.0;q=0.5, text/vcard', '3.0'],
  ['text/vcard;version=4.0;q=0, text/vcard', '3.0'],
  ['text/vcard;version=3.0, text/vcard;version=4.0', undefined],
  ['text/vcard;version=2.1, text/*;q=0.2', undefined],
  ['text/vcard;version=4.0;q=much', '4.0'],
  ['text/vcard;version=4.0;q', undefined],
  ['text/vcard;version=4.0;q=0', undefined],
  ['text/vcard; version = 4.0 ; q = 0.5', '4.0'],
  ['text/vcard;version=4.0;q=0.5, text/*', '3.0'],
  ['text/vcard;version=4.0;q=0.5, */*', '3.0'],
  ['text/vcard;version=4.0;q=0.5, text/html', '4.0'],
  ['text/plain;version=4.0', undefined],
  ['text/vcard;version=4.0;q=0.5, text/vcard;version=2.1', '4.0'],
])('Accept: %s asks for cards in version %p', (accept, version) => {
  expect(cardVersionIn(accept)).toBe(version)
})
