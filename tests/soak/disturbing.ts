import type { Servers } from './servers'

/** What happens to the household's machine, each at its part of the run, and again and again. */

interface Disturbing {
  readonly durationMs: number
  readonly tell: (line: string) => void
  readonly isOver: () => boolean
}

const HOUR_MS = 3_600_000
/** Between two disturbances: often enough for each kind to come several times, and rare enough to be told apart. */
const [LEAST_MS, STEPS] = [8000, 60]

export async function disturbances(
  servers: Servers,
  { durationMs, tell, isOver }: Disturbing,
): Promise<void> {
  const { flaky, postgres, time, trouble } = servers
  const acts: ReadonlyArray<readonly [string, () => Promise<void>]> = [
    ['an instance stops and starts', () => trouble.during(() => flaky.restart('SIGTERM'))],
    ['an instance is killed', () => trouble.during(() => flaky.restart('SIGKILL'))],
    ['the clock goes back 5 s', async () => time.jump(-5000)],
    ['an instance stops and starts', () => trouble.during(() => flaky.restart('SIGTERM'))],
    ['the database restarts', () => trouble.during(() => restart(postgres, 'stop'))],
    ['an instance is killed', () => trouble.during(() => flaky.restart('SIGKILL'))],
    ['the clock goes forward an hour', async () => time.jump(HOUR_MS)],
    ['the database is killed', () => trouble.during(() => restart(postgres, 'kill'))],
  ]
  const pauseMs = Math.max(LEAST_MS, durationMs / STEPS)
  const ends = Date.now() + durationMs - pauseMs
  for (let at = 0; !isOver(); at++) {
    const next = Date.now() + pauseMs
    while (!isOver() && Date.now() < next) await Bun.sleep(100)
    if (isOver() || Date.now() > ends) return
    const [what, act] = acts[at % acts.length] ?? []
    tell(`${what} at ${time.now().toISOString()}`)
    await act?.()
  }
}

async function restart(postgres: Servers['postgres'], how: 'stop' | 'kill'): Promise<void> {
  await postgres[how]()
  await postgres.start()
}
