import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, calendars, sessions, settings, users } from '../../../../src/db/schema'
import { type Actor, PASSWORD, setCookieOf } from '../../../support/harness'
import { race, statusesOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const remove = (actor: Actor, password = PASSWORD) =>
  actor.request('DELETE', '/api/auth/account', { body: { password } })

describe('DELETE /api/auth/account', () => {
  test('removes the account and all its data, and nobody else’s', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    await h.session(ada.row.id)
    const removed = await remove(ada)
    expect([removed.status, removed.body]).toEqual([204, ''])
    expect(setCookieOf(removed.headers)).toEqual({
      value: '',
      attributes: ['Max-Age=0', 'Path=/', 'HttpOnly', 'SameSite=Lax'],
    })
    expect(await h.db.select().from(users)).toMatchObject([{ id: bob.row.id }])
    for (const table of [settings, sessions]) expect(await h.db.$count(table)).toBe(1)
    expect(await h.db.$count(calendars)).toBe(2)
    expect((await ada.request('GET', '/api/auth/status')).body).toMatchObject({ authenticated: false })
  })

  test('leaves an audit entry that names who is gone', async () => {
    const ada = await h.signedIn({ username: 'Ada' })
    await remove(ada)
    expect(await h.db.select().from(auditLog)).toMatchObject([
      { action: 'auth.account_deleted', actorId: null, detail: { user_id: ada.row.id, username: 'Ada' } },
    ])
  })

  test('refuses the last active administrator', async () => {
    const admin = await h.signedIn({ role: 'admin' })
    await h.user({ role: 'admin', isActive: false })
    await h.user()
    const refused = await remove(admin)
    expect([refused.status, refused.body]).toEqual([
      409,
      { detail: 'At least one active administrator is required' },
    ])
    expect(await h.db.$count(users)).toBe(3)
    await h.user({ role: 'admin' })
    expect((await remove(admin)).status).toBe(204)
  })

  test('Exactly one administrator remains where all delete their accounts at once', async () => {
    for (let round = 0; round < 20; round++) {
      const admins = [await h.signedIn({ role: 'admin' }), await h.signedIn({ role: 'admin' })]
      const answers = await race(
        admins.map((admin) => () => remove(admin)),
        0,
      )
      expect(statusesOf(answers)).toEqual([204, 409])
      expect(await h.db.$count(users, eq(users.role, 'admin'))).toBe(1)
      await h.db.delete(users)
    }
  })

  test('An account that is deleted twice at once is deleted and audited once', async () => {
    const ada = await h.signedIn()
    const answers = await Promise.all([remove(ada), remove(ada)])
    expect(statusesOf(answers)).toEqual([204, 401])
    expect(await h.db.$count(auditLog)).toBe(1)
  })

  test('asks for the password', async () => {
    const ada = await h.signedIn()
    expect((await ada.request('DELETE', '/api/auth/account')).status).toBe(400)
    expect((await ada.request('DELETE', '/api/auth/account', { body: {} })).status).toBe(422)
    expect((await remove(ada, 'wrong')).body).toEqual({ detail: 'Incorrect password' })
    expect(await h.db.$count(users)).toBe(1)
  })
})
