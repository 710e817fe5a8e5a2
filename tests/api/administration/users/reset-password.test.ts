import { beforeEach, describe, expect, test } from 'bun:test'
import { addMinutes } from '../../../../src/lib/time/time'
import { login, userOf } from '../../../support/accounts'
import { type Actor, PASSWORD, setCookieOf } from '../../../support/harness'
import { beginChallenges, countChallenges, lastAudit, liveSessions, USERS } from './acting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })
let admin: Actor
beforeEach(async () => {
  admin = await h.signedIn({ role: 'admin' })
})

const reset = (id: number, actor = admin) => actor.request('POST', `${USERS}/${id}/reset-password`)

describe('POST /api/admin/users/{id}/reset-password', () => {
  test('answers a password of 16 unmistakable characters for 72 hours, another one each time', async () => {
    const ada = await h.user()
    const passwords = new Set<string>()
    for (let i = 0; i < 50; i++) {
      const { status, body } = await reset(ada.id)
      expect([status, Object.keys(body)]).toEqual([200, ['temporary_password', 'expires_at']])
      expect(body.temporary_password).toMatch(/^[a-km-np-z2-9]{16}$/)
      expect(body.expires_at).toBe('2026-03-07T10:30:00+01:00')
      passwords.add(body.temporary_password)
    }
    expect(passwords.size).toBe(50)
    const drawn = new Set([...passwords].join(''))
    expect(drawn.size).toBe(32)
  })

  test('lets the user in to choose a password of their own, and nothing else', async () => {
    const ada = await h.user()
    const { temporary_password } = (await reset(ada.id)).body
    expect((await login(h, ada.username)).body).toEqual({ detail: 'Incorrect username or password' })
    const signedIn = await login(h, ada.username, temporary_password)
    expect(signedIn.body).toEqual({ authenticated: true, must_change_password: true })
    const cookie = setCookieOf(signedIn.headers)?.value ?? ''
    expect((await h.request('GET', '/api/settings', { cookie })).body.code).toBe('password_change_required')
    const change = { old_password: temporary_password, new_password: 'a whole new password' }
    const changed = await h.request('POST', '/api/auth/change-password', { cookie, body: change })
    expect(changed.status).toBe(200)
    const own = setCookieOf(changed.headers)?.value ?? ''
    expect((await h.request('GET', '/api/settings', { cookie: own })).status).toBe(200)
    h.clock.advance({ hours: 100 })
    expect((await login(h, ada.username, 'a whole new password')).body).toEqual({ authenticated: true })
  })

  test('takes no password: the service chooses it', async () => {
    const ada = await h.user()
    const body = { password: PASSWORD }
    expect((await admin.request('POST', `${USERS}/${ada.id}/reset-password`, { body })).status).toBe(422)
    expect(await userOf(h, ada.id)).toEqual(ada)
  })

  test('leaves after 72 hours a wrong password that counts nothing', async () => {
    const ada = await h.user()
    const { temporary_password } = (await reset(ada.id)).body
    h.clock.advance({ hours: 72, ms: -1 })
    const signedIn = await login(h, ada.username, temporary_password)
    expect(signedIn.status).toBe(200)
    const cookie = setCookieOf(signedIn.headers)?.value ?? ''
    h.clock.advance({ ms: 1 })
    const refused = await login(h, ada.username, temporary_password)
    expect([refused.status, refused.body]).toEqual([401, { detail: 'Incorrect username or password' }])
    const body = { old_password: temporary_password, new_password: 'a whole new password' }
    const kept = await h.request('POST', '/api/auth/change-password', { cookie, body })
    expect([kept.status, kept.body]).toEqual([401, { detail: 'Incorrect password' }])
    expect(await userOf(h, ada.id)).toMatchObject({ failedLoginCount: 0, mustChangePassword: true })
    const again = (await reset(ada.id)).status
    expect(again).toBe(403) // the administrator's own proof is older than 15 minutes by now
  })

  test('ends locks, counts, sessions and sign-ins under way, and turns passwordless sign-in off', async () => {
    const until = addMinutes(h.clock.now(), 30)
    const locks = { failedLoginCount: 10, lockedUntil: until, failedMfaCount: 10, mfaLockedUntil: until }
    const ada = await h.signedIn({ ...locks, passwordlessEnabled: true })
    const bob = await h.signedIn({ ...locks, passwordlessEnabled: true })
    await beginChallenges(h, ada.row.id)
    await beginChallenges(h, bob.row.id)
    const { temporary_password } = (await reset(ada.row.id)).body
    const cleared = { failedLoginCount: 0, lockedUntil: null, failedMfaCount: 0, mfaLockedUntil: null }
    expect(await userOf(h, ada.row.id)).toMatchObject({ ...cleared, passwordlessEnabled: false })
    expect([await liveSessions(h, ada.row.id), await countChallenges(h, ada.row.id)]).toEqual([0, 0])
    expect((await login(h, ada.row.username, temporary_password)).status).toBe(200)
    expect(await userOf(h, bob.row.id)).toEqual(bob.row)
    expect([await liveSessions(h, bob.row.id), await countChallenges(h, bob.row.id)]).toEqual([1, 2])
  })

  test('is audited, without the password', async () => {
    const ada = await h.user({ username: 'Ada' })
    await reset(ada.id)
    expect(await lastAudit(h)).toEqual({
      action: 'admin.user_password_reset',
      actorId: admin.row.id,
      detail: { user_id: ada.id, username: 'Ada' },
      ip: '203.0.113.7',
    })
  })

  test('An administrator who resets their own password ends the session that asks too', async () => {
    const { status, body } = await reset(admin.row.id)
    expect(status).toBe(200)
    expect((await admin.request('GET', USERS)).status).toBe(401)
    expect((await login(h, admin.row.username, body.temporary_password)).body).toMatchObject({
      must_change_password: true,
    })
  })

  test('leaves no session to whoever signs in with the old password at the same moment', async () => {
    h.peer.address = '127.0.0.1' // exempt from the limit of sign-in attempts
    for (let round = 0; round < 20; round++) {
      const ada = await h.user()
      const [answer, signIn] = await Promise.all([reset(ada.id), login(h, ada.username, PASSWORD)])
      expect([answer.status, [200, 401].includes(signIn.status)]).toEqual([200, true])
      expect(await liveSessions(h, ada.id)).toBe(0)
    }
  })
})
