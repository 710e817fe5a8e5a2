import type { Harness } from '../support/harness'
import type { FailureLog } from './cast'
import { ending, type Extent, Findings, type Outcome } from './findings'
import { Growth } from './growth'

/** Connections of a harness. */
const POOL = 4
const TELL_EVERY = 1000
/** Longer than a request may take with all that is looked at after it. */
const STEP_MS = 600_000

/** What one kind of fuzz does for each of its requests. */
interface Driven {
  readonly h: Harness
  readonly log: FailureLog
  readonly unit: string
  /** After so many requests, memory is looked at. */
  readonly lookEvery: number
  readonly step: (run: Run, number: number) => Promise<void>
}

export interface Run {
  readonly findings: Findings
  readonly growth: Growth
}

/** Sends one request after the other until there are enough, and tells what was found, grew or was logged. */
export async function drive(extent: Extent, driven: Driven): Promise<Outcome> {
  const { tell = () => {} } = extent
  const { h, log, unit, lookEvery, step } = driven
  const run = { findings: new Findings(tell), growth: new Growth(h) }
  const { findings, growth } = run
  let done = 0
  while (goesOn(extent, done)) {
    const where = `${unit}, number ${done}`
    await ending(step(run, done), where, { waitMs: STEP_MS }).catch((error: unknown) =>
      findings.noteThrown(error, where),
    )
    done++
    if (done % lookEvery === 0) growth.sample()
    if (done % TELL_EVERY === 0) tell(`${done} ${unit}`)
  }
  for (const problem of await growth.problems(POOL)) findings.note(problem, `after ${done} ${unit}`)
  findings.noteLogged(log.failures)
  return { requests: done, findings: [...findings.kinds.values()], statuses: findings.statuses }
}

export const goesOn = ({ requests, isOver }: Extent, done: number): boolean =>
  done < requests && isOver?.() !== true

/** The answer, and the tables in which it left rows though it is a refusal; looked at for some requests. */
export async function watched<Answer>(
  { growth }: Run,
  isWatched: boolean,
  send: () => Promise<Answer>,
  isRefused: (answer: Answer) => boolean,
): Promise<{ answer: Answer; left: readonly string[] }> {
  const before = isWatched ? await growth.rows() : undefined
  const answer = await send()
  return { answer, left: before && isRefused(answer) ? await growth.leftSince(before) : [] }
}
