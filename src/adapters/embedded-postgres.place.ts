import { createHash } from 'node:crypto'
import { chmod, chown, mkdir, realpath, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { exists, run } from './embedded-postgres.binaries'
import { withLock } from './embedded-postgres.lock'
import type { Account } from './embedded-postgres.binaries'

/** The user created for PostgreSQL when root starts the service and there is no user `postgres`. */
const OWN_USER = 'organiser'
const USER_WAIT_MS = 30_000

/** The location of one cluster, and the account that it runs as. */
export interface Place {
  readonly account: Account
  /** Holds `cluster` and drafts of it. */
  readonly base: string
  /** Holds `data/` and `password`. A rename creates it, so it is always complete. */
  readonly cluster: string
  /** PostgreSQL's PGDATA. */
  readonly data: string
  readonly passwordFile: string
  /** The output of PostgreSQL. */
  readonly logFile: string
  /** Every service that uses the server holds a shared lock on this file, so that the last one can tell that it is the last. */
  readonly inUseFile: string
  /** Whether the data is in the shared directory, because `account` cannot enter the wanted one. */
  readonly relocated: boolean
}

async function accountNamed(name: string): Promise<Account> {
  const [uid, gid] = [await run('id', ['-u', name]), await run('id', ['-g', name])]
  return uid.ok && gid.ok ? { uid: Number(uid.output), gid: Number(gid.output) } : null
}

async function makeAccount(): Promise<{ account: Account; output: string }> {
  const options = ['--system', '--user-group', '--no-create-home', '--home-dir', '/nonexistent']
  const first = await run('useradd', [...options, '--shell', '/bin/false', OWN_USER])
  const made = await accountNamed(OWN_USER)
  if (made !== null) return { account: made, output: '' }
  const second = await run('adduser', ['-S', '-D', '-H', OWN_USER])
  return { account: await accountNamed(OWN_USER), output: `${first.output}; ${second.output}` }
}

async function ownAccount(): Promise<Account> {
  const existing = await accountNamed(OWN_USER)
  if (existing !== null) return existing
  const { account, output } = await makeAccount()
  if (account !== null) return account
  throw new Error(
    `PostgreSQL refuses to run as root, and no user could be made for it (${output}): ` +
      'start the service as an ordinary user, add a user named postgres, or set DATABASE_URL.',
  )
}

/** Prefers the owner of an existing cluster: a package may have added a user `postgres` later, who could not read it. */
async function accountForRoot(clusters: readonly string[], sharedDir: string): Promise<Account> {
  for (const cluster of clusters) {
    const { uid, gid } = await stat(cluster).catch(() => ({ uid: 0, gid: 0 }))
    if (uid !== 0) return { uid, gid }
  }
  const usual = await accountNamed('postgres')
  return usual ?? withLock(join(sharedDir, 'user.lock'), USER_WAIT_MS, ownAccount)
}

const canEnter = async (account: Account, directory: string): Promise<boolean> =>
  (await run('/bin/sh', ['-c', 'cd -- "$1"', 'sh', directory], account)).ok

function placeAt(base: string, dataDir: string, account: Account): Place {
  const cluster = join(base, 'postgres')
  return {
    account,
    base,
    cluster,
    data: join(cluster, 'data'),
    passwordFile: join(cluster, 'password'),
    logFile: join(dataDir, 'postgres.log'),
    inUseFile: join(dataDir, 'postgres.in-use'),
    relocated: base !== dataDir,
  }
}

/** Gives files created by root to the account, so that its user can later run the service without root. */
export async function giveTo(account: Account, path: string): Promise<void> {
  if (account !== null) await chown(path, account.uid, account.gid)
}

async function placeForRoot(dataDir: string, elsewhere: string, isNew: boolean): Promise<Place> {
  const here = join(dataDir, 'postgres')
  const account = await accountForRoot([here, join(elsewhere, 'postgres')], dirname(elsewhere))
  if (account === null) throw new Error('PostgreSQL refuses to run as root.')
  if (isNew) {
    await chown(dataDir, 0, account.gid)
    await chmod(dataDir, 0o710)
  }
  const canUseHere = await canEnter(account, dataDir)
  if (await exists(here)) {
    if (!canUseHere) {
      throw new Error(
        `The database in ${here} cannot be used: the user with id ${account.uid} may not enter ${dataDir} ` +
          `(allow it, or move ${here} to ${join(elsewhere, 'postgres')}).`,
      )
    }
    if ((await stat(here)).uid === 0) await run('chown', ['-R', `${account.uid}:${account.gid}`, here])
    return placeAt(dataDir, dataDir, account)
  }
  if (canUseHere && !(await exists(join(elsewhere, 'postgres')))) return placeAt(dataDir, dataDir, account)
  await mkdir(elsewhere, { recursive: true })
  await chmod(elsewhere, 0o711)
  return placeAt(elsewhere, dataDir, account)
}

async function placeForUser(dataDir: string, elsewhere: string): Promise<Place> {
  const place = placeAt(dataDir, dataDir, null)
  const owner = await stat(place.cluster).catch(() => null)
  if (owner !== null && owner.uid !== process.getuid?.()) {
    throw new Error(
      `The database in ${place.cluster} belongs to another user: start the service as that user or root.`,
    )
  }
  if (owner === null && (await exists(join(elsewhere, 'postgres')))) {
    throw new Error(
      `The database of ${dataDir} was made by root and lives in ${elsewhere}: start the service as root.`,
    )
  }
  return place
}

export const isRoot = (): boolean => process.getuid?.() === 0

/** Creates `dataDir` if it is missing (`isNew`) and resolves links in its path, so that a directory always has the same name. */
export async function openDataDir(dataDir: string): Promise<{ path: string; isNew: boolean }> {
  const wanted = resolve(dataDir)
  const made = await mkdir(wanted, { recursive: true, mode: isRoot() ? 0o711 : 0o700 })
  return { path: await realpath(wanted), isNew: made !== undefined }
}

/**
 * Decides where the cluster of `dataDir` is stored: normally there. If root starts the service and PostgreSQL's user cannot enter
 * the directory (such as a checkout below /root), it is in `sharedDir`, under a hash of the path.
 */
export async function findPlace(
  dataDir: { path: string; isNew: boolean },
  sharedDir: string,
): Promise<Place> {
  const elsewhere = join(sharedDir, createHash('sha256').update(dataDir.path).digest('hex').slice(0, 16))
  if (!isRoot()) return placeForUser(dataDir.path, elsewhere)
  const made = await mkdir(sharedDir, { recursive: true })
  if (made !== undefined) await chmod(sharedDir, 0o755)
  return placeForRoot(dataDir.path, elsewhere, dataDir.isNew)
}
