import type { Records } from './calls'
import type { Servers } from './servers'

/** What happens to the household's machine, each at its part of the run, and again and again. */

interface Disturbing {
  readonly durationMs: number
  readonly records: Records
  readonly tell: (line: string) => void
  readonly isOver: () => boolean
}

const HOUR_MS = 3_600_000
/** As far as the clock ever goes back. */
export const BACK_MS = 5000
/** Between two disturbances: often enough for each kind to come several times, and rare enough to be told apart. */
const [LEAST_MS, STEPS] = [8000, 60]

export async function disturbances(
  servers: Servers,
  { durationMs, records, tell, isOver }: Disturbing,
): Promise<void> {
  const { flaky, steady, postgres, time, trouble } = servers
  const restarted = (signal: 'SIGTERM' | 'SIGKILL') =>
    trouble.during([flaky], async () => {
      const said = await flaky.restart(signal)
      if (said !== '') records.problem(`an instance says as it ends: ${said}`)
    })
  const withoutDatabase = (how: 'stop' | 'kill') =>
    trouble.during([flaky, steady], async () => {
      await postgres[how]()
      await postgres.start()
    })
  const acts: ReadonlyArray<readonly [string, () => Promise<void>]> = [
    ['an instance stops and starts', () => restarted('SIGTERM')],
    ['an instance is killed', () => restarted('SIGKILL')],
    ['the clock goes back 5 s', async () => time.jump(-BACK_MS)],
    ['an instance stops and starts', () => restarted('SIGTERM')],
    ['the database restarts', () => withoutDatabase('stop')],
    ['an instance is killed', () => restarted('SIGKILL')],
    ['the clock goes forward an hour', async () => time.jump(HOUR_MS)],
    ['the database is killed', () => withoutDatabase('kill')],
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
