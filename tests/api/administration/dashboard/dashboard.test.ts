import { beforeEach, describe, expect, test } from 'bun:test'
import { auditLog } from '../../../../src/db/schema'
import { addMinutes } from '../../../../src/lib/time/time'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const DASHBOARD = '/api/admin/dashboard'
const h = useHarness({ per: 'test' })
let admin: Actor
beforeEach(async () => {
  admin = await h.signedIn({ role: 'admin', username: 'root' })
})

const read = async () => (await admin.request('GET', DASHBOARD)).body

describe('GET /api/admin/dashboard', () => {
  test('counts users, administrators, locks that hold and sessions that live', async () => {
    const now = h.clock.now()
    const soon = addMinutes(now, 1)
    await h.user({ lockedUntil: soon, mfaLockedUntil: now })
    await h.user({ mfaLockedUntil: soon })
    await h.user({ lockedUntil: soon, mfaLockedUntil: soon })
    await h.user({ lockedUntil: now, mfaLockedUntil: now })
    const disabled = await h.user({ role: 'admin', isActive: false })
    const ada = await h.signedIn()
    await h.session(ada.row.id)
    await h.session(ada.row.id, { revoked: true })
    await h.session(ada.row.id, { expiresAt: now })
    await h.session(disabled.id)
    expect((await read()).counts).toEqual({
      users: 7,
      active_users: 6,
      admins: 2,
      locked_users: 3,
      active_sessions: 3,
    })
  })

  test('shows the ten newest sign-ins, those included whose session has ended', async () => {
    const ada = await h.user({ username: 'ada' })
    for (let i = 1; i <= 12; i++) {
      await h.session(ada.id, {
        createdAt: addMinutes(h.clock.now(), i),
        ipAddress: `192.0.2.${i}`,
        authMethod: i === 12 ? 'passkey' : 'password',
        revoked: i === 11,
      })
    }
    const { recent_logins: logins } = await read()
    expect(logins.map(({ ip_address }: { ip_address: string }) => ip_address)).toEqual(
      Array.from({ length: 10 }, (_, i) => `192.0.2.${12 - i}`),
    )
    expect(logins[0]).toEqual({
      username: 'ada',
      at: '2026-03-04T10:42:00+01:00',
      ip_address: '192.0.2.12',
      auth_method: 'passkey',
    })
  })

  test('shows the ten newest audit entries as the audit log does', async () => {
    await h.db.insert(auditLog).values(
      Array.from({ length: 12 }, (_, i) => ({
        action: `action.${i}`,
        actorId: admin.row.id,
        detail: { reason: 'none' },
        ip: '192.0.2.1',
        createdAt: addMinutes(h.clock.now(), i),
      })),
    )
    const { recent_audit: entries } = await read()
    expect(entries).toHaveLength(10)
    expect(entries[0]).toMatchObject({ action: 'action.11', actor_username: 'root' })
    expect(entries).toEqual((await admin.request('GET', '/api/admin/audit-log?limit=10')).body.entries)
  })

  test('is for administrators only', async () => {
    const ada = await h.signedIn()
    expect(await ada.request('GET', DASHBOARD)).toMatchObject({
      status: 403,
      body: { detail: 'Insufficient permissions' },
    })
    expect((await h.request('GET', DASHBOARD)).status).toBe(401)
  })
})
