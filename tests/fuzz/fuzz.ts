import { documentOf, operationsOf } from '../support/openapi'
import { type Cast, keepUp, newcomer, type Person, startCast } from './cast'
import { drawing, seedOf } from './draw'
import { goesOn } from './driver'
import type { Extent, Finding } from './findings'
import { type Answer, judging, Tally } from './judge'
import { type Operation, pathWith, requestFor } from './requests'
import { isRisky, settle } from './sending'
import { lookAround, type Supplies, supplied } from './supply'

/** In rounds of so many requests for each operation, so that every operation meets what the others left. */
const PER_ROUND = 5

/**
 * Sends every operation of the service's own document so many requests, good and bad ones, from people who have records,
 * and holds every answer against the document. The same seed sends the same requests again.
 */
export async function fuzz(extent: Extent) {
  const { seed, requests, tell = () => {} } = extent
  const cast = await startCast()
  try {
    const document = await documentOf(cast.h.app.fetch)
    const operations = operationsOf(document)
    const judge = judging(document)
    const supplies = { cast, operations, schemas: document.components.schemas, seed, attempts: 4 }
    for (const person of Object.values(cast.people)) await lookAround(supplies, person)
    const tally = new Tally(operations)
    const findings = new Map<string, Finding>()
    for (let round = 0; goesOn(extent, round * PER_ROUND); round++) {
      const count = Math.min(PER_ROUND, requests - round * PER_ROUND)
      for (const { operation, at } of shuffled(operations, { seed, round, count })) {
        const requestSeed = seedOf(seed, operation.title, round, at)
        const person = whoAsks(cast, operation, requestSeed)
        await equip(supplies, person, operation)
        const sent = await requestFor(operation, { ...supplies, person, seed: requestSeed })
        const answer = await settle(cast, sent)
        tally.count(answer)
        for (const what of judge(answer)) {
          const finding = note(findings, what, answer, cast)
          if (finding.count === 1) tell(`found: ${finding.what}\n    ${finding.example}`)
        }
      }
      if (round % 10 === 9) tell(`${(round + 1) * PER_ROUND} requests for each operation`)
      if (round % 4 === 3) cast.expendable[(round >> 2) % 3] = await newcomer(cast.h, round >> 2)
      await keepUp(cast)
      cast.h.clock.advance({ minutes: round % 7 === 6 ? 600 : 3 })
    }
    return { tally, findings: [...findings.values()] }
  } finally {
    await cast.h[Symbol.asyncDispose]()
  }
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
) {
  return operations
    .flatMap((operation) =>
      Array.from({ length: count }, (_, at) => ({
        operation,
        at,
        order: seedOf(seed, 'order', operation.title, round, at),
      })),
    )
    .toSorted((a, b) => a.order - b.order)
}

function whoAsks({ people, expendable }: Cast, operation: Operation, seed: number): Person {
  const draw = drawing(seedOf(seed, 'who'))
  const { admin, user, friend, stranger } = people
  if (operation.path.startsWith('/api/admin')) return draw.percent(92) ? admin : user
  if (isRisky(operation)) return draw.oneOf(expendable) ?? user
  return draw.pick([user, user, user, friend, friend, stranger, admin])
}

function note(
  findings: Map<string, Finding>,
  what: string,
  { sent, status, text }: Answer,
  { log }: Cast,
): Finding {
  const title = `${sent.operation.title} ${status}: ${what}`
  const known = findings.get(title)
  if (known) {
    known.count++
    return known
  }
  const failure = status >= 500 ? `\n    ${log.failures.at(-1)?.slice(0, 2000) ?? ''}` : ''
  const body = typeof sent.body === 'string' ? sent.body : `${sent.body?.length ?? 0} bytes`
  const path = `${pathWith(sent.operation.path, sent.ids).slice(0, 300)}${sent.query.slice(0, 400)}`
  const example = `${path} ${body.slice(0, 600)}\n    → ${text.slice(0, 400)}${failure}`
  const finding = { what: title, example, count: 1 }
  findings.set(title, finding)
  return finding
}
