import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../../src/db/schema'
import { type Actor, type Harness, PASSWORD } from '../../support/harness'
import { auditOf, login, sessionsOf, startUnlimited, userRow } from './acting'

const USERS = '/api/admin/users'
let h: Harness
let admin: Actor
beforeAll(async () => {
  h = await startUnlimited()
  admin = await h.signedIn({ role: 'admin' })
})
afterAll(() => h[Symbol.asyncDispose]())

const lastAction = async () => (await auditOf(h, admin.row.id)).at(-1)?.action

describe('3.1 States and transitions: administration', () => {
  test('any sessions of a user + admin disables passwordless for the user → all revoked, audit entry', async () => {
    const ada = await h.signedIn({ passwordlessEnabled: true })
    await h.session(ada.row.id)
    await admin.request('PUT', `${USERS}/${ada.row.id}/passwordless`, { body: { enabled: false } })
    expect((await sessionsOf(h, ada.row.id)).map(({ revoked }) => revoked)).toEqual([true, true])
    expect(await lastAction()).toBe('admin.user_passwordless_disabled')
  })

  test('any sessions of a user + admin deletes the user, guards pass → all revoked, user removed', async () => {
    const ada = await h.signedIn()
    await admin.request('DELETE', `${USERS}/${ada.row.id}`)
    expect((await ada.request('GET', '/api/settings')).body).toEqual({
      detail: 'Session has been revoked or expired',
    })
    expect(await h.db.$count(users, eq(users.id, ada.row.id))).toBe(0)
  })

  test('account → disabled (is_active false), entered by administrators', async () => {
    const ada = await h.signedIn()
    await admin.request('PUT', `${USERS}/${ada.row.id}/active`, { body: { is_active: false } })
    expect(await userRow(h, ada.row.id)).toMatchObject({ isActive: false })
    expect((await ada.request('GET', '/api/settings')).status).toBe(401)
  })
})

describe('4.9 Administration (admin role only)', () => {
  test('DELETE /api/admin/users/{user_id}: refuses self-deletion; revokes sessions; writes an audit entry', async () => {
    await h.user({ role: 'admin' })
    expect((await admin.request('DELETE', `${USERS}/${admin.row.id}`)).status).toBe(400)
    const ada = await h.signedIn()
    expect((await admin.request('DELETE', `${USERS}/${ada.row.id}`)).status).toBe(200)
    expect((await ada.request('GET', '/api/settings')).status).toBe(401)
    expect(await lastAction()).toBe('admin.user_deleted')
  })

  test('DELETE /api/admin/users/{user_id}: refuses removing the last admin', async () => {
    await using alone = await startUnlimited()
    const [ada, bob] = [await alone.signedIn({ role: 'admin' }), await alone.signedIn({ role: 'admin' })]
    const answers = await Promise.all([
      ada.request('DELETE', `${USERS}/${bob.row.id}`),
      bob.request('DELETE', `${USERS}/${ada.row.id}`),
    ])
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
    expect(await alone.db.$count(users, eq(users.role, 'admin'))).toBe(1)
  })

  test('PUT /api/admin/users/{user_id}/passwordless: only disabling (enabled false) is allowed', async () => {
    const ada = await h.user()
    const set = (enabled: boolean) =>
      admin.request('PUT', `${USERS}/${ada.id}/passwordless`, { body: { enabled } })
    expect((await set(true)).status).toBe(400)
    expect((await set(false)).status).toBe(200)
    expect(await userRow(h, ada.id)).toMatchObject({ passwordlessEnabled: false })
  })

  test('reset-password: the response returns a temporary password; the request takes no password', async () => {
    const ada = await h.user()
    const path = `${USERS}/${ada.id}/reset-password`
    expect((await admin.request('POST', path, { body: { password: PASSWORD } })).status).toBe(422)
    const { status, body } = await admin.request('POST', path)
    expect(status).toBe(200)
    expect((await login(h, ada.username, body.temporary_password)).body.authenticated).toBe(true)
  })

  test('enforce-mfa and disable-mfa', async () => {
    const ada = await h.user({ totpEnabled: true })
    const enforced = await admin.request('PUT', `${USERS}/${ada.id}/enforce-mfa`, { body: { enforce: true } })
    expect(enforced.body).toMatchObject({ mfa_enforce_pending: false, totp_enabled: true })
    const disabled = await admin.request('POST', `${USERS}/${ada.id}/disable-mfa`)
    expect(disabled.body).toMatchObject({ mfa_enforce_pending: true, totp_enabled: false })
  })

  test('user detail', async () => {
    const ada = await h.user()
    const { status, body } = await admin.request('GET', `${USERS}/${ada.id}`)
    expect([status, body]).toMatchObject([200, { id: ada.id, username: ada.username }])
    expect((await admin.request('GET', `${USERS}/2147483647`)).status).toBe(404)
  })

  test('all admin mutation bodies reject unknown fields', async () => {
    const ada = await h.user()
    const path = `${USERS}/${ada.id}`
    const mutations = [
      ['POST', USERS, { username: 'unmade', password: PASSWORD }],
      ['PUT', `${path}/role`, { role: 'admin' }],
      ['PUT', `${path}/active`, { is_active: false }],
      ['POST', `${path}/reset-password`, {}],
      ['POST', `${path}/unlock`, {}],
      ['PUT', `${path}/enforce-mfa`, { enforce: true }],
      ['POST', `${path}/disable-mfa`, {}],
      ['PUT', `${path}/passwordless`, { enabled: false }],
      ['DELETE', `${path}/sessions`, {}],
      ['DELETE', path, {}],
      ['PUT', '/api/admin/config', { allow_registration: true }],
    ] as const
    for (const [method, target, known] of mutations) {
      const body = { ...known, unknown_field: 1 }
      const { status } = await admin.request(method, target, { body })
      expect([method, target, status]).toEqual([method, target, 422])
    }
    expect(await userRow(h, ada.id)).toEqual(ada)
  })

  test('system configuration update: accepts allow_passwordless among its fields', async () => {
    const body = { allow_passwordless: true }
    expect((await admin.request('PUT', '/api/admin/config', { body })).body).toMatchObject(body)
  })

  test('user list: wrapped object containing a users array; items carry passwordless_enabled', async () => {
    const { body } = await admin.request('GET', USERS)
    expect(body.users.length).toBeGreaterThan(1)
    for (const user of body.users) expect(user.passwordless_enabled).toBeBoolean()
  })

  test('dashboard: counts, recent logins (with usernames) and recent audit entries', async () => {
    const { body } = await admin.request('GET', '/api/admin/dashboard')
    expect(body.counts.users).toBe(await h.db.$count(users))
    expect(body.recent_logins[0]).toMatchObject({ username: expect.any(String) })
    expect(body.recent_audit[0]).toMatchObject({ action: expect.any(String) })
  })

  test('is refused to the standard role: 403 Insufficient permissions', async () => {
    const ada = await h.signedIn()
    for (const path of [USERS, `${USERS}/${ada.row.id}`, '/api/admin/dashboard', '/api/admin/config']) {
      const { status, body } = await ada.request('GET', path)
      expect([path, status, body]).toEqual([path, 403, { detail: 'Insufficient permissions' }])
    }
  })
})

test('8 Limits: the password of a user whom an administrator creates has 12 characters or more', async () => {
  const create = (password: string) =>
    admin.request('POST', USERS, { body: { username: 'created', password } })
  expect((await create(PASSWORD.slice(0, 11))).status).toBe(422)
  expect((await create(PASSWORD.slice(0, 12))).status).toBe(201)
})
