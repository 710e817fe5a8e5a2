import { describe, expect, test } from 'bun:test'
import { systemRandom } from '../../src/adapters/random'
import { createTotp } from '../../src/adapters/totp'

const totp = createTotp(systemRandom)
/** RFC 6238, appendix B: the ASCII text `12345678901234567890`. */
const SECRET = 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'
const at = (seconds: number) => new Date(seconds * 1000)

describe('TOTP', () => {
  test.each([
    { seconds: 59, code: '287082', step: 0x1 },
    { seconds: 1_111_111_109, code: '081804', step: 0x23523ec },
    { seconds: 1_111_111_111, code: '050471', step: 0x23523ed },
    { seconds: 1_234_567_890, code: '005924', step: 0x273ef07 },
    { seconds: 2_000_000_000, code: '279037', step: 0x3f940aa },
    { seconds: 20_000_000_000, code: '353130', step: 0x27bc86aa },
  ])('knows the step of the code of RFC 6238 at $seconds', ({ seconds, code, step }) => {
    expect(totp.stepOf(SECRET, code, at(seconds))).toBe(step)
  })

  test('takes codes one step early and one late, and knows them for what they are', () => {
    const [step, code] = [0x23523ed, '050471']
    for (const steps of [-1, 0, 1]) expect(totp.stepOf(SECRET, code, at((step + steps) * 30))).toBe(step)
    for (const steps of [-2, 2]) expect(totp.stepOf(SECRET, code, at((step + steps) * 30))).toBeUndefined()
  })

  test.each([
    '',
    '50471',
    '0504711',
    '０５０４７１',
    ' 050471',
    '05047a',
    '+50471',
    '5.0471',
    '\0',
    '050471\n',
  ])('takes %p for no code', (code) => expect(totp.stepOf(SECRET, code, at(1_111_111_111))).toBeUndefined())

  test('draws secrets of 160 bits as 32 characters of base32 without padding', () => {
    const secrets = Array.from({ length: 50 }, () => totp.newSecret())
    for (const secret of secrets) expect(secret).toMatch(/^[A-Z2-7]{32}$/)
    expect(new Set(secrets).size).toBe(50)
  })

  test('writes the URI that authenticators scan', () => {
    const uri = new URL(totp.uri(SECRET, 'Ada'))
    expect([uri.protocol, uri.host, uri.pathname]).toEqual(['otpauth:', 'totp', '/Organiser:Ada'])
    expect(Object.fromEntries(uri.searchParams)).toEqual({
      issuer: 'Organiser',
      secret: SECRET,
      algorithm: 'SHA1',
      digits: '6',
      period: '30',
    })
  })
})
