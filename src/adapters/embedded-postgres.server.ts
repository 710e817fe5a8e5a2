import { spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile, rename, stat } from 'node:fs/promises'
import { createServer } from 'node:net'
import { basename } from 'node:path'
import { cleanEnvironment, run } from './embedded-postgres.binaries'
import { sleep } from './embedded-postgres.lock'
import { giveTo } from './embedded-postgres.place'
import type { Binaries } from './embedded-postgres.binaries'
import type { Place } from './embedded-postgres.place'

export interface Server {
  readonly pid: number
  readonly port: number
}

/** `outdated`: it serves our data, but its program or path has been replaced since, or it runs without durability. */
type Identity = 'ours' | 'outdated' | 'other'

const POLL_MS = 15
const READY_WAIT_MS = 120_000
const FAST_STOP_WAIT_MS = 10_000
const IMMEDIATE_STOP_WAIT_MS = 5_000
const MAX_LOG_BYTES = 10 * 1024 * 1024
const LOG_TAIL_CHARACTERS = 2_000

/** Temporary failures: another program took the port, or backends of a killed server are still ending. */
const PASSING =
  /Address already in use|pre-existing shared memory block|lock file "postmaster.pid" already exists/

/** Reads postmaster.pid: the pid is in line 1, the port in line 4, the state in line 8. */
async function readPidFile(place: Place): Promise<(Server & { state: string }) | null> {
  const text = await readFile(`${place.data}/postmaster.pid`, 'utf8').catch(() => null)
  if (text === null) return null
  const lines = text.split('\n')
  const pid = Number(lines[0])
  if (!Number.isInteger(pid) || pid <= 0) return null
  return { pid, port: Number(lines[3]), state: (lines[7] ?? '').trim() }
}

const identityOf = async (path: string): Promise<string> => {
  const { dev, ino } = await stat(path)
  return `${dev}:${ino}`
}

/** Checks whether `pid` is our server. A running process proves nothing, because pids are reused. */
async function identify(pid: number, place: Place, binaries: Binaries): Promise<Identity> {
  if (process.platform !== 'linux') {
    const { ok, output } = await run('ps', ['-o', 'command=', '-p', String(pid)])
    return ok && output.includes(place.data) ? 'ours' : 'other'
  }
  try {
    const args = (await readFile(`/proc/${pid}/cmdline`, 'utf8')).split('\0')
    if (basename(args[0] ?? '') !== 'postgres') return 'other'
    // PostgreSQL's working directory is its data directory, even after that was moved.
    if ((await identityOf(`/proc/${pid}/cwd`)) !== (await identityOf(place.data))) return 'other'
    const isSameProgram = (await identityOf(`/proc/${pid}/exe`)) === (await identityOf(binaries.postgres))
    return isSameProgram && args.includes(place.data) ? 'ours' : 'outdated'
  } catch {
    return 'other'
  }
}

function signal(pid: number, name: 'SIGINT' | 'SIGQUIT'): void {
  try {
    process.kill(pid, name)
  } catch {
    // The process has ended meanwhile.
  }
}

async function hasEnded(pid: number, place: Place, binaries: Binaries, waitMs: number): Promise<boolean> {
  const deadline = performance.now() + waitMs
  while ((await identify(pid, place, binaries)) !== 'other') {
    if (performance.now() > deadline) return false
    await sleep(POLL_MS)
  }
  return true
}

/**
 * Ends the server's sessions and stops it with a checkpoint. If that takes too long, it stops without one, and the server
 * recovers at its next start.
 */
export async function stopServer(pid: number, place: Place, binaries: Binaries): Promise<void> {
  if ((await identify(pid, place, binaries)) === 'other') return
  signal(pid, 'SIGINT')
  if (await hasEnded(pid, place, binaries, FAST_STOP_WAIT_MS)) return
  signal(pid, 'SIGQUIT')
  if (await hasEnded(pid, place, binaries, IMMEDIATE_STOP_WAIT_MS)) return
  throw new Error(`PostgreSQL (process ${pid}, ${place.data}) does not stop.`)
}

/** Waits until the server with this pid accepts connections; returns null if it ends before. */
async function whenReady(pid: number, place: Place, isAlive: () => Promise<boolean>): Promise<Server | null> {
  const deadline = performance.now() + READY_WAIT_MS
  while (await isAlive()) {
    const file = await readPidFile(place)
    if (file?.pid === pid && file.state === 'ready') return { pid, port: file.port }
    if (performance.now() > deadline) {
      throw new Error(
        `PostgreSQL (process ${pid}) is not ready after ${READY_WAIT_MS / 1000} seconds: see ${place.logFile}.`,
      )
    }
    await sleep(POLL_MS)
  }
  return null
}

/** Finds a server that still runs on this data, started earlier or by another service. */
export async function findRunning(
  place: Place,
  binaries: Binaries,
): Promise<{ server: Server; isOutdated: boolean } | null> {
  const file = await readPidFile(place)
  if (file === null) return null
  const identity = await identify(file.pid, place, binaries)
  if (identity === 'other') return null
  const isAlive = async () => (await identify(file.pid, place, binaries)) !== 'other'
  const server = await whenReady(file.pid, place, isAlive)
  return server && { server, isOutdated: identity === 'outdated' }
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer()
    probe.on('error', reject)
    probe.listen(0, '127.0.0.1', () => {
      const address = probe.address()
      const port = typeof address === 'object' && address !== null ? address.port : 0
      probe.close(() => resolve(port))
    })
  })
}

function serverArguments(place: Place, port: number, durable: boolean): string[] {
  const settings = [
    'listen_addresses=127.0.0.1',
    // Off, because a socket's path is limited to 107 bytes, and we should not put files into /tmp.
    'unix_socket_directories=',
    'max_connections=200',
    'timezone=UTC',
    'log_timezone=UTC',
    // Error details quote values of the row, which are the users' private data.
    'log_error_verbosity=terse',
    ...(durable ? ['fsync=on'] : ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off']),
  ]
  return ['-D', place.data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])]
}

async function logSize(place: Place): Promise<number> {
  const size = await stat(place.logFile).then(
    (file) => file.size,
    () => 0,
  )
  if (size < MAX_LOG_BYTES) return size
  await rename(place.logFile, `${place.logFile}.1`)
  return 0
}

/** Starts the server in a session of its own, so that it outlives a killed service. Returns `problem` if it did not start. */
async function launch(
  place: Place,
  binaries: Binaries,
  durable: boolean,
): Promise<{ server: Server } | { problem: string }> {
  const stalePid = (await readPidFile(place))?.pid
  const logStart = await logSize(place)
  const log = openSync(place.logFile, 'a', 0o600)
  await giveTo(place.account, place.logFile)
  const child = spawn(binaries.postgres, serverArguments(place, await freePort(), durable), {
    ...place.account,
    cwd: '/',
    detached: true,
    stdio: ['ignore', log, log],
    // PostgreSQL treats a pid file that names this pid as stale. So it starts even if another process now has that pid, but it
    // still checks that no process of the old server is attached to the data.
    env: {
      ...cleanEnvironment(),
      ...(stalePid === undefined ? {} : { PG_GRANDPARENT_PID: String(stalePid) }),
    },
  })
  let ended = false
  let spawnProblem = ''
  child.on('exit', () => (ended = true))
  child.on('error', (error) => {
    ended = true
    spawnProblem = error.message
  })
  child.unref()
  closeSync(log)
  const server = child.pid === undefined ? null : await whenReady(child.pid, place, async () => !ended)
  if (server !== null) return { server }
  const written = await readFile(place.logFile).then((bytes) => bytes.subarray(logStart).toString())
  return { problem: (spawnProblem || written).slice(-LOG_TAIL_CHARACTERS).trim() }
}

/**
 * Returns a server that accepts connections: a new one, or one that somebody else has started meanwhile.
 * @throws {Error} with the log's last lines when PostgreSQL does not start.
 */
export async function startServer(place: Place, binaries: Binaries, durable: boolean): Promise<Server> {
  const deadline = performance.now() + READY_WAIT_MS
  for (;;) {
    const outcome = await launch(place, binaries, durable)
    if ('server' in outcome) return outcome.server
    if (!PASSING.test(outcome.problem) || performance.now() > deadline) {
      throw new Error(`PostgreSQL does not start (${place.logFile}): ${outcome.problem}`)
    }
    await sleep(POLL_MS)
    const running = await findRunning(place, binaries)
    if (running !== null) return running.server
  }
}
