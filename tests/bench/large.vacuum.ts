import { performance } from 'node:perf_hooks'
import { administer } from '../support/database'
import { fixed, table } from './endpoints'

/** How far PostgreSQL's own vacuum is behind on a large database, and what one by hand takes. */

const TABLES = ['todos', 'sync_changes', 'sync_scopes', 'history', 'tallies']
const CHANGES_AT_ONCE = 500
const WRITING_SECONDS = 60
const WAITING_SECONDS = 130
/** Until the server's statistics know of what was written. */
const STATISTICS_MS = 2000

type Admin = ReturnType<typeof administer>

/** Completes and reopens todos of all users here and there, a transaction for each user who is met. */
async function write(admin: Admin): Promise<number> {
  const [range] = await admin`select min(id) as first, max(id) as last from todos`
  const [first, last] = [Number(range?.['first']), Number(range?.['last'])]
  const end = performance.now() + WRITING_SECONDS * 1000
  let changed = 0
  while (performance.now() < end) {
    const rows = await admin`
      update todos set completed_at = case when completed_at is null then now() end, version = version + 1, updated_at = now()
      where id in (select ${first} + floor(random() * ${last - first})::integer from generate_series(1, ${CHANGES_AT_ONCE}::integer))
        and recurrence is null returning 1`
    changed += rows.length
  }
  return changed
}

interface State {
  readonly live: number
  readonly dead: number
  readonly vacuums: number
}

async function stateOf(admin: Admin, name: string): Promise<State> {
  const [row] = await admin<State[]>`
    select n_live_tup::float8 as live, n_dead_tup::float8 as dead, autovacuum_count::integer as vacuums
    from pg_stat_user_tables where relname = ${name}`
  if (!row) throw new Error(`there is no table ${name}`)
  return row
}

async function statesOf(admin: Admin): Promise<ReadonlyMap<string, State>> {
  const states = new Map<string, State>()
  for (const name of TABLES) states.set(name, await stateOf(admin, name))
  return states
}

async function vacuumed(admin: Admin, name: string, made: State | undefined): Promise<string[]> {
  const later = await stateOf(admin, name)
  const startedAt = performance.now()
  await admin.unsafe(`vacuum (analyze) ${name}`)
  const seconds = (performance.now() - startedAt) / 1000
  const isDone = later.vacuums > (made?.vacuums ?? 0)
  const shown = [later.live, made?.dead ?? 0, later.dead].map((count) => fixed(count))
  return [`\`${name}\``, ...shown, isDone ? 'yes' : 'no', fixed(seconds, 1)]
}

/** Writes for a minute, waits as long as the launcher of vacuums may sleep twice, and vacuums by hand what is left. */
export async function measureVacuum(url: string): Promise<string> {
  const admin = administer(url)
  const changed = await write(admin)
  await Bun.sleep(STATISTICS_MS)
  const dirty = await statesOf(admin)
  await Bun.sleep(WAITING_SECONDS * 1000)
  const rows: string[][] = []
  for (const name of TABLES) rows.push(await vacuumed(admin, name, dirty.get(name)))
  await admin.end({ timeout: 5 })
  return [
    table(['Vacuum', 'Rows', 'Dead', `Dead ${WAITING_SECONDS} s later`, 'By itself', 'By hand, s'], rows),
    `${changed} todos were changed within ${WRITING_SECONDS} s, ${CHANGES_AT_ONCE} in a transaction.`,
  ].join('\n\n')
}
