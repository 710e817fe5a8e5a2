import { describe, expect, test } from 'bun:test'
import { shownOf } from '../../../src/features/identity/identities/rules'
import {
  countsAsTwo,
  emailFor,
  expiryOf,
  factorAt,
  isProvedSince,
  nextOf,
  refusedAt,
  usernameCandidates,
} from '../../../src/features/identity/oidc/rules'
import type { ProvedIdentity } from '../../../src/lib/ports/identity-provider'

const NOW = new Date('2026-03-04T09:30:00Z')

const proved = (more: Partial<ProvedIdentity> = {}): ProvedIdentity => ({
  issuer: 'https://id.example',
  subject: 'ada',
  sid: null,
  name: null,
  username: null,
  email: null,
  isEmailVerified: false,
  methods: [],
  authenticatedAt: null,
  ...more,
})

describe('the page after a sign-in', () => {
  test.each(['/', '/todos', '/todos?list=7#top', '/apiary', '/a/api/', `/${'x'.repeat(1999)}`])(
    'is %s, as it is one of this service',
    (asked) => {
      expect(nextOf(asked, 'link')).toBe(asked)
    },
  )

  test.each([
    undefined,
    '',
    'todos',
    'https://else.example/',
    '//else.example/',
    '/\\else.example/',
    '/a/..//else.example/',
    '/.//else.example',
    '/api',
    '/api/',
    '/api/todos',
    '/x/../api/todos',
    `/${'x'.repeat(2000)}`,
    '/\t/else.example',
  ])('is never %j', (asked) => {
    expect(nextOf(asked, 'sign-in')).toBe('/')
    expect(nextOf(asked, 'reauthenticate')).toBe('/')
    expect(nextOf(asked, 'link')).toBe('/settings/security')
  })

  test('is, after a refusal, where the user may try again', () => {
    expect(refusedAt('sign-in', 'expired')).toBe('/sign-in?error=expired')
    expect(refusedAt('link', 'already_linked')).toBe('/settings/security?error=already_linked')
    expect(refusedAt('reauthenticate', 'cancelled')).toBe('/settings/security?error=cancelled')
  })

  test('follows the second factor, whose token is in the fragment', () => {
    expect(factorAt('/second-factor', 'a+b', '/')).toBe('/second-factor#mfa_token=a%2Bb')
    expect(factorAt('/second-factor/set-up', 'ab', '/todos?x=1')).toBe(
      '/second-factor/set-up#mfa_token=ab&next=%2Ftodos%3Fx%3D1',
    )
  })
})

describe('what the provider proves', () => {
  test('must be proved after it was asked for, give or take a minute between the clocks', () => {
    const at = (iso: string | null) => proved({ authenticatedAt: iso === null ? null : new Date(iso) })
    expect(isProvedSince(at('2026-03-04T09:29:00.000Z'), NOW)).toBe(true)
    expect(isProvedSince(at('2026-03-04T09:28:59.999Z'), NOW)).toBe(false)
    expect(isProvedSince(at('2026-03-04T09:31:00Z'), NOW)).toBe(true)
    expect(isProvedSince(at(null), new Date(0))).toBe(false)
  })

  test('is waited for ten minutes', () => {
    expect(expiryOf(NOW)).toEqual(new Date('2026-03-04T09:40:00Z'))
  })

  test.each(['mfa', 'otp', 'hwk', 'fpt'])(
    'counts as two factors by the method %s, where methods decide',
    (method) => {
      expect(countsAsTwo('amr', proved({ methods: ['pwd', method] }))).toBe(true)
      expect(countsAsTwo('never', proved({ methods: [method] }))).toBe(false)
    },
  )

  test('counts as two factors without such a method only where the provider is trusted', () => {
    expect(countsAsTwo('amr', proved({ methods: ['pwd', 'sms', ''] }))).toBe(false)
    expect(countsAsTwo('amr', proved())).toBe(false)
    expect(countsAsTwo('never', proved())).toBe(false)
    expect(countsAsTwo('trust', proved())).toBe(true)
  })

  test('gives a new account only an e-mail that is verified, and is one', () => {
    const email = 'ada@example.org'
    expect(emailFor(proved({ email, isEmailVerified: true }))).toBe(email)
    expect(emailFor(proved({ email, isEmailVerified: false }))).toBeNull()
    expect(emailFor(proved({ email: 'ada', isEmailVerified: true }))).toBeNull()
    expect(emailFor(proved({ email: null, isEmailVerified: true }))).toBeNull()
  })

  test('is shown by its name, or its username, without controls and not endlessly', () => {
    expect(shownOf(proved({ name: ' Ada\u0000L ', username: 'ada', email: 'ada@example.org' }))).toEqual({
      name: 'Ada L',
      email: 'ada@example.org',
    })
    expect(shownOf(proved({ username: 'ada' }))).toEqual({ name: 'ada', email: null })
    expect(shownOf(proved({ name: '\u0007 ', email: '' }))).toEqual({ name: null, email: null })
    const long = shownOf(proved({ name: 'x'.repeat(201), email: 'y'.repeat(255) }))
    expect([long.name?.length, long.email?.length]).toEqual([200, 254])
  })
})

describe('the username of somebody new', () => {
  const first = (wanted: string | null) => usernameCandidates(wanted)[0]

  test.each<[wanted: string | null, username: string]>([
    ['ada', 'ada'],
    ['Ada.Lovelace_1-2', 'Ada.Lovelace_1-2'],
    ['ada@example.org', 'ada'],
    ['Ada Lovelace', 'Ada-Lovelace'],
    ['ada   (home)', 'ada-home'],
    ['Ádá', 'Ada'],
    ['...ada...', 'ada'],
    ['-.-ada-.-', 'ada'],
    ['!!ada!!', 'ada'],
    ['ad', 'user'],
    ['-a-', 'user'],
    ['', 'user'],
    ['日本', 'user'],
    [null, 'user'],
    ['x'.repeat(40), 'x'.repeat(32)],
    [`${'x'.repeat(31)}..y`, 'x'.repeat(31)],
    [`${' '.repeat(198)}abcd`, 'user'],
    [`${' '.repeat(197)}abcd`, 'abc'],
    ['@example.org', 'user'],
  ])('whom the provider calls %j is %s', (wanted, username) => {
    expect(first(wanted)).toBe(username)
  })

  test('has a number where it is taken, and is never longer than a username may be', () => {
    const names = usernameCandidates('ada')
    expect(names.slice(0, 3)).toEqual(['ada', 'ada2', 'ada3'])
    expect(names.at(-1)).toBe('ada101')
    expect(names).toHaveLength(101)
    const long = usernameCandidates(`${'x'.repeat(30)}-z`)
    expect(long[1]).toBe(`${'x'.repeat(30)}2`)
    expect(long[9]).toBe(`${'x'.repeat(30)}10`)
    expect(long.at(-1)).toBe(`${'x'.repeat(29)}101`)
  })
})
