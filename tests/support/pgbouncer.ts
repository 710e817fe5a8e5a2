import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { administer } from './database'
import { freePort, started } from './service'

/** Debian keeps it out of an ordinary user's PATH. */
const path = Bun.which('pgbouncer', { PATH: `/usr/local/sbin:${process.env['PATH'] ?? ''}:/usr/sbin` })

const version = () =>
  Bun.spawnSync([path ?? '', '--version'])
    .stdout.toString()
    .split(/\s/)[1] ?? ''

/** The first release that keeps prepared statements (`max_prepared_statements`). */
export const hasPgBouncer = path !== null && Bun.semver.order(version(), '1.21.0') >= 0

interface Pooling {
  /** Of each client that PgBouncer keeps; with 0 none may be used. */
  readonly maxPreparedStatements: number
  /** Roles beside that of the server's URL, with their passwords. */
  readonly roles?: Readonly<Record<string, string>>
}

/** Fewer than one service wants, so that clients take turns on them. */
const SERVER_CONNECTIONS = 3

/** PgBouncer in transaction mode before the server of `databaseUrl`; `url` is the same database through it. */
export async function startPgBouncer(databaseUrl: string, { maxPreparedStatements, roles = {} }: Pooling) {
  const server = new URL(databaseUrl)
  await using opened = new AsyncDisposableStack()
  const folder = await mkdtemp(join(tmpdir(), 'organiser-pgbouncer-'))
  opened.defer(() => rm(folder, { recursive: true, force: true }))
  await chmod(folder, 0o755) // Started by root, it becomes another user.
  const port = await freePort()
  const users = { [decodeURIComponent(server.username)]: decodeURIComponent(server.password), ...roles }
  const userFile = join(folder, 'users.txt')
  await Bun.write(
    userFile,
    Object.entries(users)
      .map(([name, password]) => `"${name}" "${password}"\n`)
      .join(''),
  )
  const configuration = join(folder, 'pgbouncer.ini')
  await Bun.write(
    configuration,
    `[databases]
* = host=${server.hostname} port=${server.port || '5432'}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = scram-sha-256
auth_file = ${userFile}
pool_mode = transaction
default_pool_size = ${SERVER_CONNECTIONS}
max_prepared_statements = ${maxPreparedStatements}
${process.getuid?.() === 0 ? 'user = nobody' : ''}
`,
  )
  const stderr = Bun.file(join(folder, 'stderr'))
  const child = Bun.spawn({ cmd: [path ?? '', configuration], stdio: ['ignore', 'ignore', stderr] })
  opened.defer(async () => {
    child.kill('SIGKILL')
    await child.exited
  })
  server.hostname = '127.0.0.1'
  server.port = String(port)
  const ping = async () => {
    const sql = administer(server.href)
    try {
      return (await sql`select 1`).length === 1
    } finally {
      await sql.end({ timeout: 1 })
    }
  }
  await started(child, ping, () => stderr.text())
  const running = opened.move()
  return { url: server.href, [Symbol.asyncDispose]: () => running.disposeAsync() }
}
