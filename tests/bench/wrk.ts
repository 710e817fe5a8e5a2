export interface Load {
  readonly requestsPerSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly errors: number
}

interface Target {
  readonly url: string
  readonly connections: number
  readonly seconds: number
  readonly cookie: string
}

const UNIT_MS: Readonly<Record<string, number>> = { us: 0.001, ms: 1, s: 1000, m: 60_000 }

/** Loads `url` with wrk and reads its report. */
export async function wrk({ url, connections, seconds, cookie }: Target): Promise<Load> {
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
