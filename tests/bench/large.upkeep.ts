import { mkdtemp, readFile, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import journal from '../../drizzle/meta/_journal.json'
import { administer, freshDatabaseUrl } from '../support/database'
import { commandPath, spawnProgram } from '../support/service'
import { SECRET } from './accounts'
import { fixed, table } from './endpoints'

/** What upgrading, saving and restoring a large database takes. */

const LOOK_MS = 200
const MIB = 1_048_576

/** The database before these migrations is what is upgraded: the first of them notes every todo once. */
const BEFORE = '_object_scopes'
export const levelBefore = (): number => journal.entries.findIndex(({ tag }) => tag.endsWith(BEFORE))
export const migrationsAfter = (): string =>
  journal.entries
    .slice(levelBefore())
    .map(({ tag }) => `\`${tag}\``)
    .join(', ')

/** The memory that a process has for itself, in MiB; 0 where it is on another machine. */
async function ownMiB(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  return Number(/RssAnon:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024
}

interface Run {
  readonly seconds: number
  /** The most memory that the program had, and the server for it. */
  readonly programMiB: number
  readonly serverMiB: number
  /** What the server logged for recovery, meanwhile. */
  readonly walMiB: number
}

/** Runs a command of the service on a database. @throws {Error} with what it said, where it fails. */
export async function runCommand(
  command: 'backup' | 'migrate' | 'restore',
  url: string,
  ...args: readonly string[]
): Promise<Run> {
  const admin = administer(url)
  const place = async () => Number((await admin`select pg_current_wal_insert_lsn() - '0/0' as at`)[0]?.['at'])
  const before = await place()
  const startedAt = performance.now()
  const child = spawnProgram({
    env: { DATABASE_URL: url, SECRET_KEYS: SECRET },
    args: [commandPath(command), ...args],
  })
  const most = { program: 0, server: 0 }
  let end = performance.now()
  void child.exited.then(() => (end = performance.now()))
  while (child.exitCode === null) {
    const backends = await admin`
      select pid from pg_stat_activity where application_name in ('organiser backup', 'organiser migrations') and datname = current_database()`
    for (const { pid } of backends) most.server = Math.max(most.server, await ownMiB(pid))
    most.program = Math.max(most.program, await ownMiB(child.pid))
    await Bun.sleep(LOOK_MS)
  }
  const { exitCode, stderr } = await child.finished()
  if (exitCode !== 0) throw new Error(`${command}: ${stderr}`)
  const walMiB = ((await place()) - before) / MIB
  await admin.end({ timeout: 5 })
  return { seconds: (end - startedAt) / 1000, programMiB: most.program, serverMiB: most.server, walMiB }
}

const shown = (what: string, { seconds, programMiB, serverMiB, walMiB }: Run, size: string) => [
  what,
  fixed(seconds, 1),
  size,
  fixed(programMiB),
  fixed(serverMiB),
  fixed(walMiB),
]
const HEADER = ['Upkeep', 'Seconds', 'Size', 'Program, MiB', 'Server, MiB', 'WAL, MiB']

export async function sizeOf(url: string): Promise<number> {
  const admin = administer(url)
  const [row] = await admin`select pg_database_size(current_database())::float8 as bytes`
  await admin.end({ timeout: 5 })
  return Number(row?.['bytes']) / MIB
}

const rowsIn = async (url: string): Promise<string> => {
  const admin = administer(url)
  const [row] = await admin`
    select (select count(*) from todos) as todos, (select count(*) from events) as events, (select count(*) from sync_changes) as notes`
  await admin.end({ timeout: 5 })
  return JSON.stringify(row)
}

/** Saves the database, and restores it beside. @throws {Error} where the copy has other numbers of rows. */
export async function measureUpkeep(url: string, migrated: Run | undefined): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'organiser-bench-'))
  try {
    const file = join(folder, 'backup.gz')
    const saved = await runCommand('backup', url, file)
    const backup = await stat(file)
    await using empty = await freshDatabaseUrl({ migrated: false })
    const restored = await runCommand('restore', empty.url, file)
    if ((await rowsIn(url)) !== (await rowsIn(empty.url))) throw new Error('the copy is not the same')
    const database = `${fixed(await sizeOf(url))} MiB`
    const rows = [
      ...(migrated ? [shown('`bun run migrate`', migrated, database)] : []),
      shown('`bun run backup`', saved, `${fixed(backup.size / MIB)} MiB`),
      shown('`bun run restore`', restored, `${fixed(await sizeOf(empty.url))} MiB`),
    ]
    return table(HEADER, rows)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}
