import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { sessions, users } from '../../../src/db/schema'
import { addDays, epochSeconds } from '../../../src/lib/time/time'
import { guardedRoutes } from '../../support/guarded-routes'
import { useHarness } from '../../support/use-harness'

const h = useHarness()
let call: ReturnType<typeof guardedRoutes>
beforeAll(() => {
  call = guardedRoutes(h.deps)
})

const refusal = (status: number, detail: string, code?: string) => ({
  status,
  body: { detail, ...(code !== undefined && { code }) },
})

describe('the five checks of a protected request, in their order', () => {
  const tokenOf = (payload: Record<string, unknown>) =>
    h.deps.tokens.sign(payload as unknown as Parameters<typeof h.deps.tokens.sign>[0])
  const inAWeek = () => epochSeconds(addDays(h.clock.now(), 7))

  test('no cookie', async () => {
    for (const cookie of [undefined, '', 'session=', 'other=1', 'session=; other=2', 'xsession=abc']) {
      expect(await call('/plain', cookie)).toMatchObject(refusal(401, 'Not authenticated'))
    }
  })

  test('a token that is invalid or expired', async () => {
    const ada = await h.signedIn()
    const [version, kid, payload, mac] = ada.token.split('.')
    const forged = Buffer.from(JSON.stringify({ uid: ada.row.id, sid: ada.sid, iat: 0, exp: 9e9 })).toString(
      'base64url',
    )
    for (const token of [
      'garbage',
      `${ada.token}x`,
      `${ada.token.slice(0, -1)}é`,
      `${ada.token.slice(0, -1)}ÿ`,
      ada.token.slice(0, -1),
      `${version}.${kid}.${forged}.${mac}`,
      `${version}.unknown.${payload}.${mac}`,
      `v2.${kid}.${payload}.${mac}`,
      `${ada.token}.${mac}`,
      '....',
      tokenOf({ uid: ada.row.id, sid: ada.sid, iat: 0, exp: epochSeconds(h.clock.now()) }),
      tokenOf({ uid: ada.row.id, sid: ada.sid, iat: 0 }),
    ]) {
      expect(await call('/plain', `session=${token}`)).toMatchObject(
        refusal(401, 'Invalid or expired session'),
      )
    }
  })

  test('two cookies that both claim to be the session', async () => {
    const { token } = await h.signedIn()
    for (const cookies of [`session=${token}; session=${token}`, `session=; session=${token}`]) {
      expect(await call('/plain', cookies)).toMatchObject(refusal(401, 'Invalid or expired session'))
    }
    expect((await call('/plain', `other=1; session=${token}; more=2`)).status).toBe(200)
  })

  test('a token without uid or sid', async () => {
    const { row, sid } = await h.signedIn()
    for (const claims of [
      { uid: row.id },
      { sid },
      { uid: String(row.id), sid },
      { uid: 1.5, sid },
      { uid: 1, sid: 7 },
    ]) {
      const token = tokenOf({ ...claims, iat: 0, exp: inAWeek() })
      // Only uid, sid, iat and exp are ever signed, and JSON leaves undefined out.
      expect(await call('/plain', `session=${token}`)).toMatchObject(refusal(401, 'Malformed session token'))
    }
  })

  test('a session that is revoked, expired, somebody else’s or unknown', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    const detail = 'Session has been revoked or expired'
    const foreign = tokenOf({ uid: bob.row.id, sid: ada.sid, iat: 0, exp: inAWeek() })
    const unknown = tokenOf({ uid: bob.row.id, sid: 'f'.repeat(32), iat: 0, exp: inAWeek() })
    await h.db.update(sessions).set({ revoked: true }).where(eq(sessions.id, bob.sid))
    for (const token of [foreign, unknown, bob.token]) {
      expect(await call('/plain', `session=${token}`)).toMatchObject(refusal(401, detail))
    }
    await h.db.update(sessions).set({ expiresAt: h.clock.now() }).where(eq(sessions.id, ada.sid))
    expect(await call('/plain', `session=${ada.token}`)).toMatchObject(refusal(401, detail))
  })

  test('a user who is inactive', async () => {
    const ada = await h.signedIn({ isActive: false })
    expect(await call('/plain', `session=${ada.token}`)).toMatchObject(
      refusal(401, 'User not found or inactive'),
    )
  })

  test('a user who is deleted', async () => {
    const ada = await h.signedIn()
    await h.db.delete(users).where(eq(users.id, ada.row.id))
    expect(await call('/plain', `session=${ada.token}`)).toMatchObject(
      refusal(401, 'Session has been revoked or expired'),
    )
  })
})

test('of two checks of the session that fail, the earlier one answers', async () => {
  const { row, sid } = await h.signedIn({ isActive: false })
  const sign = (claims: object) =>
    `session=${h.deps.tokens.sign(claims as Parameters<typeof h.deps.tokens.sign>[0])}`
  const exp = epochSeconds(addDays(h.clock.now(), 7))
  const expired = sign({ exp: epochSeconds(h.clock.now()) })
  expect(await call('/plain', expired)).toMatchObject(refusal(401, 'Invalid or expired session'))
  await h.db.update(sessions).set({ revoked: true }).where(eq(sessions.id, sid))
  const malformed = await call('/plain', sign({ uid: row.id, exp }))
  expect(malformed).toMatchObject(refusal(401, 'Malformed session token'))
  const ended = await call('/plain', sign({ uid: row.id, sid, exp }))
  expect(ended).toMatchObject(refusal(401, 'Session has been revoked or expired'))
})

describe('after the session', () => {
  const locked = () => refusal(423, 'Session is locked', 'session_locked')
  const due = () => refusal(403, 'Password change required', 'password_change_required')
  const role = () => refusal(403, 'Insufficient permissions')
  const recent = () => refusal(403, 'Recent authentication required', 'reauthentication_required')

  async function actor({ isLocked = false, mustChangePassword = false, isAdmin = false, isStale = false }) {
    const user = await h.user({ mustChangePassword, role: isAdmin ? 'admin' : 'standard' })
    const authenticatedAt = new Date(h.clock.now().getTime() - (isStale ? 900_000 : 0))
    const { token } = await h.session(user.id, { isLocked, authenticatedAt })
    return `session=${token}`
  }

  test('a locked session is refused but where that is allowed', async () => {
    const cookie = await actor({ isLocked: true })
    expect(await call('/plain', cookie)).toMatchObject(locked())
    expect((await call('/while-locked', cookie)).status).toBe(200)
  })

  test('A session whose password must be changed is refused but where that is allowed', async () => {
    const cookie = await actor({ mustChangePassword: true })
    expect(await call('/plain', cookie)).toMatchObject(due())
    expect((await call('/while-due', cookie)).status).toBe(200)
  })

  test('a role that is not allowed is refused', async () => {
    expect(await call('/admin', await actor({}))).toMatchObject(role())
    expect((await call('/admin', await actor({ isAdmin: true }))).status).toBe(200)
  })

  test('a proof older than 15 minutes is not recent', async () => {
    expect(await call('/recent', await actor({ isStale: true }))).toMatchObject(recent())
    expect((await call('/recent', await actor({}))).status).toBe(200)
  })

  test('the order is lock, password change, role, recent, and only then the body', async () => {
    const everything = { isLocked: true, mustChangePassword: true, isStale: true }
    expect(await call('/all', await actor(everything))).toMatchObject(locked())
    expect(await call('/all', await actor({ ...everything, isLocked: false }))).toMatchObject(due())
    expect(await call('/all', await actor({ isStale: true }))).toMatchObject(role())
    expect(await call('/all', await actor({ isStale: true, isAdmin: true }))).toMatchObject(recent())
    expect(await call('/all', await actor({ isAdmin: true }), { body: '{' })).toMatchObject(
      refusal(400, 'Malformed JSON body'),
    )
  })
})

describe('the order around the session check', () => {
  const foreign = { origin: 'https://evil.example' }

  test('size, then origin, then session, then body', async () => {
    const large = 'x'.repeat(1_048_577)
    const { token } = await h.signedIn()
    expect(await call('/plain', undefined, { body: large, headers: foreign })).toMatchObject(
      refusal(413, 'Request body too large'),
    )
    expect(await call('/plain', undefined, { body: '{', headers: foreign })).toMatchObject(
      refusal(403, 'Cross-origin request rejected'),
    )
    expect(await call('/plain', undefined, { body: '{' })).toMatchObject(refusal(401, 'Not authenticated'))
    expect(await call('/plain', `session=${token}`, { body: '{' })).toMatchObject(
      refusal(400, 'Malformed JSON body'),
    )
    expect((await call('/plain', `session=${token}`, { body: '{}' })).status).toBe(422)
  })

  test('whatever the body is, a caller without a session gets 401', async () => {
    for (const body of ['', '{', 'null', '[]', '\xff', '{"name":5}', 'x'.repeat(100_000)]) {
      for (const type of ['application/json', 'text/plain', 'multipart/form-data; boundary=x', '']) {
        expect(await call('/plain', undefined, { body, headers: { 'content-type': type } })).toMatchObject(
          refusal(401, 'Not authenticated'),
        )
      }
    }
  })

  test('operations without a body do not care for one', async () => {
    const { token } = await h.signedIn()
    for (const init of [{}, { body: '{' }, { body: 'a=1', headers: { 'content-type': 'text/plain' } }]) {
      expect((await call('/no-body', `session=${token}`, init)).status).toBe(200)
      expect(await call('/no-body', undefined, init)).toMatchObject(refusal(401, 'Not authenticated'))
    }
  })
})
