import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, backupCodes, totpCredentials } from '../../../../src/db/schema'
import { addMinutes } from '../../../../src/lib/time/time'
import { login, userOf } from '../../../support/accounts'
import { type Actor, type Harness } from '../../../support/harness'
import { beginChallenges, countChallenges, lastAudit, liveSessions, USERS } from './acting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })
let admin: Actor
beforeEach(async () => {
  admin = await h.signedIn({ role: 'admin' })
})

const act = (method: string, id: number, operation: string, body?: object) =>
  admin.request(method, `${USERS}/${id}/${operation}`, body ? { body } : {})

/** What the audit log says of `action`, done to Ada. */
const audited = (action: string, id: number) => ({
  action,
  actorId: admin.row.id,
  detail: { user_id: id, username: 'Ada' },
  ip: '203.0.113.7',
})

async function withTotp(columns: Parameters<Harness['signedIn']>[0] = {}) {
  const actor = await h.signedIn({ totpEnabled: true, ...columns })
  const at = { userId: actor.row.id, createdAt: h.clock.now() }
  await h.db.insert(totpCredentials).values({ ...at, secret: 'sealed', confirmedAt: h.clock.now() })
  await h.db.insert(backupCodes).values([
    { ...at, codeHash: 'a' },
    { ...at, codeHash: 'b' },
  ])
  return actor
}

const secondFactors = async (userId: number) =>
  (await h.db.$count(totpCredentials, eq(totpCredentials.userId, userId))) +
  (await h.db.$count(backupCodes, eq(backupCodes.userId, userId)))

describe('POST /api/admin/users/{id}/unlock', () => {
  test('ends both locks and both counts, and nothing else', async () => {
    const until = addMinutes(h.clock.now(), 30)
    const locks = { failedLoginCount: 10, lockedUntil: until, failedMfaCount: 4, mfaLockedUntil: until }
    const ada = await h.signedIn({ username: 'Ada', ...locks })
    expect((await login(h, 'ada')).status).toBe(423)
    const { status, body } = await act('POST', ada.row.id, 'unlock')
    expect([status, body]).toMatchObject([200, { id: ada.row.id, locked_until: null }])
    const cleared = { failedLoginCount: 0, lockedUntil: null, failedMfaCount: 0, mfaLockedUntil: null }
    expect(await userOf(h, ada.row.id)).toEqual({ ...ada.row, ...cleared, updatedAt: h.clock.now() })
    expect(await liveSessions(h, ada.row.id)).toBe(1)
    expect((await login(h, 'ada')).status).toBe(200)
  })

  test('is audited, also where there was no lock', async () => {
    const ada = await h.user({ username: 'Ada' })
    await act('POST', ada.id, 'unlock')
    expect(await lastAudit(h)).toEqual(audited('admin.user_unlocked', ada.id))
  })
})

describe('PUT /api/admin/users/{id}/enforce-mfa', () => {
  test('signs out who has no second factor, who must set one up at the next sign-in', async () => {
    const ada = await h.signedIn({ username: 'Ada' })
    const { status, body } = await act('PUT', ada.row.id, 'enforce-mfa', { enforce: true })
    expect([status, body]).toMatchObject([200, { mfa_required: true, mfa_enforce_pending: true }])
    expect(await liveSessions(h, ada.row.id)).toBe(0)
    expect((await login(h, 'ada')).body).toMatchObject({ authenticated: false, mfa_setup_required: true })
    await act('PUT', ada.row.id, 'enforce-mfa', { enforce: true })
    expect(await lastAudit(h)).toEqual(audited('admin.user_mfa_enforced', ada.row.id))
  })

  test('leaves who has one signed in', async () => {
    const ada = await withTotp()
    const { body } = await act('PUT', ada.row.id, 'enforce-mfa', { enforce: true })
    expect(body).toMatchObject({ mfa_required: true, mfa_enforce_pending: false, totp_enabled: true })
    expect(await liveSessions(h, ada.row.id)).toBe(1)
    expect(await secondFactors(ada.row.id)).toBe(3)
  })

  test('false asks for none any more, and takes nothing away', async () => {
    const ada = await withTotp({ username: 'Ada', mfaRequired: true })
    const bob = await h.user({ mfaRequired: true })
    const { body } = await act('PUT', bob.id, 'enforce-mfa', { enforce: false })
    expect(body).toMatchObject({ mfa_required: false, mfa_enforce_pending: false })
    expect((await login(h, bob.username)).body).toEqual({ authenticated: true })
    const { body: answered } = await act('PUT', ada.row.id, 'enforce-mfa', { enforce: false })
    expect(answered).toMatchObject({ mfa_required: false, totp_enabled: true })
    expect([await liveSessions(h, ada.row.id), await secondFactors(ada.row.id)]).toEqual([1, 3])
    expect(await lastAudit(h)).toEqual(audited('admin.user_mfa_unenforced', ada.row.id))
  })

  test('An administrator who enforces a second factor for themselves is signed out', async () => {
    expect((await act('PUT', admin.row.id, 'enforce-mfa', { enforce: true })).status).toBe(200)
    expect((await admin.request('GET', USERS)).status).toBe(401)
  })
})

describe('POST /api/admin/users/{id}/disable-mfa', () => {
  test('takes the authenticator, the codes, the lock by them and the sessions away', async () => {
    const until = addMinutes(h.clock.now(), 30)
    const ada = await withTotp({ username: 'Ada', failedMfaCount: 10, mfaLockedUntil: until })
    const bob = await withTotp()
    await beginChallenges(h, ada.row.id)
    const { status, body } = await act('POST', ada.row.id, 'disable-mfa')
    expect([status, body]).toMatchObject([
      200,
      { totp_enabled: false, mfa_enforce_pending: false, locked_until: null },
    ])
    expect(await secondFactors(ada.row.id)).toBe(0)
    expect([await liveSessions(h, ada.row.id), await countChallenges(h, ada.row.id)]).toEqual([0, 0])
    expect((await login(h, 'ada')).body).toEqual({ authenticated: true })
    expect([await liveSessions(h, bob.row.id), await secondFactors(bob.row.id)]).toEqual([1, 3])
  })

  test('leaves it pending again where it is required', async () => {
    const ada = await withTotp({ mfaRequired: true })
    const { body } = await act('POST', ada.row.id, 'disable-mfa')
    expect(body).toMatchObject({ mfa_required: true, mfa_enforce_pending: true })
    expect((await login(h, ada.row.username)).body).toMatchObject({ mfa_setup_required: true })
  })

  test('is audited, also where there was no second factor', async () => {
    const ada = await h.user({ username: 'Ada' })
    await act('POST', ada.id, 'disable-mfa')
    expect(await lastAudit(h)).toEqual(audited('admin.user_mfa_disabled', ada.id))
  })
})

describe('PUT /api/admin/users/{id}/passwordless', () => {
  test('false lets the password in again and ends every session', async () => {
    const ada = await h.signedIn({ username: 'Ada', passwordlessEnabled: true })
    await h.session(ada.row.id)
    expect((await login(h, 'ada')).status).toBe(403)
    const { status, body } = await act('PUT', ada.row.id, 'passwordless', { enabled: false })
    expect([status, body]).toMatchObject([200, { passwordless_enabled: false }])
    expect(await liveSessions(h, ada.row.id)).toBe(0)
    expect((await login(h, 'ada')).body).toEqual({ authenticated: true })
    await act('PUT', ada.row.id, 'passwordless', { enabled: false })
    expect(await lastAudit(h)).toEqual(audited('admin.user_passwordless_disabled', ada.row.id))
  })

  test('true is refused and changes nothing', async () => {
    const ada = await h.signedIn()
    const refused = await act('PUT', ada.row.id, 'passwordless', { enabled: true })
    expect([refused.status, refused.body]).toEqual([400, { detail: 'Only disabling is allowed' }])
    expect(await userOf(h, ada.row.id)).toEqual(ada.row)
    expect([await liveSessions(h, ada.row.id), await h.db.$count(auditLog)]).toEqual([1, 0])
  })
})

describe('DELETE /api/admin/users/{id}/sessions', () => {
  test('ends every session of the user, says how many lived, and lets them sign in again', async () => {
    const [ada, bob] = [await h.signedIn({ username: 'Ada' }), await h.signedIn()]
    await h.session(ada.row.id)
    await h.session(ada.row.id, { expiresAt: h.clock.now() })
    const { status, body } = await act('DELETE', ada.row.id, 'sessions')
    expect([status, body]).toEqual([200, { message: 'Sessions ended', revoked: 2 }])
    expect([await liveSessions(h, ada.row.id), await liveSessions(h, bob.row.id)]).toEqual([0, 1])
    expect((await act('DELETE', ada.row.id, 'sessions')).body.revoked).toBe(0)
    expect(await lastAudit(h)).toEqual(audited('admin.user_sessions_revoked', ada.row.id))
    expect((await login(h, 'ada')).status).toBe(200)
  })

  test('An administrator who ends their own sessions keeps the one that asks', async () => {
    await h.session(admin.row.id)
    expect((await act('DELETE', admin.row.id, 'sessions')).body.revoked).toBe(1)
    expect((await admin.request('GET', USERS)).status).toBe(200)
  })
})
