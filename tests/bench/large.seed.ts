import { bare } from '../../src/db/bare-tables'
import { administer } from '../support/database'
import { CYCLE, itemsOf, POWER, structuresOf } from './large.shape'

/**
 * Fills a database as if many people had used the service for years. What comes once for each user is written under the triggers of
 * the service. Events and todos are written without them, set by set, together with the journal and the tallies that the triggers
 * would have written; `large.check.ts` compares. Everything is older than the history is kept, so that there is none of it.
 */

/** Whole households, and few of them: the journal compares each item of a transaction with each scope that it touches. */
const STRUCTURES_AT_ONCE = 5 * CYCLE
const ITEMS_AT_ONCE = 25 * CYCLE
const SESSIONS = 2
/** Filled without their indexes. */
const BULKY = ['todos', 'events', 'sync_changes']

type Admin = ReturnType<typeof administer>

export interface Seeded {
  readonly users: number
  /** The id of the user `seed1`; the others follow. */
  readonly firstId: number
  readonly seconds: Readonly<Record<string, number>>
}

/** Needs a superuser, as only that may write without triggers. The schema may be that of any migration from `0037` on. */
export async function seedLarge(url: string, users: number, power = POWER): Promise<Seeded> {
  const admin = administer(url)
  const seconds: Record<string, number> = {}
  const timed = async <T>(what: string, work: () => Promise<T>): Promise<T> => {
    const startedAt = performance.now()
    const result = await work()
    seconds[what] = (performance.now() - startedAt) / 1000
    console.log(`seeding: ${what}: ${seconds[what].toFixed(1)} s`)
    return result
  }
  await admin`set maintenance_work_mem = '512MB'`
  await admin`insert into system_config (updated_at) values (now()) on conflict do nothing`
  const firstId = await timed('users with what each has once', () => seedStructures(admin, users))
  await setAutovacuum(admin, false)
  const restore = await bare(admin, BULKY)
  await timed('events, todos and their journal', () => seedItems(url, { users, firstId, power }))
  await timed('indexes', restore)
  await setAutovacuum(admin, true)
  // The minute after a change, push has looked at it.
  await admin`update sync_scopes set is_new_to_push = false where is_new_to_push`
  await timed('vacuum and statistics', () => admin`vacuum analyze`)
  await admin.end({ timeout: 5 })
  return { users, firstId, seconds }
}

async function setAutovacuum(admin: Admin, isEnabled: boolean): Promise<void> {
  for (const table of BULKY)
    await admin.unsafe(
      `alter table ${table} ${isEnabled ? 'reset (autovacuum_enabled)' : 'set (autovacuum_enabled = false)'}`,
    )
}

/** One session, so that the ids of the users follow each other. Answers the first. */
async function seedStructures(admin: Admin, users: number): Promise<number> {
  const [made] = await admin`select coalesce(max(id), 0) + 1 as id from users`
  const [next] = await admin`select last_value + is_called::integer as id from users_id_seq`
  const firstId = Math.max(Number(made?.['id']), Number(next?.['id']))
  for (const [from, to] of batches(users, STRUCTURES_AT_ONCE)) {
    await admin.begin(async (tx) => {
      await tx`select set_config('organiser.history', 'off', true)`
      for (const statement of structuresOf({ from, to, firstId })) await tx.unsafe(statement)
    })
  }
  return firstId
}

interface Wanted {
  readonly users: number
  readonly firstId: number
  readonly power: typeof POWER
}

async function seedItems(url: string, wanted: Wanted): Promise<void> {
  const todo = batches(wanted.users, ITEMS_AT_ONCE)
  const work = async () => {
    const session = administer(url)
    await session`set session_replication_role = replica`
    await session`set synchronous_commit = off`
    const [journal] = await session`
      select exists (select from pg_trigger where tgname = 'todos_sync_list_insert') as has_lists`
    const hasLists = journal?.['has_lists'] === true
    for (let next = todo.shift(); next; next = todo.shift()) {
      const [from, to] = next
      await session.begin(async (tx) => {
        for (const statement of itemsOf({ ...wanted, from, to, hasLists })) await tx.unsafe(statement)
      })
    }
    await session.end({ timeout: 5 })
  }
  await Promise.all(Array.from({ length: SESSIONS }, work))
}

const batches = (count: number, size: number): Array<[from: number, to: number]> =>
  Array.from({ length: Math.ceil(count / size) }, (_, n) => [n * size + 1, Math.min((n + 1) * size, count)])
