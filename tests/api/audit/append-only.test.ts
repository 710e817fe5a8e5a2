import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { auditLog, users } from '../../../src/db/schema'
import { purgeAuditLog } from '../../../src/features/audit/service'
import { addDays } from '../../../src/lib/time'
import { type Harness, startHarness } from '../../support/harness'

const entries = (h: Harness) => h.db.select().from(auditLog).orderBy(auditLog.id)

async function withEntry(h: Harness) {
  const ada = await h.signedIn()
  await ada.request('POST', '/api/auth/lock')
  return { ada, before: await entries(h) }
}

const refused = (work: PromiseLike<unknown>) =>
  expect(Promise.resolve(work)).rejects.toMatchObject({ cause: { code: '23001' } })

describe('the audit log, on the connection of the service itself,', () => {
  test('refuses to change, delete or truncate entries', async () => {
    await using h = await startHarness()
    const { ada, before } = await withEntry(h)
    await refused(h.db.update(auditLog).set({ action: 'nothing' }))
    await refused(h.db.update(auditLog).set({ ip: null }))
    await refused(h.db.update(auditLog).set({ createdAt: new Date(0) }))
    await refused(h.db.update(auditLog).set({ actorId: null }))
    await refused(h.db.delete(auditLog))
    await refused(h.db.execute(sql`truncate audit_log`))
    await refused(h.db.execute(sql`truncate users cascade`))
    await refused(
      h.db.execute(sql`with gone as (delete from audit_log returning id) select count(*) from gone`),
    )
    expect(await entries(h)).toEqual(before)
    expect(before).toMatchObject([{ actorId: ada.row.id }])
  })

  test('lets go of the actor when their account is deleted, and of nothing else', async () => {
    await using h = await startHarness()
    const { ada, before } = await withEntry(h)
    await h.db.delete(users).where(eq(users.id, ada.row.id))
    expect(await entries(h)).toEqual(before.map((entry) => ({ ...entry, actorId: null })))
  })

  test('purges what is older than the retention, and keeps the rest to the millisecond', async () => {
    await using h = await startHarness({ env: { AUDIT_RETENTION_DAYS: '30' } })
    const limit = addDays(h.clock.now(), -30)
    const kept = new Date(limit.getTime() + 1)
    for (const createdAt of [addDays(limit, -1), new Date(limit.getTime() - 1), limit, kept]) {
      await h.db.insert(auditLog).values({ action: 'old', createdAt })
    }
    expect(await purgeAuditLog(h.deps)).toBe(2)
    expect((await entries(h)).map(({ createdAt }) => createdAt)).toEqual([limit, kept])
    await refused(h.db.delete(auditLog))
  })

  test('keeps what is younger than a day, whatever a purge names', async () => {
    await using h = await startHarness()
    for (const age of [0, 23]) {
      const createdAt = new Date(Date.now() - age * 3_600_000)
      await h.db.insert(auditLog).values({ action: 'fresh', createdAt })
    }
    await refused(
      h.db.transaction(async (tx) => {
        await tx.execute(sql`set local organiser.audit_purge_before = 'infinity'`)
        await tx.delete(auditLog)
      }),
    )
    expect((await entries(h)).length).toBe(2)
  })

  test('is closed again for whoever uses the connection after a purge', async () => {
    await using h = await startHarness()
    await purgeAuditLog(h.deps)
    const { before } = await withEntry(h)
    for (let i = 0; i < 20; i++) await refused(h.db.delete(auditLog))
    expect(await entries(h)).toEqual(before)
  })
})
