import { beforeEach, describe, expect, test } from 'bun:test'
import { addDays, epochSeconds } from '../../../src/lib/time/time'
import { sessionOf } from '../../support/accounts'
import { guardedRoutes } from '../../support/guarded-routes'
import { setCookieOf } from '../../support/harness'
import { raceOf } from '../../support/racing'
import { observed } from '../../support/statements'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ per: 'test' })
let call: ReturnType<typeof guardedRoutes>
beforeEach(() => {
  call = guardedRoutes(h.deps)
})

describe('a session slides', () => {
  const MAX_AGE_DAYS = 7

  test('A session stays as it is while more than its full age minus a day is left', async () => {
    const { sid, token } = await h.signedIn()
    h.clock.advance({ days: 1 })
    const answered = await call('/read', `session=${token}`)
    expect(answered.status).toBe(200)
    expect(answered.headers.getSetCookie()).toEqual([])
    expect((await sessionOf(h, sid)).expiresAt).toEqual(addDays(h.clock.now(), MAX_AGE_DAYS - 1))
  })

  test('A session with less left is extended to its full age, with a fresh cookie', async () => {
    const { sid, token } = await h.signedIn()
    h.clock.advance({ days: 1, ms: 1 })
    const answered = await call('/plain', `session=${token}`)
    const cookie = setCookieOf(answered.headers)
    expect(cookie?.attributes).toEqual(['Max-Age=604800', 'Path=/', 'HttpOnly', 'SameSite=Lax'])
    const expiresAt = addDays(h.clock.now(), MAX_AGE_DAYS)
    expect((await sessionOf(h, sid)).expiresAt).toEqual(expiresAt)
    expect(h.deps.tokens.verify(cookie?.value ?? '')).toMatchObject({ sid, exp: epochSeconds(expiresAt) })
    h.clock.advance({ days: 6 })
    expect((await call('/plain', `session=${cookie?.value}`)).status).toBe(200)
  })

  test('A session slides also where it was seen just before', async () => {
    const { sid, token } = await h.signedIn()
    h.clock.advance({ days: 1, minutes: -5 })
    expect((await call('/read', `session=${token}`)).headers.getSetCookie()).toEqual([])
    h.clock.advance({ minutes: 5, ms: 1 })
    expect((await call('/read', `session=${token}`)).headers.getSetCookie()).toHaveLength(1)
    expect((await sessionOf(h, sid)).expiresAt).toEqual(addDays(h.clock.now(), MAX_AGE_DAYS))
  })

  test('A session slides also where the request then proves to be wrong', async () => {
    const { token } = await h.signedIn()
    h.clock.advance({ days: 2 })
    const answered = await call('/plain', `session=${token}`, { body: '{}' })
    expect([answered.status, answered.headers.getSetCookie().length]).toEqual([422, 1])
  })

  test('A locked session does not slide', async () => {
    const user = await h.user()
    const { id, token } = await h.session(user.id, { isLocked: true })
    h.clock.advance({ days: 2 })
    const before = await sessionOf(h, id)
    const answered = await call('/while-locked', `session=${token}`)
    expect([answered.status, answered.headers.getSetCookie()]).toEqual([200, []])
    expect(await sessionOf(h, id)).toEqual(before)
  })

  test('A session that is not due is read, and nothing else', async () => {
    const { token } = await h.signedIn()
    h.clock.advance({ days: 1, minutes: -10 })
    await call('/read', `session=${token}`)
    h.clock.advance({ minutes: 10 })
    using sent = observed(h.db)
    expect((await call('/read', `session=${token}`)).status).toBe(200)
    expect(sent.map(({ text }) => text.split(' ')[0])).toEqual(['select'])
  })

  test('A session slides once, however many requests race', async () => {
    for (let round = 0; round < 10; round++) {
      const { sid, token } = await h.signedIn()
      h.clock.advance({ days: 2 })
      const answers = await raceOf(50, () => call('/read', `session=${token}`))
      expect(answers.map(({ status }) => status)).toEqual(Array(50).fill(200))
      expect(answers.filter(({ headers }) => headers.getSetCookie().length > 0)).toHaveLength(1)
      expect((await sessionOf(h, sid)).expiresAt).toEqual(addDays(h.clock.now(), MAX_AGE_DAYS))
    }
  })

  test('A session notes when it was last seen, at most every ten minutes', async () => {
    const { sid, token } = await h.signedIn()
    const created = h.clock.now()
    h.clock.advance({ minutes: 10 })
    await call('/read', `session=${token}`)
    expect((await sessionOf(h, sid)).lastSeenAt).toEqual(created)
    h.clock.advance({ ms: 1 })
    const answered = await call('/read', `session=${token}`)
    expect((await sessionOf(h, sid)).lastSeenAt).toEqual(h.clock.now())
    expect(answered.headers.getSetCookie()).toEqual([])
  })

  test('A session that is not used in time ends to the millisecond', async () => {
    const [ada, bob] = [await h.signedIn(), await h.signedIn()]
    h.clock.advance({ days: MAX_AGE_DAYS, ms: -1 })
    expect((await call('/read', `session=${ada.token}`)).status).toBe(200)
    h.clock.advance({ ms: 1 })
    const late = await call('/read', `session=${bob.token}`)
    expect(late).toMatchObject({
      status: 401,
      body: { detail: 'Invalid or expired session' },
    })
  })
})
