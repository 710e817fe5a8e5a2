import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import {
  auditLog,
  notifications,
  passkeys,
  sessions,
  users,
  webauthnChallenges,
} from '../../../../src/db/schema'
import { type Authenticator, type Lies, toBase64url } from '../../../support/authenticator'
import { setCookieOf } from '../../../support/harness'
import { begin, complete, register, signIn } from '../../../support/passkeys'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off' } })

const FAILED = { detail: 'Passkey authentication failed' }

/** A user who has signed in with a passkey once. */
async function withPasskey(options: Parameters<typeof register>[1] = {}) {
  const ada = await h.signedIn()
  const { authenticator, passkey } = await register(ada, options)
  if ((await signIn(h, authenticator)).status !== 200) throw new Error('cannot sign in')
  return { ada, authenticator, passkey }
}

/** Everything that a refused sign-in must leave as it is. */
const state = async () => ({
  users: await h.db.select().from(users).orderBy(users.id),
  passkeys: await h.db.select().from(passkeys).orderBy(passkeys.id),
  sessions: await h.db.select().from(sessions).orderBy(sessions.id),
  notifications: await h.db.select().from(notifications).orderBy(notifications.id),
})
const lastAudit = async () => (await h.db.select().from(auditLog).orderBy(auditLog.id)).at(-1)

type Answer = Awaited<ReturnType<typeof complete>>

/** One 401, one audit entry with the reason, no cookie, and nothing else. */
async function expectRefused(attempt: () => Promise<Answer>, reason: string, actorId: number | null) {
  const before = await state()
  const answered = await attempt()
  expect([answered.status, answered.body]).toEqual([401, FAILED])
  expect(setCookieOf(answered.headers)).toBeUndefined()
  expect(await state()).toEqual(before)
  expect(await lastAudit()).toMatchObject({
    action: 'auth.passkey_login_failed',
    actorId,
    detail: { reason },
    ip: '203.0.113.7',
  })
}

describe('an assertion is refused with', () => {
  const lies: ReadonlyArray<[title: string, lies: Lies, reason: string]> = [
    ['another origin', { origin: 'http://localhost' }, 'invalid_assertion'],
    ['another relying party', { rpId: 'example.org' }, 'invalid_assertion'],
    ['no user verification', { userVerified: false }, 'invalid_assertion'],
    ['no user presence', { userPresent: false }, 'invalid_assertion'],
    ['the type of a registration', { type: 'webauthn.create' }, 'invalid_assertion'],
    ['a foreign user handle', { userHandle: toBase64url(new Uint8Array(32)) }, 'wrong_user_handle'],
    ['no user handle', { userHandle: null }, 'wrong_user_handle'],
    ['a changed backup eligibility', { backupEligible: true }, 'backup_eligibility_changed'],
    ['a backup of what cannot be backed up', { backedUp: true }, 'invalid_assertion'],
  ]
  test.each(lies)('%s', async (_, lie, reason) => {
    const { ada, authenticator } = await withPasskey()
    await expectRefused(() => signIn(h, authenticator, lie), reason, ada.row.id)
    expect((await signIn(h, authenticator)).status).toBe(200)
  })

  const beforeTheOwnerIsKnown: ReadonlyArray<[title: string, lies: Lies, reason: string]> = [
    ['a frame of another site', { crossOrigin: true }, 'cross_origin'],
    ['a top origin', { topOrigin: 'http://localhost:3000' }, 'cross_origin'],
    ['a challenge of its own', { challenge: toBase64url(new Uint8Array(32)) }, 'unknown_challenge'],
  ]
  test.each(beforeTheOwnerIsKnown)('%s', async (_, lie, reason) => {
    const { authenticator } = await withPasskey()
    await expectRefused(() => signIn(h, authenticator, lie), reason, null)
  })

  test('a changed backup eligibility the other way', async () => {
    const { ada, authenticator } = await withPasskey({ backupEligible: true })
    const attempt = () => signIn(h, authenticator, { backupEligible: false })
    await expectRefused(attempt, 'backup_eligibility_changed', ada.row.id)
  })

  test('a challenge that was shown before, also in vain', async () => {
    const { ada, authenticator } = await withPasskey()
    const options = await begin(h)
    const bad = await authenticator.get(options, { userVerified: false })
    await expectRefused(() => complete(h, { credential: bad }), 'invalid_assertion', ada.row.id)
    const good = await authenticator.get(options)
    await expectRefused(() => complete(h, { credential: good }), 'unknown_challenge', null)
    const fresh = await authenticator.get(await begin(h))
    expect((await complete(h, { credential: fresh })).status).toBe(200)
    await expectRefused(() => complete(h, { credential: fresh }), 'unknown_challenge', null)
  })

  test('a challenge for registration, or for leaving passwordless', async () => {
    const { ada, authenticator } = await withPasskey()
    await register(ada)
    await h.db.update(users).set({ passwordlessEnabled: true }).where(eq(users.id, ada.row.id))
    for (const ceremony of ['register', 'passwordless/disable']) {
      const credential = await authenticator.get(await begin(ada, ceremony))
      await expectRefused(() => complete(h, { credential }), 'challenge_of_another_purpose', null)
    }
  })

  test('a challenge that is five minutes old', async () => {
    const { authenticator } = await withPasskey()
    const [early, late] = [await begin(h), await begin(h)]
    h.clock.advance({ seconds: 299 })
    expect((await complete(h, { credential: await authenticator.get(early) })).status).toBe(200)
    h.clock.advance({ seconds: 1 })
    const credential = await authenticator.get(late)
    await expectRefused(() => complete(h, { credential }), 'expired_challenge', null)
  })

  test('a challenge that is bound to another user', async () => {
    const [{ ada }, { ada: eve, authenticator }] = [await withPasskey(), await withPasskey()]
    const credential = await authenticator.get(await begin(ada))
    await expectRefused(() => complete(h, { credential }), 'challenge_of_another_user', eve.row.id)
  })

  test('the id of another user’s credential', async () => {
    const [{ ada, authenticator: hers }, { authenticator }] = [await withPasskey(), await withPasskey()]
    const signed = await authenticator.get(await begin(h))
    const credential = { ...signed, id: hers.credentialId, rawId: hers.credentialId }
    await expectRefused(() => complete(h, { credential }), 'wrong_user_handle', ada.row.id)
  })

  test('the id and the handle of another user’s credential', async () => {
    const [{ ada, authenticator: hers }, { authenticator }] = [await withPasskey(), await withPasskey()]
    const { response } = await hers.get(await begin(h))
    const signed = await authenticator.get(await begin(h), { userHandle: response.userHandle ?? null })
    const credential = { ...signed, id: hers.credentialId, rawId: hers.credentialId }
    await expectRefused(() => complete(h, { credential }), 'invalid_assertion', ada.row.id)
  })

  test('a credential that is not registered, or not any more', async () => {
    const { ada, authenticator, passkey } = await withPasskey()
    const credential = await authenticator.get(await begin(h))
    await ada.request('DELETE', `/api/auth/passkeys/${passkey.id}`)
    await expectRefused(() => complete(h, { credential }), 'unknown_credential', null)
  })
})

describe('a sign count', () => {
  test.each([1, 0])(
    'that does not go on from one (%d) is refused, audited and told to the owner',
    async (signCount) => {
      const { ada, authenticator, passkey } = await withPasskey()
      const before = await state()
      const answered = await signIn(h, authenticator, { signCount })
      expect([answered.status, answered.body]).toEqual([401, FAILED])
      expect({ ...(await state()), notifications: [] }).toEqual({ ...before, notifications: [] })
      const audit = await h.db
        .select()
        .from(auditLog)
        .where(eq(auditLog.actorId, ada.row.id))
        .orderBy(auditLog.id)
      expect(audit.slice(-2)).toMatchObject([
        { action: 'auth.passkey_counter_regressed', detail: { passkey_id: passkey.id } },
        { action: 'auth.passkey_login_failed', detail: { reason: 'counter_regressed' } },
      ])
      const told = (
        await h.db.select().from(notifications).where(eq(notifications.userId, ada.row.id))
      ).filter(({ title }) => title === 'A passkey may have been copied')
      expect(told).toMatchObject([
        { type: 'security', isRead: false, data: { passkey_id: passkey.id }, createdAt: h.clock.now() },
      ])
      expect(told[0]?.message).toContain('"Passkey 1"')
      expect((await signIn(h, authenticator)).status).toBe(200)
    },
  )

  test('that is forged says nothing about a copy', async () => {
    const { ada, authenticator } = await withPasskey()
    await expectRefused(
      async () => {
        const credential = await authenticator.get(await begin(h), { signCount: 0 })
        const signature = toBase64url(new Uint8Array(70))
        return complete(h, { credential: { ...credential, response: { ...credential.response, signature } } })
      },
      'invalid_assertion',
      ada.row.id,
    )
  })
})

describe('a malformed credential', () => {
  type Credential = Awaited<ReturnType<Authenticator['get']>>
  const inResponse = (change: Record<string, unknown>) => (credential: Credential) => ({
    ...credential,
    response: { ...credential.response, ...change },
  })
  const text = (value: string) => toBase64url(new TextEncoder().encode(value))

  const shapes: ReadonlyArray<[title: string, field: string, (credential: Credential) => unknown]> = [
    ['nothing', 'credential', () => undefined],
    ['a text', 'credential', () => 'credential'],
    ['null', 'credential', () => null],
    ['no id', 'credential.id', (credential) => ({ ...credential, id: undefined })],
    ['an id in another alphabet', 'credential.id', (credential) => ({ ...credential, id: 'a+b/' })],
    ['an empty id', 'credential.id', (credential) => ({ ...credential, id: '' })],
    ['an id without end', 'credential.id', (credential) => ({ ...credential, id: 'A'.repeat(1365) })],
    ['another type', 'credential.type', (credential) => ({ ...credential, type: 'password' })],
    ['no response', 'credential.response', (credential) => ({ ...credential, response: undefined })],
    ['padding', 'credential.response.signature', inResponse({ signature: 'AA==' })],
    ['a number', 'credential.response.authenticatorData', inResponse({ authenticatorData: 7 })],
    ['U+0000', 'credential.response.clientDataJSON', inResponse({ clientDataJSON: 'A\0' })],
    ['a handle without end', 'credential.response.userHandle', inResponse({ userHandle: 'A'.repeat(87) })],
  ]
  test.each(shapes)('in its shape is 422: %s', async (_, field, malform) => {
    const { authenticator } = await withPasskey()
    const before = await state()
    const answered = await complete(h, { credential: malform(await authenticator.get(await begin(h))) })
    expect([answered.status, answered.body.errors[0].field]).toEqual([422, `body.${field}`])
    expect(await state()).toEqual(before)
  })

  const contents: ReadonlyArray<[title: string, (credential: Credential) => unknown]> = [
    ['client data that is no JSON', inResponse({ clientDataJSON: text('{') })],
    ['client data that is null', inResponse({ clientDataJSON: text('null') })],
    ['client data that is no UTF-8', inResponse({ clientDataJSON: '_w' })],
    ['client data without a challenge', inResponse({ clientDataJSON: text('{"type":"webauthn.get"}') })],
    ['a challenge that is a list', inResponse({ clientDataJSON: text('{"challenge":[]}') })],
    ['authenticator data that is cut', inResponse({ authenticatorData: 'AAAA' })],
    ['authenticator data of one character', inResponse({ authenticatorData: 'A' })],
    ['authenticator data of zeros', inResponse({ authenticatorData: toBase64url(new Uint8Array(37)) })],
    ['a signature of one byte', inResponse({ signature: 'AA' })],
    ['a signature that is no ASN.1', inResponse({ signature: toBase64url(new Uint8Array(64).fill(255)) })],
    ['a user handle that is null', inResponse({ userHandle: null })],
    ['another raw id', (credential) => ({ ...credential, rawId: 'AAAA' })],
  ]
  test.each(contents)('in its content is 401: %s', async (_, malform) => {
    const { authenticator } = await withPasskey()
    const before = await state()
    const answered = await complete(h, { credential: malform(await authenticator.get(await begin(h))) })
    expect([answered.status, answered.body]).toEqual([401, FAILED])
    expect(await state()).toEqual(before)
    expect(await lastAudit()).toMatchObject({ action: 'auth.passkey_login_failed' })
  })

  test('with fields that nobody knows is taken without them', async () => {
    const { authenticator } = await withPasskey()
    const credential = {
      ...(await authenticator.get(await begin(h))),
      authenticatorAttachment: 'platform',
      x: 1,
    }
    expect((await complete(h, { credential, y: 2 })).status).toBe(200)
  })
})

test('a refused sign-in uses its challenge up', async () => {
  const { authenticator } = await withPasskey()
  await h.db.delete(webauthnChallenges)
  const lies: Lies[] = [
    { crossOrigin: true },
    { userHandle: null },
    { signCount: 0 },
    { userVerified: false },
  ]
  for (const lie of lies) {
    await signIn(h, authenticator, lie)
    expect(await h.db.select().from(webauthnChallenges)).toEqual([])
  }
})
