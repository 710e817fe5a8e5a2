import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { accessTokens, sessions, users } from '../../../../src/db/schema'
import { addDays } from '../../../../src/lib/time/time'
import { auditOf } from '../../../support/accounts'
import { type Actor, startHarness } from '../../../support/harness'
import { raceOf, statusesOf } from '../../../support/racing'
import { createTodo } from '../../../support/records'
import { until } from '../../../support/service'
import { observed } from '../../../support/statements'
import { createToken, programOf } from '../../../support/tokens'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const CHALLENGE = 'Bearer realm="organiser", error="invalid_token"'
const INVALID = [401, { detail: 'Invalid or expired access token' }, CHALLENGE]
const TODOS = '/api/todos'

/** The answer to a request with this `Authorization`, and a good cookie beside it. */
async function answered(ada: Actor, authorization: string) {
  const sent = await ada.request('GET', TODOS, { headers: { authorization } })
  expect(sent.headers.getSetCookie()).toEqual([])
  return [sent.status, sent.body, sent.headers.get('www-authenticate')]
}

describe('an access token', () => {
  test('acts for its user as a session does', async () => {
    const ada = await h.signedIn()
    const program = programOf(h, (await createToken(ada, ['tasks:write'])).token)
    const made = await program('POST', TODOS, { body: { title: 'Water the plants' } })
    expect(made.status).toBe(201)
    expect((await ada.request('GET', TODOS)).body.todos).toEqual((await program('GET', TODOS)).body.todos)
    const changed = await program('PUT', `${TODOS}/${made.body.id}`, {
      body: { title: 'Done' },
      headers: { 'if-match': '"1"' },
    })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
  })

  test('with a scope that there is not is allowed nothing by it, and an app password lets in nobody', async () => {
    const ada = await h.signedIn()
    const program = programOf(h, (await createToken(ada, ['tasks:read'])).token)
    const dashboard = async () => (await program('GET', '/api/dashboard')).status
    expect(await dashboard()).toBe(403)
    await h.db.update(accessTokens).set({ scopes: ['tasks:read', 'overview:write'] })
    expect(await dashboard()).toBe(403)
    await h.db.update(accessTokens).set({ scopes: ['dav', 'overview:read'] })
    expect(await dashboard()).toBe(401)
  })

  test('is read whatever the case of its scheme', async () => {
    const ada = await h.signedIn()
    const { token } = await createToken(ada)
    for (const scheme of ['bearer', 'BEARER', 'Bearer  ']) {
      const { status } = await h.request('GET', TODOS, { headers: { authorization: `${scheme} ${token}` } })
      expect([scheme, status]).toEqual([scheme, 200])
    }
  })

  test('that is missing, malformed or not alone lets nobody in, not even by the cookie beside it', async () => {
    const ada = await h.signedIn()
    const { token } = await createToken(ada)
    const wrong = [
      '',
      'Bearer',
      'Bearer ',
      token,
      `Bearer ${token.toUpperCase()}`,
      `Bearer ${token.slice(0, -1)}`,
      `Bearer ${token}, Bearer ${token}`,
      `Bearer ${token} ${token}`,
      `Bearer ${token},`,
      `Basic ${btoa(`${ada.row.username}:${token}`)}`,
      `Token ${token}`,
      `Bearer session=${ada.token}`,
    ]
    for (const one of wrong) expect([one, ...(await answered(ada, one))]).toEqual([one, ...INVALID])
  })

  test('that is unknown, revoked or expired, or is an app password, is answered alike', async () => {
    const ada = await h.signedIn()
    const gone = await createToken(ada)
    await h.db.delete(accessTokens)
    const expired = await createToken(ada, undefined, { expires_in_days: 1 })
    await h.db.update(accessTokens).set({ expiresAt: h.clock.now() })
    const app = await createToken(ada, ['dav', 'tasks:write', 'overview:read'])
    for (const { token } of [gone, expired, app]) {
      expect(await answered(ada, `Bearer ${token}`)).toEqual(INVALID)
    }
  })

  test('of a user who is deactivated or deleted is answered alike, however it was used before', async () => {
    const [ada, bob, admin] = [await h.signedIn(), await h.signedIn(), await h.signedIn({ role: 'admin' })]
    const { token } = await createToken(bob)
    expect((await answered(ada, `Bearer ${token}`))[0]).toBe(200)
    await h.db.update(users).set({ isActive: false }).where(eq(users.id, bob.row.id))
    expect(await answered(ada, `Bearer ${token}`)).toEqual(INVALID)
    await h.db.update(users).set({ isActive: true }).where(eq(users.id, bob.row.id))
    await admin.request('DELETE', `/api/admin/users/${bob.row.id}`)
    expect(await answered(ada, `Bearer ${token}`)).toEqual(INVALID)
    expect(await h.db.$count(accessTokens)).toBe(0)
  })

  test('expires at its hour', async () => {
    const ada = await h.signedIn()
    const { token } = await createToken(ada, undefined, { expires_in_days: 7 })
    h.clock.advance({ days: 7, ms: -1 })
    expect((await programOf(h, token)('GET', TODOS)).status).toBe(200)
    h.clock.advance({ ms: 1 })
    expect((await programOf(h, token)('GET', TODOS)).status).toBe(401)
  })

  test('needs no origin of ours, as no browser sends it by itself', async () => {
    const ada = await h.signedIn()
    const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' }
    const program = programOf(h, (await createToken(ada)).token)
    const sent = { body: { title: 'From elsewhere' }, headers: foreign }
    const made = await program('POST', TODOS, sent)
    expect(made.status).toBe(201)
    expect([...made.headers.keys()].filter((name) => name.startsWith('access-control'))).toEqual([])
    expect((await ada.request('POST', TODOS, sent)).status).toBe(403)
  })

  test('reaches a page of a listed origin', async () => {
    await using sharing = await startHarness({ env: { CORS_ORIGINS: 'https://app.example' } })
    const { token } = await createToken(await sharing.signedIn())
    const { status, headers } = await programOf(sharing, token)('GET', TODOS, {
      headers: { origin: 'https://app.example' },
    })
    expect([status, headers.get('access-control-allow-origin')]).toEqual([200, 'https://app.example'])
  })

  test('leaves sessions alone: none slides, is locked or begins, and no cookie is set', async () => {
    const ada = await h.signedIn()
    const program = programOf(h, (await createToken(ada)).token)
    h.clock.advance({ days: 3 })
    const before = await h.db.select().from(sessions)
    for (const path of [TODOS, '/api/settings', '/api/auth/tokens/current']) {
      const { status, headers } = await program('GET', path, { cookie: ada.token })
      expect([path, status, headers.getSetCookie()]).toEqual([path, 200, []])
    }
    expect(await h.db.select().from(sessions)).toEqual(before)
  })

  test('works on while a session is locked, and while the account is locked by wrong passwords', async () => {
    const ada = await h.signedIn()
    const program = programOf(h, (await createToken(ada)).token)
    await ada.request('POST', '/api/auth/lock')
    await h.db.update(users).set({ lockedUntil: addDays(h.clock.now(), 1), failedLoginCount: 10 })
    expect((await program('GET', TODOS)).status).toBe(200)
  })

  test('waits for a new password, and for the second factor that an administrator requires', async () => {
    const ada = await h.signedIn()
    const program = programOf(h, (await createToken(ada)).token)
    const code = async () => {
      const { status, body } = await program('GET', TODOS)
      return [status, body]
    }
    await h.db.update(users).set({ mustChangePassword: true })
    const due = { detail: 'Password change required', code: 'password_change_required' }
    expect(await code()).toEqual([403, due])
    await h.db.update(users).set({ mustChangePassword: false, mfaRequired: true })
    expect(await code()).toEqual([403, { detail: 'MFA setup required', code: 'mfa_setup_required' }])
    await h.db.update(users).set({ mfaRequired: false })
    expect((await code())[0]).toBe(200)
  })

  test('is ignored by what asks for no session', async () => {
    const ada = await h.signedIn()
    const headers = { authorization: `Bearer ${(await createToken(ada)).token}` }
    const anonymous = await h.request('GET', '/api/auth/status', { headers })
    expect(anonymous.body.authenticated).toBe(false)
    const signedIn = await ada.request('GET', '/api/auth/status', { headers: { authorization: 'Bearer x' } })
    expect(signedIn.body).toMatchObject({ authenticated: true, user_id: ada.row.id })
    expect((await ada.request('POST', '/api/auth/logout', { headers })).status).toBe(200)
    expect((await ada.request('GET', TODOS)).status).toBe(401)
    expect((await h.request('GET', TODOS, { headers })).status).toBe(200)
  })

  test('is never recent, so it makes no feed', async () => {
    const ada = await h.signedIn()
    const [calendar] = (await ada.request('GET', '/api/calendars')).body.calendars
    const program = programOf(h, (await createToken(ada)).token)
    const { status, body } = await program('POST', `/api/calendars/${calendar.id}/feed`)
    expect([status, body.code]).toEqual([403, 'reauthentication_required'])
  })

  test('that is too wrong for a query is refused without one', async () => {
    const ada = await h.signedIn()
    const { token } = await createToken(ada)
    using statements = observed(h.db)
    const last = token.endsWith('0') ? '1' : '0'
    expect(await answered(ada, `Bearer ${token.slice(0, -1)}${last}`)).toEqual(INVALID)
    expect(statements).toHaveLength(0)
  })

  test('is in no log line, error or audit entry', async () => {
    const ada = await h.signedIn()
    const { token } = await createToken(ada)
    await createTodo(ada)
    await answered(ada, `Bearer ${token}`)
    await answered(ada, `Bearer ${token}x`)
    await programOf(h, token)('DELETE', TODOS)
    const text = JSON.stringify([h.log.entries, await auditOf(h, ada.row.id)])
    expect(text).not.toContain(token.slice(12))
  })
})

describe('the use of a token', () => {
  const usedOf = async (id: number) => {
    const [row] = await h.db.select().from(accessTokens).where(eq(accessTokens.id, id))
    return row && { at: row.lastUsedAt, ip: row.lastUsedIp }
  }
  const noted = (id: number, at: Date) =>
    until(async () => (await usedOf(id))?.at?.getTime() === at.getTime(), 5000, 'the use of the token')

  test('is noted with the address, at most once a minute', async () => {
    const ada = await h.signedIn()
    const { id, token } = await createToken(ada)
    const program = programOf(h, token)
    const first = h.clock.now()
    await program('GET', TODOS)
    await noted(id, first)
    h.clock.advance({ seconds: 59 })
    h.peer.address = '198.51.100.9'
    await program('GET', TODOS)
    expect(await usedOf(id)).toEqual({ at: first, ip: '203.0.113.7' })
    h.clock.advance({ seconds: 1 })
    await program('GET', TODOS)
    await noted(id, h.clock.now())
    expect((await usedOf(id))?.ip).toBe('198.51.100.9')
  })
})

describe('wrong tokens', () => {
  const wrong = async (count: number, program: ReturnType<typeof programOf>) =>
    statusesOf(await raceOf(count, () => program('GET', TODOS)))

  test('are at most ten a minute from one address after the first 21, whatever is wrong with them', async () => {
    const ada = await h.signedIn()
    const { token } = await createToken(ada)
    await h.db.delete(accessTokens)
    const [unknown, malformed] = [programOf(h, token), programOf(h, 'org_x')]
    expect(await wrong(10, unknown)).toEqual(Array(10).fill(401))
    expect(await wrong(13, malformed)).toEqual([...Array(11).fill(401), 429, 429])
    const refused = await unknown('GET', TODOS)
    expect([refused.status, refused.headers.get('retry-after'), refused.body]).toEqual([
      429,
      '6',
      { detail: 'Too many requests' },
    ])
    h.clock.advance({ seconds: 6 })
    expect((await unknown('GET', TODOS)).status).toBe(401)
    expect((await malformed('GET', TODOS)).status).toBe(429)
    h.clock.advance({ minutes: 1 })
    expect(await wrong(11, malformed)).toEqual([...Array(10).fill(401), 429])
  })

  test('slow down no right one that is known, nor one from another address', async () => {
    const ada = await h.signedIn()
    const [known, fresh] = [await createToken(ada), await createToken(ada)]
    expect((await programOf(h, known.token)('GET', TODOS)).status).toBe(200)
    await wrong(30, programOf(h, 'x'))
    expect((await programOf(h, known.token)('GET', TODOS)).status).toBe(200)
    expect((await ada.request('GET', TODOS)).status).toBe(200)
    h.peer.address = '198.51.100.9'
    expect((await programOf(h, fresh.token)('GET', TODOS)).status).toBe(200)
  })

  test('from a local address are not limited', async () => {
    h.peer.address = '127.0.0.1'
    expect(await wrong(40, programOf(h, 'x'))).toEqual(Array(40).fill(401))
  })

  test('are counted for the operator, and not audited', async () => {
    let counted = 0
    const metrics = { ...h.deps.metrics, countWrongToken: () => void counted++ }
    await using counting = await startHarness({ deps: { metrics } })
    const ada = await counting.signedIn()
    await programOf(counting, 'x')('GET', TODOS)
    await programOf(counting, (await createToken(ada)).token)('GET', TODOS)
    expect(counted).toBe(1)
    expect(await auditOf(counting, ada.row.id)).toHaveLength(1)
  })
})
