import { chmod, mkdtemp, readFile, realpath, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { until } from '../support/service'
import { isAlive } from './processes'

/** An empty data directory that PostgreSQL's user can enter; gone when disposed, with the server that runs on it. */
export async function dataFolder() {
  const root = await realpath(await mkdtemp(join(tmpdir(), 'organiser-faults-')))
  await chmod(root, 0o755)
  const path = join(root, '.data')
  const data = join(path, 'postgres/data')
  /** The running server, from its pid file: line 1 is its process, 4 its port, 8 its state. */
  const server = async () => {
    const text = await readFile(join(data, 'postmaster.pid'), 'utf8').catch(() => null)
    const lines = text?.split('\n') ?? []
    const pid = Number(lines[0])
    return pid > 0 && isAlive(pid)
      ? { pid, port: Number(lines[3]), isReady: lines[7]?.trim() === 'ready' }
      : undefined
  }
  return {
    root,
    path,
    data,
    server,
    async [Symbol.asyncDispose]() {
      const running = await server()
      if (running) {
        process.kill(running.pid, 'SIGCONT')
        process.kill(running.pid, 'SIGQUIT')
        await until(() => !isAlive(running.pid))
      }
      await rm(root, { recursive: true, force: true, maxRetries: 5 })
    },
  }
}
