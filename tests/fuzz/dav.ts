import { syncOf } from '../support/dav'
import { ALL_KINDS } from '../support/dav-kinds'
import { type Harness, startHarness } from '../support/harness'
import { FailureLog } from './cast'
import { callersOf } from './dav-cast'
import { type Caller, type DavRequest, davRequest } from './dav-requests'
import { type DavAnswer, judgeDav } from './dav-judge'
import { drawing, seedOf } from './draw'
import { drive, type Run, watched } from './driver'
import { ending, type Extent, type Outcome } from './findings'

/**
 * Sends so many requests to /dav, good and bad ones, from an owner, a member of what they share, a client that only reads, and a
 * stranger, and judges every answer. The same seed sends the same requests again.
 */
export async function fuzzDav(extent: Extent): Promise<Outcome> {
  const log = new FailureLog()
  await using h = await startHarness({
    env: { DAV_ALLOW_HTTP: 'on', AUTH_RATE_LIMIT: 'off' },
    deps: { log },
  })
  h.peer.address = '127.0.0.1'
  const callers = await callersOf(h)
  const step = async (run: Run, before: number) => {
    const number = before + 1
    const seed = seedOf(extent.seed, 'dav', number)
    const caller = drawing(seedOf(seed, 'who')).pick(callers)
    const sending = () => send(h, davRequest(seed, caller))
    const isWatched = number % LOOK_EVERY === LOOK_EVERY / 2
    const { answer, left } = await watched(run, isWatched, sending, ({ status }) => status >= 400)
    const { findings } = run
    findings.count(answer.request.method, answer.status)
    learn(answer)
    const problems = [...judgeDav(answer), ...(await readBack(h, answer))]
    for (const what of [...problems, ...left.map((table) => `leaves rows in ${table}`)])
      findings.note(
        `${answer.request.method} ${answer.status}: ${what}`,
        exampleOf(answer, log.failures.at(-1)),
      )
    h.clock.advance({ seconds: 1 })
    const isTime = number % LOOK_EVERY === 0
    for (const what of isTime ? await whole(h, caller) : []) findings.note(what, `after ${number} requests`)
  }
  return await drive(extent, { h, log, unit: 'requests to /dav', lookEvery: LOOK_EVERY, step })
}

const LOOK_EVERY = 100

const send = (h: Harness, request: DavRequest): Promise<DavAnswer> =>
  ending(answerTo(h, request), `${request.method} of /dav`, { example: () => shownOf(request) })

async function answerTo(h: Harness, request: DavRequest): Promise<DavAnswer> {
  const { method, path, headers, body } = request
  const response = await h.app.fetch(
    new Request(`http://localhost${path}`, { method, headers, ...(body && { body }) }),
  )
  const bytes = new Uint8Array(await response.arrayBuffer())
  return { request, status: response.status, headers: response.headers, bytes }
}

const MOST = 60

/** Remembers addresses, tags and tokens that an answer holds, for requests to come. */
function learn({ request: { caller, path, method }, status, headers, bytes }: DavAnswer): void {
  const keep = (list: string[], one: string | undefined | null) => {
    if (one === undefined || one === null || list.includes(one)) return
    list.push(one)
    if (list.length > MOST) list.splice(20, 1)
  }
  if (status >= 300) return
  keep(caller.etags, headers.get('etag'))
  if (method === 'PUT' || method === 'MKCALENDAR' || method === 'MKCOL') keep(caller.hrefs, path)
  const text = new TextDecoder().decode(bytes)
  for (const [, token] of text.matchAll(/(https:\/\/organiser\.invalid[^<]*)/g)) keep(caller.tokens, token)
  for (const [, href] of text.matchAll(/<d:href>(\/dav\/[^<&]*)<\/d:href>/g)) keep(caller.hrefs, href)
}

/** What was put by an owner is given back byte for byte. */
async function readBack(h: Harness, { request, status }: DavAnswer): Promise<string[]> {
  const { method, path, caller, body } = request
  if (method !== 'PUT' || status >= 300 || caller.isMember) return []
  const { status: again, bytes } = await send(h, {
    caller,
    method: 'GET',
    path,
    headers: { authorization: caller.authorization },
    body: undefined,
  })
  return again === 200 && Buffer.compare(bytes, body ?? new Uint8Array()) === 0
    ? []
    : [`is given back otherwise: ${again}`]
}

/** The queries of the kinds in a home. */
const queriesIn = (home: string): ReadonlySet<string> =>
  new Set(ALL_KINDS.filter((kind) => home.includes(kind.home)).map(({ query }) => query))

/** Whatever is in the collections of a caller by now, it can be listed, synced and read. */
async function whole(h: Harness, caller: Caller): Promise<string[]> {
  const problems: string[] = []
  const ask = async (method: string, path: string, text?: string): Promise<string> => {
    const headers = { authorization: caller.authorization, depth: '1' }
    const body = text === undefined ? undefined : new Uint8Array(Buffer.from(text))
    const answer = await send(h, { caller, method, path, headers, body })
    if (answer.status !== 207) problems.push(`${method} of a collection answers ${answer.status}`)
    problems.push(...judgeDav(answer))
    return new TextDecoder().decode(answer.bytes)
  }
  for (const home of new Set(ALL_KINDS.map((kind) => `/dav/${kind.home}/${caller.id}/`))) {
    const listed = [...(await ask('PROPFIND', home)).matchAll(/<d:response><d:href>([^<]*)<\/d:href>/g)]
    for (const href of listed.flatMap(([, one]) => (one === undefined || one === home ? [] : one))) {
      await ask('REPORT', href, syncOf(''))
      await ask('PROPFIND', href)
      for (const query of queriesIn(home)) await ask('REPORT', href, query)
    }
  }
  return problems
}

function shownOf({ method, path, headers, body }: DavRequest): string {
  const text = new TextDecoder().decode(body).slice(0, 1500)
  const { authorization: _, ...shown } = headers
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(shown)}\n    ${text}`
}

function exampleOf({ request, status, bytes }: DavAnswer, failure: string | undefined): string {
  const said = new TextDecoder().decode(bytes).slice(0, 600)
  const why = status >= 500 && failure !== undefined ? `\n    ${failure.slice(0, 2000)}` : ''
  return `${shownOf(request)}\n    → ${said}${why}`
}
