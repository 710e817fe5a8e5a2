import { spawn } from 'node:child_process'
import { readFile, stat } from 'node:fs/promises'
import { startEmbeddedPostgres } from '../../src/adapters/embedded-postgres'
import { until } from '../support/service'
import { dataFolder } from './data-folder'
import { childrenOf, isAlive, isStopped } from './processes'

/**
 * A PostgreSQL of the test's own that it can stop, kill, start again on the same port, and freeze; a durable one writes to
 * the disk what it acknowledges.
 */
export async function postgresServer({ durable = false } = {}) {
  const folder = await dataFolder()
  const { url } = await startEmbeddedPostgres({ dataDir: folder.path, durable })
  const running = async () => {
    const server = await folder.server()
    if (!server) throw new Error('PostgreSQL does not run')
    return server
  }
  const [program = '', ...args] = (await readFile(`/proc/${(await running()).pid}/cmdline`, 'utf8'))
    .split('\0')
    .slice(0, -1)
  const { uid, gid } = await stat(folder.data)
  const processes = async () => {
    const { pid } = await running()
    return [pid, ...childrenOf(pid)]
  }
  return {
    url,
    /** Ends every session at once, as `pg_ctl stop -m fast` does. */
    async stop() {
      const { pid } = await running()
      process.kill(pid, 'SIGINT')
      await until(() => !isAlive(pid))
    },
    /** Ends every process of the server as a power cut would. */
    async kill() {
      const pids = await processes()
      for (const pid of pids) process.kill(pid, 'SIGKILL')
      await until(() => !pids.some(isAlive))
    },
    async start() {
      const server = spawn(program, args, { uid, gid, cwd: '/', stdio: 'ignore', detached: true, env: {} })
      server.unref()
      await until(async () => (await folder.server())?.isReady)
    },
    /** Stops every process of the server in its tracks: connections stay open, and nothing answers. */
    async freeze() {
      const pids = await processes()
      for (const pid of pids) process.kill(pid, 'SIGSTOP')
      await until(() => pids.every((pid) => isStopped(pid) || !isAlive(pid)))
    },
    async thaw() {
      for (const pid of await processes()) process.kill(pid, 'SIGCONT')
    },
    async [Symbol.asyncDispose]() {
      for (const pid of await processes().catch(() => [])) process.kill(pid, 'SIGCONT')
      await folder[Symbol.asyncDispose]()
    },
  }
}
