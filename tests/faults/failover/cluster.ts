import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administer } from '../../support/database'
import { fileText, substitute } from '../../support/readme'
import { freePort, until } from '../../support/service'
import { childrenOf, isAlive } from '../processes'

const WHERE = { PATH: `${process.env['PATH'] ?? ''}:/usr/sbin:/usr/local/sbin` }
const [patroni, etcd, haproxy] = ['patroni', 'etcd', 'haproxy'].map((name) => Bun.which(name, WHERE))
const BIN = '/usr/lib/postgresql/15/bin'

export const hasCluster =
  [patroni, etcd, haproxy].every((path) => path != null) && (await Bun.file(`${BIN}/pg_rewind`).exists())

const NAMES = ['db1', 'db2', 'db3'] as const
type Name = (typeof NAMES)[number]

const PASSWORDS = {
  SUPERUSER_PASSWORD: 'superuser-of-the-tests',
  REPLICATION_PASSWORD: 'replication-of-the-tests',
  REWIND_PASSWORD: 'rewind-of-the-tests',
}

/** Of the service's own role. */
const PASSWORD = 'organiser-of-the-tests'

/** How long a cluster may take until one node leads, or all are well, on a machine that others use, too. */
const SETTLES_MS = 120_000

/** The user that runs PostgreSQL, which refuses root: undefined where the tests run as another user anyway. */
async function owner(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined
  const [, , uid, gid] = /^postgres:(.*?):(\d+):(\d+):/m.exec(await readFile('/etc/passwd', 'utf8')) ?? []
  return { uid: Number(uid), gid: Number(gid) }
}

/** Where a machine of the guide is in a run: all are ports of this one. */
interface Machine {
  readonly name: Name
  readonly address: string
  readonly sql: number
  readonly rest: number
  /** Of etcd: for Patroni, and for the others of it. */
  readonly client: number
  readonly peer: number
  readonly folder: string
}

/** Three machines as the guide sets them up, each with a PostgreSQL, its Patroni and an etcd, and an HAProxy in front. */
export async function startCluster() {
  await using opened = new AsyncDisposableStack()
  const user = await owner()
  const folder = await mkdtemp(join(tmpdir(), 'organiser-failover-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755)
  const folderOf = async (name: string) => {
    const path = join(folder, name)
    await mkdir(path, { mode: 0o700 })
    if (user) await chown(path, user.uid, user.gid)
    return path
  }
  const machines = await Promise.all(
    NAMES.map(async (name, index): Promise<Machine> => {
      const ports = { sql: await freePort(), rest: await freePort() }
      const store = { client: await freePort(), peer: await freePort() }
      return { name, address: `10.0.0.${index + 1}`, ...ports, ...store, folder: await folderOf(name) }
    }),
  )
  const front = await freePort()
  const log = openSync(join(folder, 'log'), 'a')
  opened.defer(() => closeSync(log))
  const run = (
    program: string | null | undefined,
    args: readonly string[],
    env: Record<string, string> = {},
  ) =>
    spawn(program ?? '', args, {
      ...user,
      cwd: '/',
      stdio: ['ignore', log, log],
      env: { PATH: `${BIN}:/usr/bin:/bin`, LC_ALL: 'C.UTF-8', ...env },
    })
  const end = async (child: ChildProcess) => {
    const { pid } = child
    if (child.kill('SIGKILL') && pid !== undefined) await until(() => !isAlive(pid))
  }

  const programs = new Map<Name, readonly ChildProcess[]>()
  const stores = new Map<Name, Record<string, string>>()
  for (const machine of machines) {
    const file = join(machine.folder, 'patroni.yml')
    await Bun.write(file, await patroniFile(machine, machines))
    await chmod(file, 0o644)
    stores.set(machine.name, await etcdEnv(machine, machines))
  }
  const start = (name: Name) =>
    programs.set(name, [
      run(etcd, [], stores.get(name)),
      run(patroni, [join(machineOf(name).folder, 'patroni.yml')]),
    ])
  const machineOf = (name: Name) => {
    const machine = machines.find((one) => one.name === name)
    if (!machine) throw new Error(`no ${name}`)
    return machine
  }
  /** PostgreSQL on a machine; 0 for none. */
  const serverOf = async (name: Name) => {
    const text = await readFile(join(machineOf(name).folder, 'data/postmaster.pid'), 'utf8').catch(() => '')
    return Number(text.split('\n')[0])
  }
  /** Everything that runs on a machine. */
  const processesOf = async (name: Name) => {
    const started = (programs.get(name) ?? [])
      .filter(({ exitCode, signalCode }) => exitCode === null && signalCode === null)
      .map(({ pid }) => pid ?? 0)
    const roots = [...started, await serverOf(name)].filter((pid) => pid > 0 && isAlive(pid))
    return [...new Set(roots.flatMap((pid) => [pid, ...childrenOf(pid)]))]
  }
  const signal = async (name: Name, kind: NodeJS.Signals) => {
    for (const pid of await processesOf(name)) {
      try {
        process.kill(pid, kind)
      } catch {
        // It has ended meanwhile.
      }
    }
  }
  const kill = async (name: Name) => {
    await signal(name, 'SIGSTOP')
    const pids = await processesOf(name)
    for (const pid of pids) process.kill(pid, 'SIGKILL')
    await until(() => !pids.some(isAlive))
  }
  /** Ends a machine in order, as a PostgreSQL that is killed leaves its shared memory behind until it starts again. */
  const stop = async (name: Name) => {
    await Promise.all((programs.get(name) ?? []).map(end))
    const server = await serverOf(name)
    if (server > 0 && isAlive(server)) {
      await signal(name, 'SIGCONT')
      process.kill(server, 'SIGQUIT')
      await until(() => !isAlive(server)).catch(() => undefined)
    }
    await kill(name)
  }
  opened.defer(async () => {
    for (const name of NAMES) await stop(name)
  })
  for (const name of NAMES) start(name)

  const proxyFile = join(folder, 'haproxy.cfg')
  await Bun.write(proxyFile, await haproxyFile(machines, front))
  await chmod(proxyFile, 0o644)
  const proxy = run(haproxy, ['-db', '-f', proxyFile])
  opened.defer(() => end(proxy))

  /** What a node says of itself; what others say of it may be as old as its lease. */
  const stateOf = async ({ rest }: Machine): Promise<NodeState | undefined> => {
    try {
      const response = await fetch(`http://127.0.0.1:${rest}/patroni`, { signal: AbortSignal.timeout(1000) })
      return response.ok ? ((await response.json()) as NodeState) : undefined
    } catch {
      return undefined
    }
  }
  const leading = async (): Promise<Leader | undefined> => {
    const states = await Promise.all(
      machines.map(async (machine) => ({ ...machine, ...(await stateOf(machine)) })),
    )
    const leaders = states.filter(({ role }) => role === 'master' || role === 'primary')
    const [{ name, sql, timeline } = {}] = leaders
    const isKnown = leaders.length === 1 && name && sql && timeline
    return isKnown ? { name, sql, timeline } : undefined
  }
  const leader = () => until(leading, SETTLES_MS, `one node that leads: see ${join(folder, 'log')}`)
  const settled = async () => {
    const states = await Promise.all(machines.map(stateOf))
    const timelines = new Set(states.map((state) => state?.timeline))
    return (
      states.every((state) => state?.state === 'running') &&
      timelines.size === 1 &&
      states.filter((state) => state?.sync_standby).length === 1
    )
  }
  const whole = () => until(settled, SETTLES_MS, `three nodes of which one leads: see ${join(folder, 'log')}`)
  const login = `organiser:${PASSWORD}`
  const hosts = machines.map(({ sql }) => `127.0.0.1:${sql}`).join()
  const running = opened.move()
  try {
    await whole()
    const { sql } = await leader()
    const admin = administer(`postgres://postgres:${PASSWORDS.SUPERUSER_PASSWORD}@127.0.0.1:${sql}/postgres`)
    await admin.unsafe(`create role organiser login password '${PASSWORD}'`)
    await admin.unsafe('create database organiser owner organiser')
    await admin.end({ timeout: 5 })
  } catch (error) {
    console.error((await readFile(join(folder, 'log'), 'utf8')).slice(-6000))
    await running.disposeAsync()
    throw error
  }
  return {
    /** Names all hosts, as the guide has it. */
    url: `postgres://${login}@${hosts}/organiser`,
    proxyUrl: `postgres://${login}@127.0.0.1:${front}/organiser?target_session_attrs=read-write`,
    whole,
    /** The node that leads by its own word, which one that is paused or killed cannot give. */
    leader,
    kill,
    start,
    pause: (name: Name) => signal(name, 'SIGSTOP'),
    resume: (name: Name) => signal(name, 'SIGCONT'),
    log: () => readFile(join(folder, 'log'), 'utf8'),
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

export type Cluster = Awaited<ReturnType<typeof startCluster>>

interface Leader {
  readonly name: Name
  readonly sql: number
  /** Rises whenever a standby becomes the primary. */
  readonly timeline: number
}

interface NodeState {
  readonly state: string
  readonly role: string
  readonly timeline?: number
  readonly sync_standby?: boolean
}

const guide = (name: string) => fileText(`src/deploy/failover/${name}`)

/** The ports that stand for the addresses of the guide. */
const portsFor = (machines: readonly Machine[], port: 'client' | 'peer', usual: number) =>
  Object.fromEntries(machines.map((one) => [`${one.address}:${usual}`, `127.0.0.1:${one[port]}`]))

async function etcdEnv(own: Machine, machines: readonly Machine[]) {
  const [first] = machines
  const text = substitute(await guide('etcd'), {
    'ETCD_NAME=db1': `ETCD_NAME=${own.name}`,
    '/var/lib/etcd/organiser': join(own.folder, 'etcd'),
    [`URLS=http://${first?.address}:2379`]: `URLS=http://127.0.0.1:${own.client}`,
    [`URLS=http://${first?.address}:2380`]: `URLS=http://127.0.0.1:${own.peer}`,
    ...portsFor(machines, 'peer', 2380),
  })
  return Object.fromEntries(
    text
      .split('\n')
      .filter((line) => line.includes('=') && !line.startsWith('#'))
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )
}

async function patroniFile(own: Machine, machines: readonly Machine[]) {
  const [first] = machines
  return substitute(await guide('patroni.yml'), {
    'name: db1': `name: ${own.name}`,
    ...portsFor(machines, 'client', 2379),
    [`${first?.address}:8008`]: `127.0.0.1:${own.rest}`,
    [`${first?.address}:5432`]: `127.0.0.1:${own.sql}`,
    '10.0.0.0/24': '127.0.0.1/32',
    '/var/lib/postgresql/15/organiser': join(own.folder, 'data'),
    '/var/lib/postgresql/organiser.pgpass': join(own.folder, 'pgpass'),
    '/var/run/postgresql': own.folder,
    '/usr/lib/postgresql/15/bin': BIN,
    ...PASSWORDS,
  })
}

async function haproxyFile(machines: readonly Machine[], front: number) {
  return substitute(await guide('haproxy.cfg'), {
    '127.0.0.1:5000': `127.0.0.1:${front}`,
    ...Object.fromEntries(
      machines.map(({ address, sql, rest }) => [
        `${address}:5432 check port 8008`,
        `127.0.0.1:${sql} check port ${rest}`,
      ]),
    ),
  })
}
