import { spawn } from 'node:child_process'
import { chmod, cp, lstat, readFile, readdir, realpath, rename, rm, stat, symlink } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { withLock } from './embedded-postgres.lock'

/** The operating-system user that PostgreSQL runs as; null means the user of this process. */
export type Account = { readonly uid: number; readonly gid: number } | null

export interface Binaries {
  readonly initdb: string
  readonly postgres: string
  /** The major version of PostgreSQL, for example '18'. */
  readonly major: string
}

interface PlatformPackage {
  readonly native: string
  readonly version: string
}

const COPY_WAIT_MS = 120_000

/** Leaves out our own environment: PG* variables would change the server's behaviour, and it needs no HOME. */
export const cleanEnvironment = (): Record<string, string> => ({
  PATH: process.env['PATH'] ?? '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin',
  LC_ALL: 'C',
  TZ: 'UTC',
})

/** Runs a command as `account` until it ends. It never rejects. `output` is stdout and stderr combined, trimmed. */
export function run(
  command: string,
  args: readonly string[],
  account: Account = null,
): Promise<{ ok: boolean; output: string }> {
  return new Promise((resolve) => {
    const chunks: string[] = []
    const child = spawn(command, args, {
      ...account,
      cwd: '/',
      env: cleanEnvironment(),
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    const collect = (chunk: unknown) => chunks.push(String(chunk))
    child.stdout.on('data', collect)
    child.stderr.on('data', collect)
    child.on('error', (error) => resolve({ ok: false, output: error.message }))
    child.on('close', (code) => resolve({ ok: code === 0, output: chunks.join('').trim() }))
  })
}

export const exists = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  )

async function platformPackage(): Promise<PlatformPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`
  let entry: string
  try {
    // Resolved from embedded-postgres, because it is an optional dependency of that package. Importing the package would install
    // exit hooks.
    const library = await realpath(fileURLToPath(import.meta.resolve('embedded-postgres')))
    entry = createRequire(library).resolve(name)
  } catch {
    throw new Error(
      `The embedded PostgreSQL is not installed for this platform (${name}): set DATABASE_URL instead.`,
    )
  }
  const root = dirname(dirname(entry))
  const manifest: unknown = JSON.parse(await readFile(join(root, 'package.json'), 'utf8'))
  const version =
    typeof manifest === 'object' && manifest !== null && 'version' in manifest
      ? String(manifest.version)
      : 'unknown'
  return { native: join(root, 'native'), version }
}

function isLink(value: unknown): value is { source: string; target: string } {
  return (
    typeof value === 'object' &&
    value !== null &&
    'source' in value &&
    typeof value.source === 'string' &&
    'target' in value &&
    typeof value.target === 'string'
  )
}

/**
 * Creates the links that the package's postinstall script would create: a registry tarball contains no symlinks, but lists them.
 */
async function linkLibraries(native: string): Promise<void> {
  const links: unknown = JSON.parse(await readFile(join(native, 'pg-symlinks.json'), 'utf8'))
  if (!Array.isArray(links)) return
  for (const link of links.filter(isLink)) {
    const path = join(native, relative('native', link.target))
    // An existing link is fine. A missing one shows when the binaries are tried.
    await symlink(relative(dirname(link.target), link.source), path).catch(() => undefined)
  }
}

const binariesIn = (native: string, version: string): Binaries => ({
  initdb: join(native, 'bin', 'initdb'),
  postgres: join(native, 'bin', 'postgres'),
  major: version.split('.')[0] ?? version,
})

async function failure(binaries: Binaries, account: Account): Promise<string | null> {
  for (const program of [binaries.postgres, binaries.initdb]) {
    const { ok, output } = await run(program, ['--version'], account)
    if (!ok) return output
  }
  return null
}

/** Installing with a strict umask leaves files that PostgreSQL's user cannot read. */
async function openToAll(path: string): Promise<void> {
  await chmod(path, 0o755)
  for (const entry of await readdir(path, { withFileTypes: true })) {
    const child = join(path, entry.name)
    if (entry.isDirectory()) await openToAll(child)
    else if (entry.isFile()) await chmod(child, basename(path) === 'bin' ? 0o755 : 0o644)
  }
}

/** Skips links, because a copied link may point to a place that the account cannot enter. */
async function isWanted(path: string): Promise<boolean> {
  return !path.endsWith('.a') && !(await lstat(path)).isSymbolicLink()
}

/** Tests the copy before renaming it into place, so that an existing copy is complete unless somebody has damaged it. */
async function copyBinaries(source: PlatformPackage, target: string, account: Account): Promise<void> {
  if ((await failure(binariesIn(target, source.version), account)) === null) return
  const parent = dirname(target)
  const prefix = `${basename(target)}.copy-`
  for (const name of await readdir(parent)) {
    if (name.startsWith(prefix)) await rm(join(parent, name), { recursive: true, force: true })
  }
  const draft = join(parent, `${prefix}${process.pid}`)
  await cp(source.native, draft, { recursive: true, filter: isWanted })
  await linkLibraries(draft)
  await openToAll(draft)
  const reason = await failure(binariesIn(draft, source.version), account)
  if (reason !== null) {
    await rm(draft, { recursive: true, force: true })
    throw new Error(`PostgreSQL's binaries do not run on this system: ${reason}`)
  }
  await rm(target, { recursive: true, force: true })
  await rename(draft, target)
}

/**
 * Returns binaries that `account` can run: those of the package manager, or else a copy below `copiesDir`, one per version,
 * shared by all checkouts that use the directory.
 * @throws {Error} when the platform has no binaries or they do not run.
 */
export async function provideBinaries(
  account: Account,
  copiesDir: string,
  alwaysCopy: boolean,
): Promise<Binaries> {
  const source = await platformPackage()
  if (!alwaysCopy) {
    await linkLibraries(source.native)
    const inPlace = binariesIn(source.native, source.version)
    if ((await failure(inPlace, account)) === null) return inPlace
  }
  const target = join(copiesDir, `postgresql-${source.version}`)
  await withLock(join(copiesDir, 'postgresql.lock'), COPY_WAIT_MS, () =>
    copyBinaries(source, target, account),
  )
  return binariesIn(target, source.version)
}
