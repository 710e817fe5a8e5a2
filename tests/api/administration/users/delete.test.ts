import { beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, calendars, sessions, settings, users } from '../../../../src/db/schema'
import { login } from '../../../support/accounts'
import { type Actor } from '../../../support/harness'
import { beginChallenges, countChallenges, lastAudit, USERS } from './acting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })
let admin: Actor
beforeEach(async () => {
  admin = await h.signedIn({ role: 'admin' })
})

const remove = (id: number) => admin.request('DELETE', `${USERS}/${id}`)

describe('DELETE /api/admin/users/{id}', () => {
  test('removes the user, their sessions and all their data, and nobody else’s', async () => {
    const [ada, bob] = [await h.signedIn({ username: 'ada' }), await h.signedIn()]
    await beginChallenges(h, ada.row.id)
    const { status, body } = await remove(ada.row.id)
    expect([status, body]).toEqual([200, { message: 'User deleted' }])
    expect((await ada.request('GET', '/api/settings')).body).toEqual({
      detail: 'Session has been revoked or expired',
    })
    expect((await login(h, 'ada')).status).toBe(401)
    expect(await countChallenges(h, ada.row.id)).toBe(0)
    for (const { id, left } of [
      { id: ada.row.id, left: [0, 0, 0, 0] },
      { id: bob.row.id, left: [1, 1, 1, 2] },
    ]) {
      expect([
        await h.db.$count(users, eq(users.id, id)),
        await h.db.$count(sessions, eq(sessions.userId, id)),
        await h.db.$count(settings, eq(settings.userId, id)),
        await h.db.$count(calendars, eq(calendars.userId, id)),
      ]).toEqual(left)
    }
    expect((await remove(ada.row.id)).body).toEqual({ detail: 'User not found' })
  })

  test('is audited with who is gone; what they did themselves loses its actor', async () => {
    const ada = await h.signedIn({ username: 'Ada' })
    await ada.request('POST', '/api/auth/lock')
    expect(await h.db.$count(auditLog, eq(auditLog.actorId, ada.row.id))).toBe(1)
    await remove(ada.row.id)
    expect(await lastAudit(h)).toEqual({
      action: 'admin.user_deleted',
      actorId: admin.row.id,
      detail: { user_id: ada.row.id, username: 'Ada' },
      ip: '203.0.113.7',
    })
    const entries = await h.db.select().from(auditLog).orderBy(auditLog.id)
    expect(entries.map(({ action, actorId }) => [action, actorId])).toEqual([
      ['auth.session_locked', null],
      ['admin.user_deleted', admin.row.id],
    ])
  })

  test('refuses oneself', async () => {
    await h.user({ role: 'admin' })
    const refused = await remove(admin.row.id)
    expect([refused.status, refused.body]).toEqual([400, { detail: 'You cannot delete your own account' }])
    expect([await h.db.$count(users), await h.db.$count(auditLog)]).toEqual([2, 0])
  })
})
