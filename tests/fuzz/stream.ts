import { documentOf } from '../support/openapi'
import { drawing, type Draw, seedOf } from './draw'
import { goesOn } from './driver'
import { type Extent, Findings, type Outcome } from './findings'
import { growthOf } from './growth'
import { judging } from './judge'
import {
  errorsIn,
  handlesOf,
  memoryOf,
  openStreams,
  type Reader,
  sessionOf,
  startStreamServer,
  type StreamServer,
  streamsEnded,
} from './stream-server'
import { eventsIn, type Followed, placeFor, strangers, visit } from './stream-readers'

/** So many at once. */
const WAVE = 8
const [SAMPLE_EVERY, TELL_EVERY] = [10, 125]
/** The service notices within this time that its readers have gone. */
const GONE_MS = 60_000
const STREAMS_OF_USER = 10
/** What may stay open of connections that are kept alive. */
const KEPT_HANDLES = 60
const ALLOWED = new Set([200, 400, 401, 403, 404, 405, 410, 414, 422, 431, 503])

/**
 * Opens so many live updates at a running service, from places real and forged, cut at any time or never read, while their readers
 * write, and judges what arrives: nothing of others, pages as the document has them, an end for every reason, and nothing left.
 */
export async function fuzzStream(extent: Extent): Promise<Outcome> {
  await using stack = new AsyncDisposableStack()
  const { seed, requests, tell = () => {} } = extent
  const server = await startStreamServer(stack)
  const findings = new Findings(tell)
  const judge = await pageJudge(server)
  const { pid } = server.service
  for (const reader of server.readers) await write(server, reader, 0)
  const handles = handlesOf(pid)
  const samples: number[] = []
  const left: Socket[] = []
  let done = 0
  for (let wave = 0; goesOn(extent, done); wave++) {
    const some = Array.from({ length: Math.min(WAVE, requests - done) }, (_, at) => at)
    const following = some.map((at) =>
      follow(server, findings, { judge, left, seed: seedOf(seed, 'stream', wave, at) }),
    )
    await Promise.all(following)
    done += some.length
    await lookAt(server, findings).catch((error: unknown) =>
      findings.noteThrown(error, `after ${done} streams`),
    )
    if (wave % SAMPLE_EVERY === 0) samples.push(memoryOf(pid))
    if (wave % TELL_EVERY === 0) tell(`${done} streams`)
  }
  for (const socket of left) socket.cut()
  await lookBack(server, findings, { handles, samples })
  return { requests: done, findings: [...findings.kinds.values()], statuses: findings.statuses }
}

/** Once all readers have gone. */
async function lookBack(
  server: StreamServer,
  findings: Findings,
  { handles, samples }: { handles: number; samples: readonly number[] },
): Promise<void> {
  await streamsEnded(server, GONE_MS).catch(() =>
    findings.note('streams stay open', 'after their readers left'),
  )
  const more = handlesOf(server.service.pid) - handles
  if (more > KEPT_HANDLES) findings.note('connections stay open', `${more} more than before`)
  for (const problem of [growthOf(samples) ?? '', server.service.stderr])
    if (problem !== '') findings.note(problem.slice(0, 100), problem.slice(0, 2000))
  findings.noteLogged(errorsIn(server.service.stdout))
}

async function lookAt(server: StreamServer, findings: Findings): Promise<void> {
  const open = await openStreams(server)
  if (open > STREAMS_OF_USER * server.readers.length)
    findings.note('a user has too many streams', `${open} are open`)
}

type PageJudge = (page: unknown) => string[]

/** Holds a page of changes against the document. */
async function pageJudge({ h }: StreamServer): Promise<PageJudge> {
  const document = await documentOf(h.app.fetch)
  const operation = document.paths['/api/changes']?.['get']
  if (!operation) throw new Error('the document has no changes')
  const judge = judging(document)
  const sent = {
    operation: { method: 'GET', path: '/api/changes', title: 'GET /api/changes', operation },
    person: {} as never,
    ids: [],
    query: '',
    headers: {},
    body: undefined,
  }
  const headers = new Headers({
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'x-request-id': 'x',
    'cache-control': 'no-store',
  })
  return (page) => judge({ sent, status: 200, headers, text: JSON.stringify(page) })
}

/** Something new of the reader's; answers words that the stream must tell. */
async function write(server: StreamServer, reader: Reader, number: number): Promise<string> {
  const title = `${reader.word} ${number}`
  const response = await server.service.post('/api/todos', { title }, sessionOf(reader))
  if (response.status !== 201) throw new Error(`a todo answers ${response.status}`)
  const { id } = (await response.json()) as { id: number }
  return `"type":"todo","id":${id},`
}

interface Turn {
  readonly judge: PageJudge
  readonly left: Socket[]
  readonly seed: number
}

async function follow(server: StreamServer, findings: Findings, { judge, seed, left }: Turn): Promise<void> {
  const draw = drawing(seed)
  const reader = draw.pick(server.readers)
  if (draw.percent(20)) return cutOff(server, findings, { reader, draw, left })
  const others = server.readers.filter((other) => other !== reader)
  const { query, headers, isKnown } = placeFor(draw, reader, others)
  const { credential, isLetIn, isWhole } = credentialFor(draw, reader)
  const method = draw.percent(96) ? 'GET' : draw.pick(['POST', 'HEAD', 'PUT', 'DELETE'])
  const isWriting = isWhole && isKnown && method === 'GET' && draw.percent(60)
  const example = `${method} ${query.slice(0, 300)} ${JSON.stringify(headers).slice(0, 300)}`
  try {
    const followed = await visit(server, {
      method,
      query,
      headers: { ...headers, ...credential },
      isEnough: enough(draw, isKnown),
      ...(isWriting && { write: () => write(server, reader, seed) }),
    })
    findings.count(isLetIn ? method : `${method} of nobody`, followed.status)
    for (const what of judgeStream(followed, { judge, isLetIn, isKnown, others }))
      findings.note(what, `${example}\n    → ${followed.status} ${followed.text.slice(0, 800)}`)
    learn(reader, followed)
  } catch (error) {
    findings.note(String(error).slice(0, 40), `${example}\n    ${String(error)}`)
  }
}

/** Whether it lets in, and lets everything be read that is written. */
function credentialFor(draw: Draw, { good, bad }: Reader) {
  if (!draw.percent(85)) return { credential: draw.pick(bad), isLetIn: false, isWhole: false }
  const isWhole = draw.percent(70)
  return { credential: isWhole ? good[0] : draw.pick(good), isLetIn: true, isWhole }
}

/** A forged place is read to the end that it has to have. */
const enough = (draw: Draw, isKnown: boolean): ((text: string) => boolean) => {
  if (!isKnown) return () => false
  return draw.percent(30) ? (text) => text.length > 0 : (text) => text.includes('event: ready')
}

type Socket = ReturnType<typeof strangers>[number]
/** The most that are open without being read. */
const MOST_LEFT = 15

interface Visited {
  readonly reader: Reader
  readonly draw: Draw
  readonly left: Socket[]
}

async function cutOff(
  server: StreamServer,
  findings: Findings,
  { reader, draw, left }: Visited,
): Promise<void> {
  const sockets = strangers(server, reader, draw)
  findings.count('cut', sockets.length)
  await Bun.sleep(draw.pick([0, 0, 1, 5, 30]))
  // Some go on without reading until their user has newer streams.
  for (const socket of sockets) {
    if (draw.percent(90)) socket.cut()
    else left.push(socket)
  }
  if (left.length > MOST_LEFT) left.shift()?.cut()
}

interface Expected {
  readonly judge: PageJudge
  readonly isLetIn: boolean
  readonly isKnown: boolean
  readonly others: readonly Reader[]
}

function judgeStream(followed: Followed, expected: Expected): string[] {
  const { status, headers, text, hasArrived } = followed
  const isStream = status === 200 && headers.get('content-type')?.startsWith('text/event-stream')
  return [
    ...statusProblems(followed, expected),
    ...(expected.others.some(({ word }) => text.includes(word)) ? ["tells somebody else's"] : []),
    ...(hasArrived === false && !text.includes('"reason":"replaced"')
      ? ['does not tell what was written']
      : []),
    ...(isStream ? eventProblems(text, expected) : []),
  ]
}

function statusProblems({ status, headers }: Followed, { isLetIn }: Expected): string[] {
  return [
    ...(ALLOWED.has(status) ? [] : [`is answered ${status}`]),
    ...(status === 503 && !headers.has('retry-after') ? ['has no retry-after'] : []),
    ...(headers.has('x-request-id') ? [] : ['has no x-request-id']),
    ...(!isLetIn && status < 400 ? ['lets nobody in'] : []),
  ]
}

function eventProblems(text: string, { judge, isKnown }: Expected): string[] {
  const events = eventsIn(text)
  const whole = events.filter((event) => event !== undefined)
  const end = whole.findIndex(({ name }) => name === 'end')
  const pages = whole.filter(({ name }) => name === 'changes')
  return [
    ...(whole.length < events.length ? ['has something that is no event'] : []),
    ...(whole[0] && whole[0].name !== 'ready' ? ['does not begin with ready'] : []),
    ...(end !== -1 && end !== whole.length - 1 ? ['goes on after its end'] : []),
    ...(!isKnown && pages.length > 0 ? ['follows from a forged place'] : []),
    ...pages.flatMap(({ data, id }) => [
      ...judge(data).map((what) => `a page ${what}`),
      ...((data as { next: string }).next === id ? [] : ['has an id that is not its next']),
    ]),
  ]
}

const KEPT = 30

function learn(reader: Reader, { text }: Followed): void {
  for (const event of eventsIn(text)) {
    if (event?.id === undefined) continue
    reader.cursors.push(event.id)
    if (reader.cursors.length > KEPT) reader.cursors.shift()
  }
}
