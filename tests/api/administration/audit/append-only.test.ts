import { describe, expect, test } from 'bun:test'
import { eq, lt, type SQL, sql } from 'drizzle-orm'
import type { Tx } from '../../../../src/db/client'
import { retainAudit } from '../../../../src/db/migrations'
import { auditLog, users } from '../../../../src/db/schema'
import { purgeAuditLog } from '../../../../src/features/administration/audit/service'
import { addDays } from '../../../../src/lib/time/time'
import { type Harness, startHarness } from '../../../support/harness'

const entries = (h: Harness) => h.db.select().from(auditLog).orderBy(auditLog.id)
const actions = async (h: Harness) => (await entries(h)).map(({ action }) => action)

async function withEntry(h: Harness) {
  const ada = await h.signedIn()
  await ada.request('POST', '/api/auth/lock')
  return { ada, before: await entries(h) }
}

/** Entries so many days old by the database's own clock, named by their age. */
async function withAges(h: Harness, ...ages: number[]) {
  for (const age of ages)
    await h.db.insert(auditLog).values({ action: `${age} days`, createdAt: addDays(new Date(), -age) })
}

async function refused(work: PromiseLike<unknown>, code = '23001') {
  await expect(Promise.resolve(work)).rejects.toMatchObject({ cause: { code } })
}

const ROLLED_BACK = new Error('rolled back')

/** A transaction that leaves nothing behind, so that it may also make roles and schemas. */
async function inPassing(h: Harness, work: (tx: Tx) => Promise<void>) {
  const transaction = h.db.transaction(async (tx) => {
    await work(tx)
    throw ROLLED_BACK
  })
  await expect(transaction).rejects.toBe(ROLLED_BACK)
}

const executeIn = (tx: Tx) => (statement: SQL) => tx.transaction((nested) => nested.execute(statement))

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
    await refused(
      h.db.execute(sql`
        merge into audit_log using (select 1) as one on true when matched then delete`),
    )
    await refused(
      h.db.execute(sql`
        insert into audit_log (id, action, created_at) overriding system value select id, 'x', now() from audit_log
        on conflict (id) do update set action = excluded.action`),
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
    await retainAudit(h.url, 30)
    const limit = addDays(h.clock.now(), -30)
    const kept = new Date(limit.getTime() + 1)
    for (const createdAt of [addDays(limit, -1), new Date(limit.getTime() - 1), limit, kept]) {
      await h.db.insert(auditLog).values({ action: 'old', createdAt })
    }
    expect(await purgeAuditLog(h.deps)).toBe(2)
    expect((await entries(h)).map(({ createdAt }) => createdAt)).toEqual([limit, kept])
  })

  test('lets no statement delete an entry that is younger than the retention', async () => {
    await using h = await startHarness()
    await retainAudit(h.url, 30)
    await withAges(h, 400, 31, 29, 2, 0)
    const isOlder = (days: number) => lt(auditLog.createdAt, addDays(new Date(), -days))
    await refused(h.db.delete(auditLog))
    await refused(h.db.delete(auditLog).where(isOlder(28)))
    expect(await actions(h)).toEqual(['400 days', '31 days', '29 days', '2 days', '0 days'])
    await h.db.delete(auditLog).where(isOlder(30))
    expect(await actions(h)).toEqual(['29 days', '2 days', '0 days'])
  })

  test('purges nothing that is younger than the retention, whatever the purge is asked for', async () => {
    await using h = await startHarness()
    await retainAudit(h.url, 30)
    await withAges(h, 40, 29, 0)
    const purge = (before: SQL, most: SQL) =>
      h.db.execute(sql`select public.purge_audit_log(${before}, ${most}) as purged`)
    expect([...(await purge(sql`null`, sql`10`))]).toEqual([{ purged: null }])
    expect([...(await purge(sql`'infinity'`, sql`null`))]).toEqual([{ purged: null }])
    expect([...(await purge(sql`'infinity'`, sql`0`))]).toEqual([{ purged: 0 }])
    expect([...(await purge(sql`'-infinity'`, sql`10`))]).toEqual([{ purged: 0 }])
    await refused(purge(sql`'infinity'`, sql`-1`), '2201W')
    expect(await actions(h)).toEqual(['40 days', '29 days', '0 days'])
    expect([...(await purge(sql`'infinity'`, sql`2147483647`))]).toEqual([{ purged: 1 }])
    expect([...(await purge(sql`now() + interval '100 years'`, sql`10`))]).toEqual([{ purged: 0 }])
    expect(await actions(h)).toEqual(['29 days', '0 days'])
  })

  test('heeds no variable that a session sets by hand', async () => {
    await using h = await startHarness()
    await retainAudit(h.url, 30)
    await withAges(h, 29.9)
    for (const setting of [
      sql`set local organiser.audit_purge_before = 'infinity'`,
      sql`set local organiser.audit_retention_days = 0`,
      sql`set local timezone = 'Pacific/Kiritimati'`,
      sql`set local intervalstyle = 'sql_standard'`,
    ]) {
      await refused(
        h.db.transaction(async (tx) => {
          await tx.execute(setting)
          await tx.delete(auditLog)
        }),
      )
    }
    expect(await actions(h)).toEqual(['29.9 days'])
  })

  test('heeds no table or function that a session puts in front of its own', async () => {
    await using h = await startHarness()
    await retainAudit(h.url, 30)
    await withEntry(h)
    await withAges(h, 29)
    await inPassing(h, async (tx) => {
      const execute = executeIn(tx)
      await tx.execute(sql`create temporary table users (id integer)`)
      await refused(execute(sql`update audit_log set actor_id = null`))
      await tx.execute(sql`create schema shadows`)
      await tx.execute(
        sql`create function shadows.now() returns timestamptz language sql return timestamptz 'infinity'`,
      )
      await tx.execute(
        sql`create function shadows.audit_retention_days() returns integer language sql return -36500`,
      )
      await tx.execute(sql`set local search_path = shadows, pg_catalog, public`)
      await refused(execute(sql`delete from audit_log`))
      const purged = await tx.execute(sql`select public.purge_audit_log('infinity', 10) as purged`)
      expect([...purged]).toEqual([{ purged: 1 }])
    })
  })

  test('follows a new retention on connections that have known another', async () => {
    await using h = await startHarness()
    await withAges(h, 29)
    const purge = () => h.db.execute(sql`select public.purge_audit_log('infinity', 10) as purged`)
    for (const days of [36_500, 30]) {
      await retainAudit(h.url, days)
      for (let i = 0; i < 10; i++) await refused(h.db.delete(auditLog))
      expect([...(await purge())]).toEqual([{ purged: 0 }])
    }
    await retainAudit(h.url, 28)
    expect([...(await purge())]).toEqual([{ purged: 1 }])
  })

  test('is as closed after a purge as it was before', async () => {
    await using h = await startHarness()
    await purgeAuditLog(h.deps)
    const { before } = await withEntry(h)
    for (let i = 0; i < 20; i++) await refused(h.db.delete(auditLog))
    expect(await entries(h)).toEqual(before)
  })
})

describe('a role that does not own the tables', () => {
  const ROLE = sql.identifier(`audit_${crypto.randomUUID().slice(0, 8)}`)

  test('with every right on them deletes no younger entry, and changes neither the retention nor the rule', async () => {
    await using h = await startHarness()
    await retainAudit(h.url, 30)
    await withAges(h, 29)
    await inPassing(h, async (tx) => {
      const execute = executeIn(tx)
      await tx.execute(sql`create role ${ROLE}`)
      await tx.execute(
        sql`grant select, insert, update, delete, truncate on all tables in schema public to ${ROLE}`,
      )
      await tx.execute(sql`grant all on schema public to ${ROLE}`)
      await tx.execute(sql`set local role ${ROLE}`)
      await refused(execute(sql`delete from audit_log`))
      await refused(execute(sql`update audit_log set action = 'nothing'`))
      await refused(execute(sql`truncate audit_log`))
      for (const statement of [
        sql`create or replace function public.audit_retention_days() returns integer language sql return 1`,
        sql`drop function public.audit_retention_days() cascade`,
        sql`alter table audit_log disable trigger user`,
        sql`drop trigger audit_log_append_only on audit_log`,
        sql`set local session_replication_role = replica`,
      ])
        await refused(execute(statement), '42501')
      const purged = await tx.execute(sql`select public.purge_audit_log('infinity', 10) as purged`)
      expect([...purged]).toEqual([{ purged: 0 }])
    })
    expect(await actions(h)).toEqual(['29 days'])
  })

  test('purges what is older than the retention with no right to delete from the audit log', async () => {
    await using h = await startHarness()
    await retainAudit(h.url, 30)
    await withAges(h, 31, 29)
    await inPassing(h, async (tx) => {
      await tx.execute(sql`create role ${ROLE}`)
      await tx.execute(sql`grant select, insert on audit_log to ${ROLE}`)
      await tx.execute(sql`set local role ${ROLE}`)
      await refused(executeIn(tx)(sql`delete from audit_log`), '42501')
      const purged = await tx.execute(sql`select public.purge_audit_log('infinity', 10) as purged`)
      expect([...purged]).toEqual([{ purged: 1 }])
      expect(await tx.select({ action: auditLog.action }).from(auditLog)).toEqual([{ action: '29 days' }])
    })
  })

  test('lets go of the actor of an account that it deletes, with no right to change the audit log', async () => {
    await using h = await startHarness()
    const { ada, before } = await withEntry(h)
    await inPassing(h, async (tx) => {
      await tx.execute(sql`create role ${ROLE}`)
      await tx.execute(sql`grant select, insert, update, delete on all tables in schema public to ${ROLE}`)
      await tx.execute(sql`revoke update, delete on audit_log from ${ROLE}`)
      await tx.execute(sql`set local role ${ROLE}`)
      await refused(executeIn(tx)(sql`update audit_log set actor_id = null`), '42501')
      await tx.delete(users).where(eq(users.id, ada.row.id))
      expect(await tx.select().from(auditLog)).toEqual(before.map((entry) => ({ ...entry, actorId: null })))
    })
  })
})
