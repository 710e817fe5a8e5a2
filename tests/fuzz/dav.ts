import { syncOf } from '../support/dav'
import { ALL_KINDS } from '../support/dav-kinds'
import { type Harness, startHarness } from '../support/harness'
import { FailureLog } from './cast'
import { callersOf } from './dav-cast'
import { type Caller, type DavRequest, davRequest } from './dav-requests'
import { type DavAnswer, judgeDav } from './dav-judge'
import { drawing, seedOf } from './draw'

interface Options {
  readonly seed: number
  readonly requests: number
  readonly tell?: (line: string) => void
}

interface Finding {
  readonly what: string
  readonly example: string
  count: number
}

/** Findings by kind, and how often each method was answered how. */
class Findings {
  readonly kinds = new Map<string, Finding>()
  readonly statuses = new Map<string, Map<number, number>>()
  readonly #tell: (line: string) => void

  constructor(tell: (line: string) => void) {
    this.#tell = tell
  }

  note(what: string, example: string): void {
    const finding = this.kinds.get(what) ?? { what, example, count: 0 }
    if (++finding.count === 1) this.#tell(`found: ${what}\n    ${example}`)
    this.kinds.set(what, finding)
  }

  count({ request: { method }, status }: DavAnswer): void {
    const counts = this.statuses.get(method) ?? new Map<number, number>()
    this.statuses.set(method, counts.set(status, (counts.get(status) ?? 0) + 1))
  }
}

/**
 * Sends so many requests to /dav, good and bad ones, from an owner, a member of what they share, a client that only reads, and a
 * stranger, and judges every answer. The same seed sends the same requests again.
 */
export async function fuzzDav({ seed, requests, tell = () => {} }: Options) {
  const log = new FailureLog()
  await using h = await startHarness({
    env: { DAV_ALLOW_HTTP: 'on', AUTH_RATE_LIMIT: 'off' },
    deps: { log },
  })
  h.peer.address = '127.0.0.1'
  const callers = await callersOf(h)
  const findings = new Findings(tell)
  for (let number = 1; number <= requests; number++) {
    const requestSeed = seedOf(seed, 'dav', number)
    const caller = drawing(seedOf(requestSeed, 'who')).pick(callers)
    const answer = await send(h, davRequest(requestSeed, caller))
    findings.count(answer)
    learn(answer)
    for (const what of [...judgeDav(answer), ...(await readBack(h, answer))])
      findings.note(
        `${answer.request.method} ${answer.status}: ${what}`,
        exampleOf(answer, log.failures.at(-1)),
      )
    h.clock.advance({ seconds: 1 })
    if (number % 100 !== 0) continue
    for (const what of await whole(h, caller)) findings.note(what, `after ${number} requests`)
    if (number % 1000 === 0) tell(`${number} requests to /dav`)
  }
  for (const failure of log.failures) findings.note(`logged: ${failure.slice(0, 60)}`, failure.slice(0, 2000))
  return { findings: [...findings.kinds.values()], statuses: findings.statuses }
}

async function send(h: Harness, request: DavRequest): Promise<DavAnswer> {
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

function exampleOf({ request, status, bytes }: DavAnswer, failure: string | undefined): string {
  const { method, path, headers, body } = request
  const sent = new TextDecoder().decode(body ?? new Uint8Array()).slice(0, 1500)
  const { authorization: _, ...shown } = headers
  const said = new TextDecoder().decode(bytes).slice(0, 600)
  const why = status >= 500 && failure !== undefined ? `\n    ${failure.slice(0, 2000)}` : ''
  return `${method} ${path.slice(0, 300)} ${JSON.stringify(shown)}\n    ${sent}\n    → ${said}${why}`
}
