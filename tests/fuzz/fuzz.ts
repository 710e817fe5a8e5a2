import { documentOf, operationsOf } from '../support/openapi'
import { type Cast, keepUp, newcomer, type Person, startCast } from './cast'
import { drawing, seedOf } from './draw'
import { drive, type Run, watched } from './driver'
import type { Extent } from './findings'
import { type Answer, judging, Tally } from './judge'
import { type Operation, requestFor } from './requests'
import { followUp, isRisky, send, shownOf } from './sending'
import { lookAround, type Supplies, supplied } from './supply'

/** In rounds of so many requests for each operation, so that every operation meets what the others left. */
const PER_ROUND = 5
const LOOK_EVERY = 500
const WATCH_EVERY = 50

interface Planned {
  readonly operation: Operation
  readonly seed: number
}

/**
 * Sends every operation of the service's own document so many requests, good and bad ones, from people who have records,
 * and holds every answer against the document. The same seed sends the same requests again.
 */
export async function fuzz(extent: Extent) {
  const { seed, requests } = extent
  const cast = await startCast()
  const { h, log } = cast
  try {
    const document = await documentOf(h.app.fetch)
    const operations = operationsOf(document)
    const judge = judging(document)
    const supplies = { cast, operations, schemas: document.components.schemas, seed, attempts: 4 }
    for (const person of Object.values(cast.people)) await lookAround(supplies, person)
    const tally = new Tally(operations)
    const planned: Planned[] = []
    let round = 0
    const plan = async () => {
      if (round > 0) await endRound(cast, round - 1)
      const count = Math.min(PER_ROUND, requests - round * PER_ROUND)
      planned.push(...shuffled(operations, { seed, round, count }))
      round++
    }
    const step = async (run: Run, number: number) => {
      if (planned.length === 0) await plan()
      const next = planned.shift()
      if (!next) return
      const person = whoAsks(cast, next)
      await equip(supplies, person, next.operation)
      const sent = await requestFor(next.operation, { ...supplies, person, seed: next.seed })
      const isWatched = number % WATCH_EVERY === WATCH_EVERY - 1 && !isRisky(next.operation)
      const { answer, left } = await watched(run, isWatched, () => send(cast, sent), isRefused)
      await followUp(cast, answer)
      tally.count(answer)
      for (const what of [...judge(answer), ...left.map((table) => `is refused and leaves rows in ${table}`)])
        run.findings.note(`${next.operation.title} ${answer.status}: ${what}`, exampleOf(answer, cast))
    }
    const whole = { ...extent, requests: requests * operations.length }
    const driven = { h, log, unit: 'requests', lookEvery: LOOK_EVERY, step }
    return { tally, ...(await drive(whole, driven)) }
  } finally {
    await h[Symbol.asyncDispose]()
  }
}

const isRefused = ({ status }: Answer) => status >= 400 && status < 500

async function endRound(cast: Cast, round: number): Promise<void> {
  if (round % 4 === 3) cast.expendable[(round >> 2) % 3] = await newcomer(cast.h, round >> 2)
  await keepUp(cast)
  cast.h.clock.advance({ minutes: round % 7 === 6 ? 600 : 3 })
}

/** Records for the request; what nobody can make alone, somebody else may have to begin. */
async function equip(supplies: Supplies, person: Person, { path }: Operation): Promise<void> {
  if (await supplied(supplies, person, path)) return
  if (supplies.cast.expendable.includes(person)) return
  await keepUp(supplies.cast)
  await supplied(supplies, person, path)
}

function shuffled(
  operations: readonly Operation[],
  { seed, round, count }: { seed: number; round: number; count: number },
): Planned[] {
  return operations
    .flatMap((operation) =>
      Array.from({ length: count }, (_, at) => ({
        operation,
        seed: seedOf(seed, operation.title, round, at),
        order: seedOf(seed, 'order', operation.title, round, at),
      })),
    )
    .toSorted((a, b) => a.order - b.order)
}

function whoAsks({ people, expendable }: Cast, { operation, seed }: Planned): Person {
  const draw = drawing(seedOf(seed, 'who'))
  const { admin, user, friend, stranger } = people
  if (operation.path.startsWith('/api/admin')) return draw.percent(92) ? admin : user
  if (isRisky(operation)) return draw.oneOf(expendable) ?? user
  return draw.pick([user, user, user, friend, friend, stranger, admin])
}

function exampleOf({ sent, status, text }: Answer, { log }: Cast): string {
  const failure = status >= 500 ? `\n    ${log.failures.at(-1)?.slice(0, 2000) ?? ''}` : ''
  return `${shownOf(sent)}\n    → ${text.slice(0, 400)}${failure}`
}
