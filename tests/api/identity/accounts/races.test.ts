import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, users } from '../../../../src/db/schema'
import { type Actor, PASSWORD, setCookieOf } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const ROUNDS = 20
const NEW = 'a whole new password'

const h = useHarness({ per: 'test' })

const post = (actor: Actor, path: string, body?: object) =>
  actor.request('POST', `/api/auth/${path}`, body ? { body } : {})
const verify = (actor: Actor) => post(actor, 'verify-password', { password: PASSWORD })
const change = (actor: Actor, from = PASSWORD, to = NEW) =>
  post(actor, 'change-password', { old_password: from, new_password: to })
const remove = (actor: Actor) =>
  actor.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
const settle = (actor: Actor, i: number) =>
  actor.request('PUT', '/api/settings', { body: { company: `c${i}` } })

const statusesOf = (answers: ReadonlyArray<{ status: number }>) => answers.map(({ status }) => status)

describe('what one user does at the same moment on several devices never fails for that', () => {
  test('verifying, locking and signing out', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const ada = await h.signedIn()
      const answers = await Promise.all([
        verify(ada),
        post(ada, 'lock'),
        verify(ada),
        post(ada, 'logout'),
        verify(ada),
        post(ada, 'lock'),
        post(ada, 'logout'),
      ])
      for (const status of statusesOf(answers)) expect([200, 401, 423]).toContain(status)
      expect([answers[3].status, answers[6].status]).toEqual([200, 200])
    }
  })

  test('changing the password here and signing out there', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const ada = await h.signedIn()
      const other = await h.session(ada.row.id)
      const [changed, signedOut] = await Promise.all([
        change(ada),
        h.request('POST', '/api/auth/logout', { cookie: other.token }),
      ])
      expect([changed.status, signedOut.status]).toEqual([200, 200])
    }
  })

  test('deleting the account, changing settings, locking and signing out', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const ada = await h.signedIn()
      const others = [await h.session(ada.row.id), await h.session(ada.row.id)]
      const [removed, ...answers] = await Promise.all([
        remove(ada),
        settle(ada, round),
        settle(ada, round),
        ...others.flatMap(({ token }) => [
          h.request('POST', '/api/auth/lock', { cookie: token }),
          h.request('POST', '/api/auth/logout', { cookie: token }),
        ]),
      ])
      expect(removed.status).toBe(204)
      for (const status of statusesOf(answers)) expect([200, 401, 423]).toContain(status)
      expect(await h.db.$count(users, eq(users.id, ada.row.id))).toBe(0)
    }
  })
})

describe('changing the password twice at once', () => {
  test('is done once, and leaves the cookie that it answers worth something', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const ada = await h.signedIn()
      const answers = await Promise.all([change(ada), change(ada, PASSWORD, `${NEW} two`)])
      expect(statusesOf(answers).toSorted((a, b) => a - b)).toEqual([200, 401])
      const cookie = answers.map(({ headers }) => setCookieOf(headers)).find((found) => found !== undefined)
      const status = await h.request('GET', '/api/auth/status', { cookie: cookie?.value ?? '' })
      expect(status.body).toMatchObject({ authenticated: true })
    }
  })
})

describe('one response carries one session cookie', () => {
  test('A session that slides as its password changes gets one cookie', async () => {
    const ada = await h.signedIn()
    h.clock.advance({ days: 2 })
    const changed = await change(ada)
    const cookie = setCookieOf(changed.headers)
    expect(changed.headers.getSetCookie()).toHaveLength(1)
    const status = await h.request('GET', '/api/auth/status', { cookie: cookie?.value ?? '' })
    expect(status.body).toMatchObject({ authenticated: true })
  })

  test('A session that slides as its account is deleted gets one cookie, which deletes it', async () => {
    const ada = await h.signedIn()
    h.clock.advance({ days: 2 })
    const removed = await remove(ada)
    expect(setCookieOf(removed.headers)?.attributes).toContain('Max-Age=0')
  })
})

test('a right password resets the count also where the operation is refused for another reason', async () => {
  const admin = await h.signedIn({ role: 'admin', failedLoginCount: 9 })
  expect((await remove(admin)).status).toBe(409)
  const [row] = await h.db.select().from(users).where(eq(users.id, admin.row.id))
  expect(row?.failedLoginCount).toBe(0)
  expect(await h.db.$count(auditLog)).toBe(0)
})
