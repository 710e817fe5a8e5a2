import { expect, setDefaultTimeout, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administer, freshDatabaseUrl } from '../support/database'
import { createTodo } from '../support/records'
import { startHarness } from '../support/harness'
import { commandPath, spawnProgram } from '../support/service'

setDefaultTimeout(60_000)

/** What keeps the rows in order, as it would be written. */
async function rulesOf(url: string) {
  const sql = administer(url)
  const rules = await sql`
    select indexname as name, indexdef as rule, '' as state from pg_indexes where schemaname = 'public'
    union all select conname, conrelid::regclass || ' ' || pg_get_constraintdef(oid), convalidated::text
      from pg_constraint where connamespace = 'public'::regnamespace
    union all select tgname, pg_get_triggerdef(oid), tgenabled::text from pg_trigger where not tgisinternal
    order by 1, 2`
  await sql.end({ timeout: 5 })
  expect(rules.length).toBeGreaterThan(300)
  return [...rules]
}

test('a restore leaves every index, constraint and trigger as the migrations made them', async () => {
  await using h = await startHarness()
  await createTodo(await h.signedIn())
  await using migrated = await freshDatabaseUrl()
  await using target = await freshDatabaseUrl({ migrated: false })
  const folder = await mkdtemp(join(tmpdir(), 'organiser-backup-test-'))
  const path = join(folder, 'backup.gz')
  for (const [command, url] of [
    ['backup', h.url],
    ['restore', target.url],
  ] as const) {
    const env = { DATABASE_URL: url, SECRET_KEYS: 'k1:faults-faults-faults-faults-faults' }
    const { exitCode, stderr } = await spawnProgram({ env, args: [commandPath(command), path] }).finished()
    expect([exitCode, stderr]).toEqual([0, ''])
  }
  await rm(folder, { recursive: true })
  expect(await rulesOf(target.url)).toEqual(await rulesOf(migrated.url))
})
