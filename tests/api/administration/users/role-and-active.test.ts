import { beforeEach, describe, expect, test } from 'bun:test'
import { auditLog } from '../../../../src/db/schema'
import { login, userOf } from '../../../support/accounts'
import { type Actor } from '../../../support/harness'
import { beginChallenges, countChallenges, lastAudit, liveSessions, USERS } from './acting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })
let admin: Actor
beforeEach(async () => {
  admin = await h.signedIn({ role: 'admin' })
})

const setRole = (id: number, role: string, actor = admin) =>
  actor.request('PUT', `${USERS}/${id}/role`, { body: { role } })
const setActive = (id: number, is_active: boolean, actor = admin) =>
  actor.request('PUT', `${USERS}/${id}/active`, { body: { is_active } })

describe('PUT /api/admin/users/{id}/role', () => {
  test('holds at once, in the sessions that the user has', async () => {
    const ada = await h.signedIn()
    expect((await ada.request('GET', USERS)).status).toBe(403)
    const promoted = await setRole(ada.row.id, 'admin')
    expect([promoted.status, promoted.body]).toMatchObject([200, { id: ada.row.id, role: 'admin' }])
    expect((await ada.request('GET', USERS)).status).toBe(200)
    expect((await setRole(ada.row.id, 'standard')).body.role).toBe('standard')
    expect((await ada.request('GET', USERS)).status).toBe(403)
    expect((await ada.request('GET', '/api/auth/status')).body).toMatchObject({ role: 'standard' })
  })

  test('is audited with the role, also where it was that already', async () => {
    const ada = await h.user({ username: 'Ada' })
    for (let i = 1; i <= 2; i++) {
      await setRole(ada.id, 'admin')
      expect(await h.db.$count(auditLog)).toBe(i)
      expect(await lastAudit(h)).toEqual({
        action: 'admin.user_role_changed',
        actorId: admin.row.id,
        detail: { user_id: ada.id, username: 'Ada', role: 'admin' },
        ip: '203.0.113.7',
      })
    }
  })

  test('refuses one’s own, whatever the role', async () => {
    await h.user({ role: 'admin' })
    for (const role of ['standard', 'admin']) {
      const refused = await setRole(admin.row.id, role)
      expect([refused.status, refused.body]).toEqual([400, { detail: 'You cannot change your own role' }])
    }
    expect(await userOf(h, admin.row.id)).toMatchObject({ role: 'admin' })
    expect(await h.db.$count(auditLog)).toBe(0)
  })

  test.each([
    ['role: must be one of admin, standard', { role: 'owner' }],
    ['role: must be one of admin, standard', { role: null }],
    ['role: is required', {}],
  ])('says "%s"', async (detail, body) => {
    const ada = await h.user()
    const refused = await admin.request('PUT', `${USERS}/${ada.id}/role`, { body })
    expect([refused.status, refused.body.detail]).toEqual([422, detail])
  })
})

describe('PUT /api/admin/users/{id}/active', () => {
  test('false signs the user out, ends what they had begun, and keeps them out', async () => {
    const ada = await h.signedIn()
    const bob = await h.signedIn()
    await beginChallenges(h, ada.row.id)
    await beginChallenges(h, bob.row.id)
    const { status, body } = await setActive(ada.row.id, false)
    expect([status, body]).toMatchObject([200, { id: ada.row.id, is_active: false }])
    expect((await ada.request('GET', '/api/settings')).body).toEqual({
      detail: 'Session has been revoked or expired',
    })
    expect((await login(h, ada.row.username)).body).toEqual({
      detail: 'Account is disabled. Please contact an administrator.',
    })
    expect([await liveSessions(h, ada.row.id), await countChallenges(h, ada.row.id)]).toEqual([0, 0])
    expect([await liveSessions(h, bob.row.id), await countChallenges(h, bob.row.id)]).toEqual([1, 2])
  })

  test('true lets them in again, and touches no session', async () => {
    const ada = await h.user({ isActive: false })
    expect((await setActive(ada.id, true)).body).toMatchObject({ is_active: true })
    expect((await login(h, ada.username)).status).toBe(200)
    await setActive(ada.id, true)
    expect(await liveSessions(h, ada.id)).toBe(1)
  })

  test.each([
    [true, 'admin.user_activated'],
    [false, 'admin.user_deactivated'],
  ])('%p is audited, also where nothing was left to change', async (isActive, action) => {
    const ada = await h.user({ username: 'Ada' })
    for (let i = 1; i <= 2; i++) {
      await setActive(ada.id, isActive)
      expect(await h.db.$count(auditLog)).toBe(i)
      expect(await lastAudit(h)).toEqual({
        action,
        actorId: admin.row.id,
        detail: { user_id: ada.id, username: 'Ada' },
        ip: '203.0.113.7',
      })
    }
  })

  test('refuses to disable one’s own account, and no more than that', async () => {
    await h.user({ role: 'admin' })
    const refused = await setActive(admin.row.id, false)
    expect([refused.status, refused.body]).toEqual([
      400,
      { detail: 'You cannot deactivate your own account' },
    ])
    expect((await setActive(admin.row.id, true)).status).toBe(200)
    expect(await liveSessions(h, admin.row.id)).toBe(1)
  })
})
