import { describe, expect, test } from 'bun:test'
import { assert, asyncProperty, constantFrom, nat, string } from 'fast-check'
import { argon2id, bcrypt } from 'hash-wasm'
import * as passwords from '../../src/adapters/password-hash'
import { hashEngine } from '../../src/adapters/password-hash.engines'
import { systemRandom } from '../../src/adapters/random'

const CURRENT = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22,43}\$[A-Za-z0-9+/]{43}$/
const COMPOSED = 'caf\u00e9'
const DECOMPOSED = 'cafe\u0301'

const salt = () => systemRandom.bytes(16)
const cheapBcrypt = (password: string) => bcrypt({ password, salt: salt(), costFactor: 4 })
const cheapArgon2 = (password: string) =>
  argon2id({
    password,
    salt: salt(),
    memorySize: 64,
    iterations: 1,
    parallelism: 1,
    hashLength: 32,
    outputType: 'encoded',
  })

describe.each([
  ['wasm', 'native'],
  ['native', 'wasm'],
] as const)('with HASHER=%s', (name, otherName) => {
  const [engine, other] = [hashEngine(name), hashEngine(otherName)]
  const hashPassword = (password: string, fresh: Uint8Array) =>
    passwords.hashPassword(engine, password, fresh)
  const verifyPassword = (password: string, hash: string, fresh: Uint8Array) =>
    passwords.verifyPassword(engine, password, hash, fresh)

  describe('a password hash', () => {
    test('is an Argon2id PHC string with the current parameters and a salt of its own', async () => {
      const [first, second] = [await hashPassword('secret', salt()), await hashPassword('secret', salt())]
      expect(first).toMatch(CURRENT)
      expect(second).toMatch(CURRENT)
      expect(first).not.toBe(second)
    })

    test('made by the other engine verifies and stays as it is', async () => {
      for (const password of [DECOMPOSED, 'a\0b', '\ud800', '🦊'.repeat(500)]) {
        const hash = await passwords.hashPassword(other, password, salt())
        expect(await verifyPassword(password, hash, salt())).toEqual({ ok: true })
        expect(await verifyPassword(`${password}x`, hash, salt())).toEqual({ ok: false })
      }
    })

    // Vectors of the reference implementation, phc-winner-argon2 src/test.c.
    test.each([
      '$argon2id$v=19$m=65536,t=2,p=1$c29tZXNhbHQ$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc',
      '$argon2id$v=19$m=256,t=2,p=2$c29tZXNhbHQ$bQk8UB/VmZZF4Oo79iDXuL5/0ttZwg2f/5U52iv1cDc',
    ])('with other parameters verifies and is upgraded: %s', async (hash) => {
      const { ok, upgradedHash } = await verifyPassword('password', hash, salt())
      expect(ok).toBe(true)
      expect(upgradedHash).toMatch(CURRENT)
      expect(await verifyPassword('password', upgradedHash ?? '', salt())).toEqual({ ok: true })
      expect(await verifyPassword('passwort', hash, salt())).toEqual({ ok: false })
    })

    test('with a salt or a digest shorter than the current ones is upgraded', async () => {
      const current = { password: 'secret', memorySize: 19_456, iterations: 2, parallelism: 1 }
      const shortSalt = await argon2id({
        ...current,
        salt: systemRandom.bytes(8),
        hashLength: 32,
        outputType: 'encoded',
      })
      const shortDigest = await argon2id({ ...current, salt: salt(), hashLength: 16, outputType: 'encoded' })
      for (const hash of [shortSalt, shortDigest])
        expect((await verifyPassword('secret', hash, salt())).upgradedHash).toMatch(CURRENT)
    })

    test('accepts a password however its accents are composed', async () => {
      for (const stored of [COMPOSED, DECOMPOSED]) {
        const hash = await hashPassword(stored, salt())
        expect(await verifyPassword(COMPOSED, hash, salt())).toEqual({ ok: true })
        expect(await verifyPassword(DECOMPOSED, hash, salt())).toEqual({ ok: true })
      }
    })

    test('accepts a NUL, a lone surrogate and a very long password, and tells them from others', async () => {
      for (const password of ['a\0b', '\ud800', 'x'.repeat(100_000)]) {
        const hash = await hashPassword(password, salt())
        expect(await verifyPassword(password, hash, salt())).toEqual({ ok: true })
        expect(await verifyPassword(password.slice(0, -1), hash, salt())).toEqual({ ok: false })
      }
    })
  })

  describe('a legacy bcrypt hash', () => {
    test.each(['$2a$', '$2b$', '$2y$'])(
      'of version %s verifies and is replaced by Argon2id',
      async (version) => {
        const hash = (await cheapBcrypt('secret')).replace(/^\$2.\$/, version)
        const { ok, upgradedHash } = await verifyPassword('secret', hash, salt())
        expect(ok).toBe(true)
        expect(upgradedHash).toMatch(CURRENT)
        expect(await verifyPassword('secret', upgradedHash ?? '', salt())).toEqual({ ok: true })
        expect(await verifyPassword('Secret', hash, salt())).toEqual({ ok: false })
      },
    )

    test('made by either implementation verifies', async () => {
      const hashes = [
        await cheapBcrypt(COMPOSED),
        await Bun.password.hash(COMPOSED, { algorithm: 'bcrypt', cost: 4 }),
      ]
      for (const hash of hashes) expect((await verifyPassword(COMPOSED, hash, salt())).ok).toBe(true)
    })

    test('is checked against the bytes as received, and its replacement against the NFC form', async () => {
      const hash = await cheapBcrypt(DECOMPOSED)
      expect(await verifyPassword(COMPOSED, hash, salt())).toEqual({ ok: false })
      const { ok, upgradedHash = '' } = await verifyPassword(DECOMPOSED, hash, salt())
      expect(ok).toBe(true)
      expect(await verifyPassword(COMPOSED, upgradedHash, salt())).toEqual({ ok: true })
    })

    test('matches 72 bytes and no password beyond them', async () => {
      const longest = 'é'.repeat(36)
      const hash = await cheapBcrypt(longest)
      expect((await verifyPassword(longest, hash, salt())).ok).toBe(true)
      expect(await verifyPassword(`${longest}x`, hash, salt())).toEqual({ ok: false })
    })

    test('takes a NUL and a lone surrogate for wrong passwords', async () => {
      const hash = await cheapBcrypt('secret')
      for (const password of ['\0', 'secret\0x', '\ud800'])
        expect(await verifyPassword(password, hash, salt())).toEqual({ ok: false })
    })
  })

  describe('what cannot be right is a wrong password', () => {
    test('an empty password, also where the stand-in was hashed', async () => {
      const hashes = [
        await hashPassword('stand-in', salt()),
        await cheapArgon2('stand-in'),
        await cheapBcrypt('stand-in'),
      ]
      for (const hash of [...hashes, ''])
        expect(await verifyPassword('', hash, salt())).toEqual({ ok: false })
    })

    const tail = 'c29tZXNhbHRzb21lc2FsdA$CTFhFdXPJO1aFaMaO6Mm5c8y7cJHAph8ArZWb2GRPPc'
    test.each([
      ['garbage', 'garbage'],
      ['nothing', ''],
      ['a PHC string without its digest', '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA'],
      ['a PHC string with a cut digest', '$argon2id$v=19$m=19456,t=2,p=1$c29tZXNhbHRzb21lc2FsdA$CTFh'],
      ['a line break after the digest', `$argon2id$v=19$m=19456,t=2,p=1$${tail}\n`],
      ['another version of Argon2', `$argon2id$v=16$m=19456,t=2,p=1$${tail}`],
      ['another type of Argon2', `$argon2i$v=19$m=19456,t=2,p=1$${tail}`],
      ['a parameter given thrice', `$argon2id$v=19$m=19456,m=19456,m=19456$${tail}`],
      ['4 TiB of memory', `$argon2id$v=19$m=4294967295,t=2,p=1$${tail}`],
      ['a million iterations', `$argon2id$v=19$m=19456,t=1000000,p=1$${tail}`],
      ['a thousand lanes', `$argon2id$v=19$m=19456,t=2,p=1000$${tail}`],
      ['no memory', `$argon2id$v=19$m=0,t=2,p=1$${tail}`],
      ['less memory than its lanes need', `$argon2id$v=19$m=15,t=2,p=2$${tail}`],
      ['a bcrypt cost of 31', `$2b$31$${'.'.repeat(53)}`],
      ['a bcrypt cost of 3', `$2b$03$${'.'.repeat(53)}`],
      ['a cut bcrypt hash', `$2b$10$${'.'.repeat(52)}`],
      ['an unknown version of bcrypt', `$2x$04$${'.'.repeat(53)}`],
      ['a bcrypt salt with stray bits', `$2b$04$${'.'.repeat(21)}a${'.'.repeat(31)}`],
      ['a salt with stray bits', `$argon2id$v=19$m=64,t=1,p=1$${'c'.repeat(22)}$${'A'.repeat(43)}`],
      ['a digest with stray bits', `$argon2id$v=19$m=64,t=1,p=1$${'A'.repeat(22)}$${'c'.repeat(42)}d`],
    ])('a hash that is %s', async (_, hash) => {
      expect(await verifyPassword('secret', hash, salt())).toEqual({ ok: false })
    })

    test('a hash with any part cut off, doubled or replaced', async () => {
      const hashes = [await cheapArgon2('secret'), await cheapBcrypt('secret')]
      const place = nat({ max: 100 })
      await assert(
        asyncProperty(constantFrom(...hashes), place, place, string(), async (hash, from, length, part) => {
          const broken = hash.slice(0, from) + part + hash.slice(from + length)
          const { ok } = await verifyPassword('other', broken, salt())
          expect(ok).toBe(false)
        }),
        { numRuns: 40 },
      )
    }, 60_000)

    test('costs as much as a real check', async () => {
      const legacy = await bcrypt({ password: 'secret', salt: salt(), costFactor: 10 })
      const current = await hashPassword('secret', salt())
      const checks = [
        ['secret', current],
        ['wrong', current],
        ['', current],
        ['secret', 'garbage'],
        ['secret', legacy],
        ['wrong', legacy],
        ['x'.repeat(73), legacy],
        ['', legacy],
      ] as const
      const cheapest = checks.map(() => Number.POSITIVE_INFINITY)
      // Processor time, in turn, and the least of several: so that what else the machine does decides nothing.
      for (let round = 0; round < 6; round++) {
        for (const [i, [password, hash]] of checks.entries()) {
          const before = process.cpuUsage()
          await verifyPassword(password, hash, salt())
          cheapest[i] = Math.min(cheapest[i] ?? 0, process.cpuUsage(before).user)
        }
      }
      for (const [real, others] of [
        [0, [1, 2, 3]],
        [4, [5, 6, 7]],
      ] as const) {
        for (const one of others) expect(cheapest[one]).toBeGreaterThan((cheapest[real] ?? 0) / 2)
      }
    }, 60_000)
  })
})
