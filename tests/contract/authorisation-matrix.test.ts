import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Cast, type Person, startCast } from '../fuzz/cast'
import { seedOf } from '../fuzz/draw'
import type { Answer } from '../fuzz/judge'
import { collectionsOf, type Ids } from '../fuzz/pool'
import { ABSENT, corrected, type Operation, requestFor, type Sent } from '../fuzz/requests'
import { fieldsOf, resolve } from '../fuzz/schemas'
import { send } from '../fuzz/sending'
import { type Supplies, supplied } from '../fuzz/supply'
import { checksums } from '../support/checksum'
import { documentOf, operationsOf } from '../support/openapi'
import type { Scope } from '../../src/lib/scopes'
import { ALL_SCOPES, insertToken } from '../support/tokens'
import { CALLERS, isAdministration, isPublic, RECENT, type Refusal } from './authorisation.callers'
import { BEARERS, OF_ALL_AREAS, scopeOf } from './authorisation.tokens'
import { furnish } from './authorisation.records'

setDefaultTimeout(240_000)

let cast: Cast
let supplies: Supplies
let checksum: () => Promise<Record<string, unknown>>
beforeAll(async () => {
  cast = await startCast()
  const document = await documentOf(cast.h.app.fetch)
  supplies = {
    cast,
    operations: operationsOf(document),
    schemas: document.components.schemas,
    seed: 1,
    attempts: 40,
  }
  await furnish(supplies)
  checksum = await checksums(cast.h.db)
})
afterAll(() => cast.h[Symbol.asyncDispose]())

const guarded = () => supplies.operations.filter(({ operation }) => operation.security?.length !== 0)
const personal = () => guarded().filter((operation) => !isAdministration(operation))

/** A good request of the person's for the operation, with a cookie of theirs. */
const goodRequest = (operation: Operation, person: Person, at = 0): Promise<Sent> =>
  requestFor(operation, { ...supplies, person, seed: seedOf(7, operation.title, at), isHonest: true })

const withCookie = (sent: Sent, cookie: string | undefined): Sent => {
  const { cookie: _, ...headers } = sent.headers
  return { ...sent, headers: { ...headers, ...(cookie !== undefined && { cookie }) } }
}

const withToken = (sent: Sent, authorization: string | undefined): Sent =>
  authorization === undefined ? sent : { ...sent, headers: { ...sent.headers, authorization } }

const said = ({ status, text }: Answer) => ({ status, body: JSON.parse(text) as unknown })
const challengeOf = ({ headers }: Answer) => headers.get('www-authenticate')

test('only what the contract leaves open asks for no session', () => {
  const open = supplies.operations.filter(({ operation }) => operation.security?.length === 0)
  expect(open.filter((operation) => !isPublic(operation)).map(({ title }) => title)).toEqual([])
  expect(open.length).toBeGreaterThan(9)
  expect(guarded().length).toBeGreaterThan(100)
})

const EVERYBODY = { ...CALLERS, ...BEARERS }

describe.each(Object.keys(EVERYBODY))('%s', (name) => {
  test('is refused by every operation alike, whatever the body is, and nothing changes', async () => {
    const { user, admin } = cast.people
    const caller = await EVERYBODY[name]?.(cast, user)
    if (!caller) throw new Error('no caller')
    const requests: Array<{ good: Sent; refusal: Refusal }> = []
    for (const operation of guarded()) {
      const refusal = caller.expected(operation)
      const person = isAdministration(operation) ? admin : user
      if (refusal) requests.push({ good: await goodRequest(operation, person), refusal })
    }
    const before = await checksum()
    for (const { good, refusal } of requests) {
      const { title } = good.operation
      const { status, challenge = null, ...body } = refusal
      for (const sent of [good, ...broken(good)]) {
        const answer = await send(cast, withToken(withCookie(sent, caller.cookie), caller.authorization))
        expect({ title, ...said(answer) }).toEqual({ title, status, body })
        expect(challengeOf(answer), title).toBe(challenge)
        expect(answer.headers.getSetCookie(), title).toEqual([])
      }
    }
    expect(await checksum()).toEqual(before)
    await caller.undo?.()
    expect(requests.length).toBeGreaterThanOrEqual(4)
  })
})

/** The same request with bodies that do not parse, or are not what the operation takes. */
const broken = (sent: Sent): Sent[] =>
  sent.operation.method === 'GET'
    ? []
    : [
        { ...sent, body: '{"', headers: { ...sent.headers, 'content-type': 'application/json' } },
        { ...sent, body: 'a=b', headers: { ...sent.headers, 'content-type': 'text/plain' } },
      ]

test('what the contract wants proved anew is there to be refused', () => {
  const titles = new Set(guarded().map(({ title }) => title))
  expect([...RECENT].filter((title) => !titles.has(title))).toEqual([])
})

test('size and origin are judged before the session', async () => {
  const requests: Sent[] = []
  for (const operation of guarded()) requests.push(await goodRequest(operation, cast.people.user))
  const before = await checksum()
  for (const sent of requests) {
    const { title, method } = sent.operation
    const large = withHeaders(sent, { 'content-length': '20000000', origin: 'https://evil.example' })
    expect([title, said(await send(cast, large))]).toEqual([title, TOO_LARGE])
    const foreign = await send(cast, withHeaders(sent, { origin: 'https://evil.example' }))
    expect([title, said(foreign)]).toEqual([title, method === 'GET' ? NOT_AUTHENTICATED : FOREIGN])
  }
  expect(await checksum()).toEqual(before)
})

const TOO_LARGE = { status: 413, body: { detail: 'Request body too large' } }
const FOREIGN = { status: 403, body: { detail: 'Cross-origin request rejected' } }
const NOT_AUTHENTICATED = { status: 401, body: { detail: 'Not authenticated' } }

/** Without a cookie, and with these headers. */
const withHeaders = (sent: Sent, headers: Record<string, string>): Sent => {
  const anonymous = withCookie(sent, undefined)
  return { ...anonymous, headers: { ...anonymous.headers, ...headers } }
}

test('what asks for no session answers a cookie that is worth nothing as it answers none', async () => {
  const open = supplies.operations.filter(({ operation }) => operation.security?.length === 0)
  for (const operation of open) {
    const sent: Sent = { ...(await goodRequest(operation, cast.people.user)), body: undefined, headers: {} }
    const answered = async (cookie?: string) => {
      const { status, text } = await send(cast, withCookie(sent, cookie))
      return [operation.title, status, text.replace(/"challenge":"[^"]+"/, '')]
    }
    const without = await answered()
    expect(await answered('session=garbage')).toEqual(without)
    expect(await answered(`session=${cast.people.user.token}x`)).toEqual(without)
  }
})

/** Everything that may tell two answers apart. */
const bytes = ({ status, headers, text }: Answer) => ({
  status,
  text,
  headers: [...headers].filter(([name]) => name !== 'x-request-id'),
})

/** Ids of the user's records that the stranger knows nothing of. */
function foreignIds(path: string): Ids | undefined {
  const { user, stranger } = cast.people
  const deepest = collectionsOf(path).at(-1) ?? ''
  const known = new Set(stranger.pool.records(deepest).map((ids) => ids.join('/')))
  return user.pool.records(deepest).findLast((ids) => !known.has(ids.join('/')))
}

/** Pairs of paths: one with a record of the user's somewhere, one with no record there. */
function aims(foreign: Ids, own: Ids | undefined): Array<readonly [Ids, Ids]> {
  const whole: readonly [Ids, Ids] = [foreign, foreign.with(0, ABSENT)]
  if (!own || foreign.length === 1) return [whole]
  const last = foreign.length - 1
  return [
    whole,
    [own.with(last, foreign[last] ?? ABSENT), own.with(last, ABSENT)],
    [foreign.with(last, own[last] ?? ABSENT), foreign.with(last, own[last] ?? ABSENT).with(0, ABSENT)],
  ]
}

/** What the stranger is answered, by a body that the operation takes as far as it looks at it. */
async function tried(operation: Operation, aim: (sent: Sent) => Sent): Promise<Answer> {
  const setting = { ...supplies, person: cast.people.stranger, seed: 1 }
  for (let at = 0; ; at++) {
    let sent = aim(await goodRequest(operation, cast.people.stranger, at))
    for (let correction = 0; ; correction++) {
      const answer = await send(cast, sent)
      if (answer.status !== 422 || (at === 20 && correction === 3)) return answer
      if (correction === 3) break
      sent = aim(corrected(setting, answer))
    }
  }
}

describe("somebody else's records", () => {
  test('are there for every operation with an id', () => {
    const missing = personal().filter(({ path }) => path.includes('{') && !foreignIds(path))
    expect(missing.map(({ title }) => title)).toEqual([])
  })

  test('are answered byte by byte as records that do not exist, and nothing changes', async () => {
    for (const operation of personal().filter(({ path }) => path.includes('{'))) {
      const foreign = foreignIds(operation.path)
      if (!foreign) continue
      const own = cast.people.stranger.pool.records(collectionsOf(operation.path).at(-1) ?? '').at(-1)
      const before = await checksum()
      for (const [theirs, absent] of aims(foreign, own)) {
        const answer = await tried(operation, (sent) => ({ ...sent, ids: theirs }))
        const context = `${operation.title} ${theirs.join(' ')}: ${String(answer.sent.body)} → ${answer.text}`
        expect(answer.status, context).toBe(404)
        expect(said(answer).body, context).toEqual({
          detail: expect.stringMatching(/^[A-Z][a-z ]+ not found$/),
        })
        expect(bytes(await send(cast, { ...answer.sent, ids: absent })), context).toEqual(bytes(answer))
      }
      expect({ title: operation.title, ...(await checksum()) }).toEqual({ title: operation.title, ...before })
    }
  })

  test('named in a body or a query are answered as ids that do not exist, and nothing changes', async () => {
    const cases = personal().flatMap((operation) =>
      namedIds(operation).map((named) => ({ operation, ...named })),
    )
    expect(cases.length).toBeGreaterThan(8)
    await spareInvitations(cast.people.stranger)
    for (const { operation, name, isList, place } of cases) {
      const theirs = foreignValue(name)
      const title = `${operation.title} ${name}`
      expect({ title, theirs }).toEqual({ title, theirs: expect.any(Number) })
      await supplied(supplies, cast.people.stranger, operation.path)
      const before = await checksum()
      const naming = (id: number) => (sent: Sent) =>
        withField(sent, { name, place, value: isList ? [id] : id })
      const answer = await tried(operation, naming(theirs ?? 0))
      const context = `${title}: ${String(answer.sent.body)}${answer.sent.query} → ${answer.status} ${answer.text}`
      expect([404, 409], context).toContain(answer.status)
      const absent = await send(cast, naming(Number(ABSENT))(answer.sent))
      expect(bytes(absent), context).toEqual(bytes(answer))
      expect({ title, ...(await checksum()) }).toEqual({ title, ...before })
    }
  })
})

/** Keeps events that the person is invited to out of what they change: that is refused whatever the body names. */
async function spareInvitations({ token, pool }: Person): Promise<void> {
  for (const ids of pool.records('/api/events')) {
    const { body } = await cast.h.request('GET', `/api/events/${ids.join('/')}`, { cookie: token })
    if (body.access === 'owner') continue
    pool.spare('/api/events', ids.join('/'))
    pool.remove('/api/events', ids)
  }
}

interface NamedId {
  readonly name: string
  readonly place: 'body' | 'query'
  readonly isList: boolean
}

/** The fields of an operation that hold ids of records. */
function namedIds({ operation }: Operation): NamedId[] {
  const schema = operation.requestBody?.content['application/json']?.schema
  const inBody = fieldsOf(resolve(supplies, schema)).map(([name]) => ({ name, place: 'body' as const }))
  const inQuery = (operation.parameters ?? [])
    .filter((parameter) => parameter.in === 'query')
    .map(({ name }) => ({ name, place: 'query' as const }))
  return [...inBody, ...inQuery]
    .filter(({ name }) => /_ids?$/.test(name))
    .map((named) => ({ ...named, isList: named.name.endsWith('s') }))
}

/** An id of the user's that a field of this name may hold; for users, the user's own. */
function foreignValue(name: string): number | undefined {
  const { user, stranger } = cast.people
  if (/user_ids?$/.test(name)) return user.id
  const known = new Set(stranger.pool.idsFor(name))
  return user.pool
    .idsFor(name)
    .map(Number)
    .findLast((id) => !known.has(id))
}

function withField(sent: Sent, { name, place, value }: Omit<NamedId, 'isList'> & { value: unknown }): Sent {
  if (place === 'body') {
    const body = typeof sent.body === 'string' ? (JSON.parse(sent.body) as object) : {}
    return { ...sent, body: JSON.stringify({ ...body, [name]: value }) }
  }
  const query = new URLSearchParams(sent.query)
  query.set(name, String(value))
  return { ...sent, query: `?${query.toString()}` }
}

test('a token reaches every operation that names its scope, and the document names the same', async () => {
  const { h, people } = cast
  const reachable = personal().filter((operation) => scopeOf(operation) !== undefined)
  expect(reachable.length).toBeGreaterThan(90)
  for (const operation of guarded()) {
    const needed = scopeOf(operation)
    const { title, operation: described } = operation
    expect([title, described.security]).toEqual([
      title,
      [{ session: [] }, ...(needed ? [{ bearer: [] }] : [])],
    ])
    if (!needed) continue
    const sentence =
      needed === 'any' ? 'Any access token will do.' : `An access token needs the scope \`${needed}\`.`
    expect([title, described.description?.split('\n').at(-1)]).toEqual([title, sentence])
    const any: readonly Scope[] = OF_ALL_AREAS.test(operation.path) ? ALL_SCOPES : ['mcp']
    const { token } = await insertToken(h, people.user.id, { scopes: needed === 'any' ? [...any] : [needed] })
    const good = await goodRequest(operation, people.user)
    const answer = await send(cast, withToken(withCookie(good, undefined), `Bearer ${token}`))
    expect([title, answer.status === 401, answer.text.includes('insufficient_scope')]).toEqual([
      title,
      false,
      false,
    ])
  }
})
