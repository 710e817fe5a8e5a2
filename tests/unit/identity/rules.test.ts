import { describe, expect, test } from 'bun:test'
import { networkNameCandidates, refusalOfFutureBirth } from '../../../src/features/identity/accounts/rules'
import { isLastOf } from '../../../src/features/identity/administrators/rules'
import { askedFor, refusedSince, secondsToWait } from '../../../src/features/identity/identity-changes/rules'
import { defaultName } from '../../../src/features/identity/passkeys/rules'
import { DUMMY_HASH, hasLapsed, isProof, NO_PASSWORD } from '../../../src/features/identity/passwords/rules'
import { pairProblems, pushTokenOwner, serverUrlProblem } from '../../../src/features/identity/settings/rules'
import { expiredBefore, expiryOf } from '../../../src/features/identity/tokens/rules'
import { backupCode, readBackupCode } from '../../../src/features/identity/totp/rules'
import { isLetIn, refusalOfLocal } from '../../../src/features/identity/ways-in/rules'
import { challengeProblem, ownerProblem } from '../../../src/features/identity/webauthn/rules'

const NOW = new Date('2026-03-04T09:30:00Z')

describe('a network name', () => {
  test('is the username in lower case, or that with a number, and never longer than 32', () => {
    const names = networkNameCandidates('Ada')
    expect(names.slice(0, 3)).toEqual(['ada', 'ada2', 'ada3'])
    expect(names.at(-1)).toBe('ada101')
    expect(names).toHaveLength(101)
    const long = networkNameCandidates('X'.repeat(32))
    expect(long[0]).toBe('x'.repeat(32))
    expect(long[1]).toBe(`${'x'.repeat(31)}2`)
    expect(long[9]).toBe(`${'x'.repeat(30)}10`)
  })
})

test('a date of birth is today at the latest', () => {
  expect(refusalOfFutureBirth('2026-03-04', '2026-03-04')).toBeUndefined()
  expect(refusalOfFutureBirth(null, '2026-03-04')).toBeUndefined()
  expect(refusalOfFutureBirth(undefined, '2026-03-04')).toBeUndefined()
  expect(refusalOfFutureBirth('2026-03-05', '2026-03-04')).toMatchObject({
    kind: 'invalid',
    problems: [{ field: 'body.date_of_birth', message: 'must not be in the future' }],
  })
})

test('the last administrator is the only one', () => {
  expect(isLastOf([1], 1)).toBe(true)
  expect(isLastOf([2], 1)).toBe(false)
  expect(isLastOf([1, 2], 1)).toBe(false)
  expect(isLastOf([], 1)).toBe(false)
})

describe('an identity that is asked for', () => {
  test('must wait after ten refusals within an hour, until the oldest of these is an hour old', () => {
    expect(refusedSince(NOW)).toEqual(new Date('2026-03-04T08:30:00Z'))
    const refusals = (count: number) =>
      Array.from({ length: count }, (_, index) => new Date(+NOW - index * 60_000 - 1))
    expect(secondsToWait(refusals(9), NOW)).toBeUndefined()
    expect(secondsToWait(refusals(10), NOW)).toBe(51 * 60)
    expect(secondsToWait(refusals(12), NOW)).toBe(51 * 60)
  })

  test('is held against others only where it is another one than now, whatever its case', () => {
    const current = { email: 'ada@example.org', networkName: 'ada' }
    expect(askedFor(current, { email: 'eve@example.org', networkName: 'eve' })).toEqual({
      email: 'eve@example.org',
      networkName: 'eve',
    })
    expect(askedFor(current, { email: 'ADA@example.org', networkName: 'Ada' })).toEqual({
      email: null,
      networkName: null,
    })
    expect(askedFor(current, { email: null, networkName: undefined })).toEqual({
      email: null,
      networkName: null,
    })
    expect(askedFor({ ...current, email: null }, { email: 'a@b.c', networkName: undefined }).email).toBe(
      'a@b.c',
    )
    expect(
      askedFor(
        { email: 'ADA@example.org', networkName: 'ADA' },
        { email: 'ada@example.org', networkName: 'ada' },
      ),
    ).toEqual({ email: null, networkName: null })
  })
})

test('a new passkey is named by the number of them, or the next that is free', () => {
  expect(defaultName([])).toBe('Passkey 1')
  expect(defaultName(['Phone'])).toBe('Passkey 2')
  expect(defaultName(['Passkey 2'])).toBe('Passkey 3')
  expect(defaultName(['Passkey 3', 'Passkey 4'])).toBe('Passkey 5')
})

describe('a password', () => {
  const stored = { passwordHash: 'hash', passwordByOperator: false }

  test('proves its user, but where there is none, or only the provider lets people in', () => {
    expect(isProof(stored, undefined)).toBe(true)
    expect(isProof(stored, { isOnly: false })).toBe(true)
    expect(isProof(stored, { isOnly: true })).toBe(false)
    expect(isProof({ ...stored, passwordByOperator: true }, { isOnly: true })).toBe(true)
    expect(isProof({ passwordHash: NO_PASSWORD, passwordByOperator: true }, undefined)).toBe(false)
  })

  test('that nobody has, has the hash of one like every other, so that checking it takes as long', () => {
    const hash = /^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/
    expect(DUMMY_HASH).toMatch(hash)
    expect(NO_PASSWORD).toMatch(hash)
    expect(NO_PASSWORD).not.toBe(DUMMY_HASH)
  })

  test('that is temporary lapses at its time', () => {
    expect(hasLapsed(null, NOW)).toBe(false)
    expect(hasLapsed(NOW, NOW)).toBe(true)
    expect(hasLapsed(new Date(+NOW + 1), NOW)).toBe(false)
  })
})

describe('settings', () => {
  const none = { weatherLat: null, weatherLon: null, quietFrom: null, quietTo: null }

  test('that are pairs are given or left together', () => {
    const half = (field: string, other: string) => [
      { field: `body.${field}`, message: `must be given together with ${other}` },
    ]
    expect(pairProblems(none)).toEqual([])
    expect(pairProblems({ weatherLat: 1, weatherLon: 0, quietFrom: '22:00', quietTo: '06:00' })).toEqual([])
    expect(pairProblems({ ...none, weatherLat: 0 })).toEqual(half('weather_lon', 'weather_lat'))
    expect(pairProblems({ ...none, weatherLon: 1 })).toEqual(half('weather_lat', 'weather_lon'))
    expect(pairProblems({ ...none, quietFrom: '22:00' })).toEqual(half('quiet_to', 'quiet_from'))
    expect(pairProblems({ ...none, quietTo: '06:00', weatherLat: 1 })).toEqual([
      ...half('weather_lon', 'weather_lat'),
      ...half('quiet_from', 'quiet_to'),
    ])
  })

  test('bind a push token to its user', () => {
    expect(pushTokenOwner(7)).toBe('ntfy_auth_token:7')
  })

  test.each<[text: string, problem: string | undefined]>([
    ['https://ntfy.example', undefined],
    ['http://ntfy.example:8080/', undefined],
    ['https://8.8.8.8/', undefined],
    ['https://[2001:4860::1]/', undefined],
    ['https://1.example/', undefined],
    ['https://ntfy1', undefined],
    ['https://example.1e/', undefined],
    ['ntfy.example', 'must be an http or https URL'],
    ['ftp://ntfy.example', 'must be an http or https URL'],
    ['httpsx://ntfy.example', 'must be an http or https URL'],
    ['xhttp://ntfy.example', 'must be an http or https URL'],
    ['https://ntfy.example ', 'must be an http or https URL'],
    ['https://nt\tfy.example', 'must be an http or https URL'],
    ['https://ada@ntfy.example', 'must not hold a user name or password'],
    ['https://:secret@ntfy.example', 'must not hold a user name or password'],
    ['https://ntfy.example/topic', 'must be the server alone, without a path'],
    ['https://ntfy.example/?a=b', 'must be the server alone, without a path'],
    ['https://ntfy.example/#a', 'must be the server alone, without a path'],
    ['https://10.0.0.1/', 'must not be a private or reserved address'],
    ['https://0x0a000001/', 'must not be a private or reserved address'],
    ['https://[::1]/', 'must not be a private or reserved address'],
  ])('take the push server %j with the problem %j', (text, problem) => {
    const allowed = ['8.8.8.8', '2001:4860::1']
    expect(serverUrlProblem(text, (ip) => allowed.includes(ip))).toBe(problem)
  })
})

test('an access token lives for a year unless its days are given, and is listed for 30 days after', () => {
  expect(expiryOf(NOW, undefined)).toEqual(new Date('2027-03-04T09:30:00Z'))
  expect(expiryOf(NOW, 1)).toEqual(new Date('2026-03-05T09:30:00Z'))
  expect(expiryOf(NOW, null)).toBeNull()
  expect(expiredBefore(NOW)).toEqual(new Date('2026-02-02T09:30:00Z'))
})

describe('a backup code', () => {
  test('is written from ten bytes, five letters and five', () => {
    expect(backupCode(new Uint8Array([0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10]))).toBe('01234-56789')
    expect(backupCode(new Uint8Array([31, 32, 63, 64, 255, 10, 18, 19, 20, 21]))).toBe('Z0Z0Z-AJKMN')
  })

  test.each<[text: string, code: string | undefined]>([
    ['01234-56789', '0123456789'],
    ['abcde-fghjk', 'ABCDEFGHJK'],
    ['oOiIl-L2345', '0011112345'],
    ['-0-1-2-3-4-5-6-7-8-9-', '0123456789'],
    ['0123456789', '0123456789'],
    ['01234-5678', undefined],
    ['01234-567890', undefined],
    ['01234-5678U', undefined],
    ['01234 5678', undefined],
    ['UUUUU-UUUUU', undefined],
    ['', undefined],
  ])('%j reads as %p', (text, code) => {
    expect(readBackupCode(text)).toBe(code)
  })
})

describe('a way in', () => {
  const issuer = 'https://id.example'
  const ways = { passwordHash: 'hash', passwordlessEnabled: false, passkeys: 0, issuers: [] }
  const none = { ...ways, passwordHash: NO_PASSWORD }

  test('is a password, unless it was given up', () => {
    expect(isLetIn(ways, undefined)).toBe(true)
    expect(isLetIn({ ...ways, passwordlessEnabled: true }, undefined)).toBe(false)
    expect(isLetIn(none, undefined)).toBe(false)
  })

  test('is a passkey', () => {
    expect(isLetIn({ ...none, passkeys: 1 }, undefined)).toBe(true)
    expect(isLetIn({ ...ways, passkeys: 1, passwordlessEnabled: true }, { issuer, isOnly: false })).toBe(true)
  })

  test('is an identity of the provider of today, however its address is spelt', () => {
    const door = { issuer, isOnly: false }
    expect(isLetIn({ ...none, issuers: ['https://old.example', issuer] }, door)).toBe(true)
    expect(isLetIn({ ...none, issuers: ['https://ID.example/'] }, door)).toBe(true)
    expect(isLetIn({ ...none, issuers: ['https://old.example'] }, door)).toBe(false)
    expect(isLetIn({ ...none, issuers: [issuer] }, undefined)).toBe(false)
    expect(isLetIn({ ...none, issuers: ['no address'] }, door)).toBe(false)
    expect(isLetIn(none, door)).toBe(false)
  })

  test('is the provider alone where nothing else lets people in', () => {
    const door = { issuer, isOnly: true }
    expect(isLetIn({ ...ways, passkeys: 2 }, door)).toBe(false)
    expect(isLetIn({ ...none, issuers: [issuer] }, door)).toBe(true)
    expect(refusalOfLocal({ name: 'Example', isOnly: true })).toMatchObject({
      kind: 'forbidden',
      message: 'Sign in with Example',
    })
    expect(refusalOfLocal({ name: 'Example', isOnly: false })).toBeUndefined()
    expect(refusalOfLocal(undefined)).toBeUndefined()
  })
})

describe('a passkey ceremony', () => {
  const challenge = { purpose: 'login', expiresAt: new Date(+NOW + 1) }
  const here = { isCrossOrigin: false } as Parameters<typeof challengeProblem>[1]

  test('answers its own challenge, in time, on this site', () => {
    expect(challengeProblem(challenge, here, 'login', NOW)).toBeUndefined()
    expect(challengeProblem(challenge, { ...here, isCrossOrigin: true }, 'login', NOW)).toBe('cross_origin')
    expect(challengeProblem(challenge, here, 'unlock', NOW)).toBe('challenge_of_another_purpose')
    expect(challengeProblem({ ...challenge, expiresAt: NOW }, here, 'login', NOW)).toBe('expired_challenge')
  })

  test('is for the owner of the passkey, who is named as stored', () => {
    const claim = { ownerId: 7, userIds: [7, null, undefined], storedHandle: 'h', givenHandle: 'h' }
    expect(ownerProblem(claim)).toBeUndefined()
    expect(ownerProblem({ ...claim, userIds: [] })).toBeUndefined()
    expect(ownerProblem({ ...claim, userIds: [7, 8] })).toBe('challenge_of_another_user')
    expect(ownerProblem({ ...claim, givenHandle: 'x' })).toBe('wrong_user_handle')
    for (const missing of [null, undefined])
      expect(ownerProblem({ ...claim, storedHandle: null, givenHandle: missing })).toBe('wrong_user_handle')
  })
})
