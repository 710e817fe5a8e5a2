import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { readMigrationFiles } from 'drizzle-orm/migrator'
import { Type } from 'typebox'
import { Value } from 'typebox/value'

const Journal = Type.Object({ entries: Type.Array(Type.Object({ tag: Type.String() })) })

/** The folder of the migrations that belong to this version of the service. */
export const MIGRATIONS = fileURLToPath(new URL('../../drizzle', import.meta.url))

/** The hashes of the migrations in a folder, oldest first, as the database stores them. */
export const knownMigrations = (folder: string): string[] =>
  readMigrationFiles({ migrationsFolder: folder }).map(({ hash }) => hash)

/** Copies the folder with only the oldest `count` migrations. The copy is removed when disposed. */
export async function firstMigrations(folder: string, count: number) {
  const copy = await mkdtemp(join(tmpdir(), 'organiser-migrations-'))
  const dispose = () => rm(copy, { recursive: true, force: true })
  try {
    const text = await readFile(join(folder, 'meta/_journal.json'), 'utf8')
    const journal = Value.Parse(Journal, JSON.parse(text))
    const entries = journal.entries.slice(0, count)
    await mkdir(join(copy, 'meta'))
    await writeFile(join(copy, 'meta/_journal.json'), JSON.stringify({ ...journal, entries }))
    for (const { tag } of entries) await copyFile(join(folder, `${tag}.sql`), join(copy, `${tag}.sql`))
  } catch (error) {
    await dispose()
    throw error
  }
  return { path: copy, [Symbol.asyncDispose]: dispose }
}
