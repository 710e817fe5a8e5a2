import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

export interface Load {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly errors: number
}

/** Starts a service on the database at a URL. */
export type StartService = (url: string) => Promise<{
  readonly base: string
  readonly program: AsyncDisposable & {
    readonly pid: number
    readonly readyMs: number
    readonly rssMiB: () => Promise<number>
  }
}>

interface Target {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly cookie: string
  /** Sent as JSON in a POST. */
  readonly body?: unknown
}

/** wrk takes a method and a body from a script only. */
async function postScript(body: unknown) {
  const folder = await mkdtemp(join(tmpdir(), 'organiser-bench-'))
  const path = join(folder, 'post.lua')
  await writeFile(
    path,
    `wrk.method = 'POST'
wrk.headers['Content-Type'] = 'application/json'
wrk.body = [[${JSON.stringify(body)}]]`,
  )
  return { path, [Symbol.asyncDispose]: () => rm(folder, { recursive: true }) }
}

const UNIT_MS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

/** Loads `url` with wrk and reads its report. */
export async function wrk({ url, connections, seconds, cookie, body }: Target): Promise<Load> {
  await using script = body === undefined ? undefined : await postScript(body)
  const threads = Math.min(connections, 2)
  const child = Bun.spawn(
    [
      'wrk',
      `-t${threads}`,
      `-c${connections}`,
      `-d${seconds}s`,
      '--latency',
      '-H',
      `Cookie: session=${cookie}`,
      ...(script ? ['-s', script.path] : []),
      url,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const report = await new Response(child.stdout).text()
  const quantile = (name: string) => {
    const [, value, unit = ''] = new RegExp(`${name}%\\s+([\\d.]+)(us|ms|s|m)`).exec(report) ?? []
    return Number(value) * (UNIT_MS[unit] ?? Number.NaN)
  }
  const number = (pattern: RegExp) => Number(pattern.exec(report)?.[1] ?? 0)
  return {
    requestsPerSecond: number(/Requests\/sec:\s+([\d.]+)/),
    p50Ms: quantile('50'),
    p99Ms: quantile('99'),
    errors: number(/Non-2xx or 3xx responses: (\d+)/) + number(/Socket errors: connect (\d+)/),
  }
}
