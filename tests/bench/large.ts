import { firstMigrations, MIGRATIONS } from '../../src/adapters/migrations-folder'
import { applyMigrations } from '../../src/db/migrations'
import { administer, databaseUrl, freshDatabaseUrl, testServer } from '../support/database'
import { fixed } from './endpoints'
import { checkSeeded } from './large.check'
import { measurePlans } from './large.plans'
import { measureRates } from './large.rates'
import { type Seeded, seedLarge } from './large.seed'
import { sideOn } from './large.sides'
import { levelBefore, measureUpkeep, migrationsAfter, runCommand, sizeOf } from './large.upkeep'
import { measureVacuum } from './large.vacuum'
import { measureYear } from './large.year'
import type { StartService } from './wrk'

/**
 * `bun run bench large`: a service with `BENCH_USERS` users beside one with few, what keeping such a database takes, and how it grows.
 * `bun run bench large rates`, `upkeep`, `vacuum` or `year` measures one of these alone. `BENCH_SEEDED` names a database of the same
 * server that was seeded before with `bun run bench seed`: it is brought up to date, written to and kept.
 */

const LARGE = Number(process.env['BENCH_USERS'] ?? 100_000)
const SMALL = 200
const SEEDED = process.env['BENCH_SEEDED']

const PARTS = ['rates', 'upkeep', 'vacuum', 'year'] as const

export async function measureLarge(startService: StartService, part?: string): Promise<string> {
  const wanted = PARTS.filter((one) => part === undefined || part === one)
  if (wanted.length === 0) throw new Error(`there is no part ${part}: name one of ${PARTS.join(', ')}`)
  if (part === 'year') return await measureYear()
  await using large = SEEDED === undefined ? await freshDatabaseUrl({ migrated: false }) : await named(SEEDED)
  const found = await fillOld(large.url)
  const tables: string[] = [await described(large.url, found)]
  for (const one of wanted) {
    if (one === 'rates') tables.push(await ratesBeside(startService, large.url, found.seeded))
    if (one === 'upkeep') tables.push(await measureUpkeep(large.url, found.migrated))
    if (one === 'vacuum') tables.push(await measureVacuum(large.url))
    if (one === 'year') tables.push(await measureYear())
  }
  return tables.join('\n\n')
}

const named = async (name: string) => ({
  url: databaseUrl(await testServer(), name),
  [Symbol.asyncDispose]: () => Promise.resolve(),
})

/** Seeds a database of some migrations ago, and brings it up to date. */
async function fillOld(url: string) {
  const seeded = SEEDED === undefined ? await seedAt(url, LARGE) : await seededBefore(url)
  const migrated = await runCommand('migrate', url)
  console.log('migrated', migrated)
  await checkSeeded(url)
  const admin = administer(url)
  await admin`vacuum analyze`
  await admin.end({ timeout: 5 })
  return { seeded, migrated }
}

/** Fills an empty database as it was before the migrations that are measured. */
async function seedAt(url: string, users: number): Promise<Seeded> {
  await using folder = await firstMigrations(MIGRATIONS, levelBefore())
  await applyMigrations(url, folder.path)
  return await seedLarge(url, users)
}

async function seededBefore(url: string): Promise<Seeded> {
  const admin = administer(url)
  const [row] =
    await admin`select count(*)::integer as users, min(id) as first from users where username like 'seed%'`
  await admin.end({ timeout: 5 })
  return { users: Number(row?.['users']), firstId: Number(row?.['first']), seconds: {} }
}

async function ratesBeside(startService: StartService, url: string, seeded: Seeded): Promise<string> {
  await using other = await freshDatabaseUrl()
  const seededSmall = await seedLarge(other.url, SMALL)
  await using small = await sideOn(startService, other.url, seededSmall)
  await using large = await sideOn(startService, url, seeded)
  for (const side of [small, large]) {
    const admin = administer(side.url)
    await admin`vacuum analyze`
    await admin.end({ timeout: 5 })
  }
  return [await measureRates(small, large), await measurePlans(small, large)].join('\n\n')
}

async function described(url: string, { seeded }: { readonly seeded: Seeded }): Promise<string> {
  const admin = administer(url)
  const [row] = await admin`
    select current_setting('server_version') as version, current_setting('shared_buffers') as buffers,
      (select count(*)::integer from users) as users, (select count(*)::integer from events) as events,
      (select count(*)::integer from todos) as todos, (select count(*)::integer from sync_changes) as notes`
  await admin.end({ timeout: 5 })
  const seconds = Object.values(seeded.seconds).reduce((sum, one) => sum + one, 0)
  return `The large database has ${row?.['users']} users, ${row?.['events']} events, ${row?.['todos']} todos and ${row?.['notes']} notes in its journal, in ${fixed(await sizeOf(url))} MiB; the small one ${SMALL} users. ${seconds > 0 ? `Filling the large one took ${fixed(seconds)} s. ` : ''}PostgreSQL ${row?.['version']}, shared_buffers ${row?.['buffers']}. What was migrated: ${migrationsAfter()}.`
}

/** `bun run bench seed USERS`: fills the empty database that `DATABASE_URL` names, as it was before the migrations that are measured. */
export async function seedNamed(users: string | undefined): Promise<void> {
  const url = process.env['DATABASE_URL']
  const count = Number(users)
  if (!url || !Number.isSafeInteger(count) || count < 1)
    throw new Error('Name the database and how many users: DATABASE_URL=… bun run bench seed 1000')
  await seedAt(url, count)
}
