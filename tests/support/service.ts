import { once } from 'node:events'
import { createServer } from 'node:net'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../..', import.meta.url))
const START_MS = 30_000
const STOP_MS = 15_000
const POLL_MS = 20

/** A port of 127.0.0.1 that nobody listens on. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  server.close()
  if (address === null || typeof address === 'string') throw new Error('no port')
  return address.port
}

type Nothing = false | 0 | null | undefined

/**
 * Polls until `probe` returns something truthy, and returns that.
 * @throws {Error} once `waitMs` have passed, with `what` has not come true: by default the text of the probe.
 */
export async function until<T>(
  probe: () => T | Nothing | Promise<T | Nothing>,
  waitMs = START_MS,
  what = probe.toString(),
): Promise<T> {
  const deadline = Date.now() + waitMs
  for (;;) {
    const found = await probe()
    if (found) return found
    if (Date.now() > deadline) throw new Error(`not within ${waitMs} ms: ${what}`)
    await Bun.sleep(POLL_MS)
  }
}

interface Child {
  readonly exitCode: number | null
}

/** Waits until the child is ready; one that ends before that is an error that carries what it said. */
export async function started(
  child: Child,
  isReady: () => Promise<boolean>,
  said: () => string | Promise<string>,
) {
  const deadline = Date.now() + START_MS
  while (!(await isReady().catch(() => false))) {
    if (child.exitCode !== null) throw new Error(`ended with ${child.exitCode}: ${await said()}`)
    if (Date.now() > deadline) throw new Error(`does not get ready: ${await said()}`)
    await Bun.sleep(POLL_MS)
  }
}

interface Command {
  /** The whole environment; nothing is inherited. */
  readonly env: Readonly<Record<string, string>>
  readonly cwd?: string
  /** The program and its arguments, as Bun is given them. */
  readonly args?: readonly string[]
}

interface Options extends Command {
  /** null: the service is given no `PORT` and chooses one. */
  readonly port?: number | null
}

const MAIN = fileURLToPath(new URL('../../src/main.ts', import.meta.url))

/** The program behind a command such as `bun run admin`. */
export const commandPath = (name: 'admin' | 'backup' | 'migrate' | 'restore'): string =>
  fileURLToPath(new URL(`../../src/commands/${name}.ts`, import.meta.url))

/** A program of this repository as a process; `stdout` and `stderr` are what it has said so far. */
export function spawnProgram({ env, cwd = ROOT, args = [MAIN] }: Command) {
  const child = Bun.spawn({
    cmd: [process.execPath, '--no-env-file', ...args],
    cwd,
    env: { ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const said = { stdout: '', stderr: '' }
  const listen = async (name: keyof typeof said) => {
    const decoder = new TextDecoder()
    for await (const chunk of child[name]) said[name] += decoder.decode(chunk, { stream: true })
  }
  const listening = Promise.all([listen('stdout'), listen('stderr')])
  return {
    pid: child.pid,
    get exitCode() {
      return child.exitCode
    },
    get stdout() {
      return said.stdout
    },
    get stderr() {
      return said.stderr
    },
    /** The exit code; 128 and more after a signal. */
    exited: child.exited,
    /** Ended, and everything said is there. Whatever it has started may keep the pipes open. */
    finished: async () => {
      await listening
      return { exitCode: await child.exited, ...said }
    },
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    /** Asks it to end, and makes it where it does not. */
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM')
      const timer = setTimeout(() => child.kill('SIGKILL'), STOP_MS)
      await child.exited
      clearTimeout(timer)
    },
  }
}

/** What the runtime says when the cron library is late and waits for less than nothing; the job runs at once. */
const LATE_TIMER =
  /^\(node:\d+\) TimeoutNegativeWarning: .*\nTimeout duration was set to 1\.\n?(?:\(Use .* to show where .*\n?)?/gm

/** What a service said on `stderr` by itself. */
export const withoutLateTimers = (stderr: string): string => stderr.replaceAll(LATE_TIMER, '').trim()

export type Service = Awaited<ReturnType<typeof startService>>

/** A process of the real service, ready for requests; terminated when disposed. */
export async function startService({ env, port: wanted, ...command }: Options) {
  const given = wanted === undefined ? await freePort() : wanted
  const program = spawnProgram({
    ...command,
    env: { HOST: '127.0.0.1', LOG_LEVEL: 'error', ...env, ...(given !== null && { PORT: String(given) }) },
  })
  const port = () => given ?? Number(/Organiser serves on \S+?:(\d+)/.exec(program.stdout)?.[1])
  const url = () => `http://127.0.0.1:${port()}`
  try {
    await started(
      program,
      async () => Number.isInteger(port()) && (await fetch(`${url()}/health/ready`)).ok,
      () => program.stderr,
    )
  } catch (error) {
    await program[Symbol.asyncDispose]()
    throw error
  }
  return Object.assign(program, {
    port: port(),
    url: url(),
    fetch: (path: string, init?: RequestInit) => fetch(`${url()}${path}`, init),
    post: (path: string, body: unknown, headers: Record<string, string> = {}) =>
      fetch(`${url()}${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      }),
    /** Sends SIGTERM and answers the exit code. */
    stop: () => {
      program.kill('SIGTERM')
      return program.exited
    },
  })
}
