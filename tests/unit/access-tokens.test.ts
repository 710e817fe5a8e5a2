import { describe, expect, test } from 'bun:test'
import { crc32 } from 'node:zlib'
import { isTokenText, prefixOf, SECRET_BYTES, toTokenText } from '../../src/lib/access-tokens'

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz'
const random = () => toTokenText(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))

describe('the text of an access token', () => {
  test('is org_, 160 bits in base32 and the lowest 20 bits of the CRC-32 before them', () => {
    for (let round = 0; round < 200; round++) {
      const bytes = crypto.getRandomValues(new Uint8Array(SECRET_BYTES))
      const text = toTokenText(bytes)
      const bits = Array.from(bytes, (byte) => byte.toString(2).padStart(8, '0')).join('')
      const secret = (bits.match(/.{5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five, 2)]).join('')
      const sum = (crc32(`org_${secret}`) & 0xfffff).toString(2).padStart(20, '0')
      const checksum = (sum.match(/.{5}/g) ?? []).map((five) => LETTERS[Number.parseInt(five, 2)]).join('')
      expect(text).toBe(`org_${secret}${checksum}`)
      expect(isTokenText(text)).toBe(true)
      expect(prefixOf(text)).toBe(secret.slice(0, 8))
    }
  })

  test('is not what it was with any letter changed, left out or added', () => {
    const text = random()
    for (let at = 0; at < text.length; at++) {
      const other = text[at] === '7' ? '8' : '7'
      expect(isTokenText(text.slice(0, at) + other + text.slice(at + 1))).toBe(false)
      expect(isTokenText(text.slice(0, at) + text.slice(at + 1))).toBe(false)
      expect(isTokenText(`${text.slice(0, at)}0${text.slice(at)}`)).toBe(false)
    }
  })

  test('is exact: no other case, no spaces, no hyphens, none of the letters that are left out', () => {
    const text = random()
    for (const wrong of [
      text.toUpperCase(),
      ` ${text}`,
      `${text} `,
      `${text}\n`,
      '',
      'org_',
      `org-${text.slice(4)}`,
    ]) {
      expect(isTokenText(wrong)).toBe(false)
    }
    expect(isTokenText(`org_${'i'.repeat(36)}`)).toBe(false)
  })
})
