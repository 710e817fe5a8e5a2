import { expect } from 'bun:test'
import type { Harness } from './harness'

interface Answered {
  readonly status: number
}

type Attempts<Answer> = ReadonlyArray<() => Promise<Answer>>

/**
 * Makes all attempts at once and returns their answers in the same order. An attempt that is answered 503 is made again,
 * and the race fails once that happens more often than `allowed503`: only a service that the test overloads may refuse.
 */
export async function race<Answer extends Answered>(
  attempts: Attempts<Answer>,
  allowed503: number,
): Promise<Answer[]> {
  let refused = 0
  const insist = async (attempt: () => Promise<Answer>): Promise<Answer> => {
    const answer = await attempt()
    if (answer.status === 503) refused += 1
    return answer.status === 503 && refused <= allowed503 ? insist(attempt) : answer
  }
  const answers = await Promise.all(attempts.map(insist))
  expect(refused, `answers of 503, of which ${allowed503} are allowed`).toBeLessThanOrEqual(allowed503)
  return answers
}

/** A race of so many attempts, none of which may be refused for the load. */
export const raceOf = <Answer extends Answered>(count: number, attempt: (i: number) => Promise<Answer>) =>
  race(
    Array.from({ length: count }, (_, i) => () => attempt(i)),
    0,
  )

/** The statuses of answers, in ascending order. */
export const statusesOf = (answers: readonly Answered[]) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)

interface Round {
  readonly h: Harness
  readonly round: number
  readonly allowed503: number
}

/** A race in which each attempt is the first in turn, with a head start that grows from none: they meet at every point. */
export async function raceInTurn<Answer extends Answered>(
  { h, round, allowed503 }: Round,
  attempts: Attempts<Answer>,
): Promise<Answer[]> {
  const count = attempts.length
  const first = round % count
  const headStart = 4 * Math.floor(round / count)
  const inTurn = [...attempts.slice(first), ...attempts.slice(0, first)]
  const answers = await race(
    inTurn.map((attempt, place) => async () => {
      const steps = place === 0 ? 0 : headStart
      for (let step = 0; step < steps; step++) await h.request('GET', '/health/ready')
      return attempt()
    }),
    allowed503,
  )
  return [...answers.slice(count - first), ...answers.slice(0, count - first)]
}
