import { documentOf, operationsOf } from '../support/openapi'
import {
  type Drafted,
  commandSeed,
  draftCommand,
  drawOf,
  isBatched,
  isReferring,
  madeBy,
  schemaOf,
} from './batch-commands'
import { type Cast, keepUp, type Person, startCast } from './cast'
import { drawing, seedOf } from './draw'
import { drive, type Run, watched } from './driver'
import type { Extent, Findings, Outcome } from './findings'
import { type Answer, type Judge, judging } from './judge'
import { ABSENT, type Operation } from './requests'
import { send, shownOf } from './sending'
import { spoilt, spoiltText } from './spoiling'
import { lookAround, type Supplies } from './supply'

const KEEP_UP_EVERY = 25
const LOOK_EVERY = 100

/** A batch that is sent, and the commands in it; none where the envelope is broken. */
interface Batch {
  readonly answer: Answer
  readonly drafted: readonly Drafted[]
}

interface Result {
  readonly key: string
  readonly status: number
  readonly body: unknown
}

/** What stays the same for all batches of a run. */
interface Scene {
  readonly supplies: Supplies
  readonly batched: readonly Operation[]
  readonly forbidden: readonly Operation[]
  readonly operation: Operation
  readonly judge: Judge
  readonly keys: string[]
  readonly cursors: string[]
}

/**
 * Sends so many batches of generated commands, with references, cycles, keys of others and places in the journal, some of them
 * twice, and judges each answer in them as if its command had come alone.
 */
export async function fuzzBatch(extent: Extent): Promise<Outcome> {
  const cast = await startCast()
  const { h, log } = cast
  try {
    const scene = await sceneOf(cast, extent.seed)
    const step = async (run: Run, number: number) => {
      const seed = seedOf(extent.seed, 'batch', number)
      const isWatched = number % LOOK_EVERY === LOOK_EVERY - 1
      const sending = () => sendBatch(cast, scene, seed)
      const { answer: batch, left } = await watched(
        run,
        isWatched,
        sending,
        ({ answer }) => answer.status >= 400,
      )
      count(run.findings, batch)
      const problems = await problemsOf(cast, scene, batch, seed)
      for (const what of [...problems, ...left.map((table) => `a refused batch leaves rows in ${table}`)])
        run.findings.note(what, exampleOf(batch, cast))
      h.clock.advance({ seconds: 7 })
      if (number % KEEP_UP_EVERY === 0) await keepUp(cast)
    }
    return await drive(extent, { h, log, unit: 'batches', lookEvery: LOOK_EVERY, step })
  } finally {
    await h[Symbol.asyncDispose]()
  }
}

async function sceneOf(cast: Cast, seed: number): Promise<Scene> {
  const document = await documentOf(cast.h.app.fetch)
  const operations = operationsOf(document)
  const operation = operations.find(({ title }) => title === 'POST /api/batch')
  if (!operation) throw new Error('the document has no batches')
  const supplies = { cast, operations, schemas: document.components.schemas, seed, attempts: 4 }
  for (const person of Object.values(cast.people)) await lookAround(supplies, person)
  return {
    supplies,
    batched: operations.filter(isBatched),
    forbidden: operations.filter((one) => !isBatched(one)),
    operation,
    judge: judging(document),
    keys: [],
    cursors: [],
  }
}

const personFor = ({ people }: Cast, seed: number): Person => {
  const { user, friend, stranger } = people
  return drawing(seedOf(seed, 'who')).pick([user, user, user, friend, stranger])
}

async function draft(cast: Cast, scene: Scene, seed: number): Promise<Drafted[]> {
  const { supplies, batched, forbidden, keys } = scene
  const size = drawing(seedOf(seed, 'size'))
  const length = size.pick([1, 2, 3, 5, 8, 13, size.percent(5) ? 100 : 4])
  const person = personFor(cast, seed)
  const drafted: Drafted[] = []
  for (let at = 0; at < length; at++) {
    const draw = drawOf(seed, at)
    const made = drafted.flatMap((one) => {
      const names = madeBy(one)
      return names ? [names] : []
    })
    const operation = draw.oneOf(draw.percent(5) ? forbidden : preferred(draw.percent(45), batched))
    if (!operation) continue
    const setting = { cast, person, schemas: supplies.schemas, seed: commandSeed(seed, at) }
    const own = drafted.map(({ command }) => String(command.key))
    drafted.push(await draftCommand(operation, setting, { draw, at, made, keys: [...keys, ...own] }))
  }
  return drafted
}

/** Something that makes a record, to which others may refer. */
const preferred = (isMaking: boolean, operations: readonly Operation[]) =>
  isMaking ? operations.filter(({ method, path }) => method === 'POST' && !/\}\/\w+$/.test(path)) : operations

async function sendBatch(cast: Cast, scene: Scene, seed: number): Promise<Batch> {
  const draw = drawing(seedOf(seed, 'envelope'))
  const drafted = await draft(cast, scene, seed)
  const person = personFor(cast, seed)
  const whole = {
    commands: drafted.map(({ command }) => command),
    ...(draw.percent(25) && { since: sinceOf(scene, draw.percent(75), draw.nat(5)) }),
  }
  const site = {
    draw,
    marker: 'zqmark0',
    schemas: scene.supplies.schemas,
    now: cast.h.clock.now(),
    suggest: () => [],
  }
  const isBroken = draw.percent(12)
  const body = isBroken ? spoilt(site, schemaOf(scene.operation), whole) : whole
  const text = JSON.stringify(body) ?? ''
  const sent = {
    operation: scene.operation,
    person,
    ids: [],
    query: '',
    headers: { cookie: `session=${person.token}`, 'content-type': 'application/json' },
    body: isBroken && draw.percent(30) ? spoiltText(site, text) : text,
  }
  const answer = await send(cast, sent)
  return { answer, drafted: isBroken ? [] : drafted }
}

/** A place in the journal, of the person or of somebody else, or what is none. */
function sinceOf({ cursors }: Scene, isKnown: boolean, at: number): string {
  const known = cursors[at % Math.max(1, cursors.length)]
  if (isKnown && known !== undefined) return known
  return (
    ['now', 'x', '1*0*1*-*u1-1', `${known ?? ''}x`, known?.replace(/\d/, '9') ?? 'y', '\u0000'][at] ?? 'now'
  )
}

const resultsOf = ({ answer }: Batch): readonly Result[] =>
  answer.status === 200 ? (JSON.parse(answer.text) as { results: Result[] }).results : []

function count(findings: Findings, batch: Batch): void {
  findings.count('batch', batch.answer.status)
  for (const { status } of resultsOf(batch)) findings.count('command', status)
}

async function problemsOf(cast: Cast, scene: Scene, batch: Batch, seed: number): Promise<string[]> {
  const { answer, drafted } = batch
  const problems = scene.judge(answer).map((what) => `batch ${answer.status}: ${what}`)
  const results = resultsOf(batch)
  if (answer.status !== 200 || drafted.length === 0) return problems
  remember(scene, batch)
  if (results.map(({ key }) => key).join() !== drafted.map(({ command }) => String(command.key)).join())
    problems.push('the results are not those of the commands')
  for (const [at, one] of drafted.entries()) {
    const result = results[at]
    if (result) problems.push(...judgeResult(scene, one, result))
  }
  if (drawing(seedOf(seed, 'again')).percent(15)) problems.push(...(await again(cast, batch)))
  return problems
}

/** As the headers of an answer would be that had come alone. */
const HEADERS = {
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'x-request-id': 'x',
  'cache-control': 'no-store',
}

function judgeResult({ judge }: Scene, drafted: Drafted, result: Result): string[] {
  const { sent, command } = drafted
  const { status, body } = result
  const { title, method } = sent.operation
  if (status === 424) return isReferring(drafted) ? [] : [`${title} 424: refers to nothing`]
  if (isRefusedUnsent(drafted, result)) return []
  if (command.method !== method) return [`another method answers ${status}`]
  if (!isBatched(sent.operation)) return isHarmless(status) ? [] : [`${title} ${status}: is run in a batch`]
  return judgeAlone(judge, sent, { status, body })
}

/** As if it had come alone. */
function judgeAlone(judge: Judge, sent: Drafted['sent'], { status, body }: Omit<Result, 'key'>): string[] {
  const { title, operation } = sent.operation
  const [mediaType] = Object.keys(operation.responses[String(status)]?.content ?? {})
  if (status < 300 && mediaType !== undefined && mediaType !== 'application/json') return []
  const text = body === null && mediaType === undefined ? '' : JSON.stringify(body)
  const headers = new Headers({ ...HEADERS, 'content-type': 'application/json' })
  return judge({ sent, status, headers, text }).map((what) => `${title} ${status} in a batch: ${what}`)
}

/** Too late, or no request to this API. */
const isRefusedUnsent = (drafted: Drafted, { status }: Result): boolean =>
  status === 425 || (status === 422 && isOdd(drafted))

const isOdd = (drafted: Drafted): boolean =>
  !isBatched(drafted.sent.operation) ||
  isReferring(drafted) ||
  drafted.command.method !== drafted.sent.operation.method

/** Of something that no batch may hold. */
const isHarmless = (status: number): boolean => status >= 400 && status < 500

/** Keys, places and records for batches to come. */
function remember(scene: Scene, { answer, drafted }: Batch): void {
  const { changes } = JSON.parse(answer.text) as { changes?: { next: string } }
  if (changes) scene.cursors.push(changes.next)
  scene.keys.push(...drafted.map(({ command }) => String(command.key)))
  scene.keys.splice(0, Math.max(0, scene.keys.length - 60))
  scene.cursors.splice(0, Math.max(0, scene.cursors.length - 20))
  const results = resultsOf({ answer, drafted })
  for (const [at, { sent }] of drafted.entries()) {
    const result = results[at]
    const { person, operation, ids } = sent
    const isKnown = ids.every((id) => id !== ABSENT)
    if (result && result.status < 300 && isKnown) person.pool.harvest({ ...operation, ids }, result.body)
  }
}

const idOf = (body: unknown): unknown =>
  typeof body === 'object' && body !== null && 'id' in body ? body.id : undefined

/** The same batch once more: what it made is the same, or is gone since, and nothing is made twice. */
async function again(cast: Cast, batch: Batch): Promise<string[]> {
  const answer = await send(cast, batch.answer.sent)
  if (answer.status !== 200) return answer.status === 410 ? [] : [`a repeated batch is ${answer.status}`]
  const second = resultsOf({ answer, drafted: [] })
  const keys = batch.drafted.map(({ command }) => String(command.key).replaceAll(/^"|"$/g, ''))
  return resultsOf(batch).flatMap(({ status, body }, at) => {
    const isOnce = keys.indexOf(keys[at] ?? '') === keys.lastIndexOf(keys[at] ?? '')
    const other = second[at]
    if (status !== 201 || !isOnce || !other) return []
    const isSame = other.status === 201 && idOf(other.body) === idOf(body)
    return isSame || other.status === 410
      ? []
      : [`${batch.drafted[at]?.sent.operation.title} is repeated as ${other.status}`]
  })
}

function exampleOf({ answer }: Batch, { log }: Cast): string {
  const failure = /"status":5\d\d|^.{0,40}Internal/.test(answer.text)
    ? `\n    ${log.failures.at(-1) ?? ''}`
    : ''
  return `${shownOf(answer.sent)}\n    → ${answer.text.slice(0, 1500)}${failure.slice(0, 2000)}`
}
