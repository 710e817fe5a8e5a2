import { beforeEach, describe, expect, test } from 'bun:test'
import { and, eq, inArray } from 'drizzle-orm'
import { auditLog, users } from '../../../../src/db/schema'
import { userOf } from '../../../support/accounts'
import { fakeHasher } from '../../../support/fakes'
import { type Actor, PASSWORD, startHarness } from '../../../support/harness'
import { USERS } from './acting'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const ROUNDS = 20
const LAST = { detail: 'At least one active administrator is required' }

const h = useHarness({ per: 'test' })
beforeEach(() => {
  h.peer.address = '127.0.0.1' // exempt from the limit of sign-in attempts
})

const demote = (by: Actor, of: Actor) =>
  by.request('PUT', `${USERS}/${of.row.id}/role`, { body: { role: 'standard' } })
const deactivate = (by: Actor, of: Actor) =>
  by.request('PUT', `${USERS}/${of.row.id}/active`, { body: { is_active: false } })
const remove = (by: Actor, of: Actor) => by.request('DELETE', `${USERS}/${of.row.id}`)
const leave = (by: Actor) => by.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
const WAYS = [demote, deactivate, remove, leave]

const admins = (count: number) =>
  Promise.all(Array.from({ length: count }, () => h.signedIn({ role: 'admin' })))
const remaining = () => h.db.$count(users, and(eq(users.role, 'admin'), eq(users.isActive, true)))
const isDone = ({ status }: { status: number }) => status === 200 || status === 204
const pick = <T>(list: readonly T[], index: number): T => {
  const found = list[index % list.length]
  if (found === undefined) throw new Error('nothing to pick from')
  return found
}

describe('at least one active administrator remains', () => {
  test.each([
    ['demote', demote],
    ['deactivate', deactivate],
    ['delete', remove],
  ] as const)(
    'where two %s each other fifty times at once: exactly one is done',
    async (_, end) => {
      let refusedAsLast = 0
      for (let round = 0; round < ROUNDS; round++) {
        const two = await admins(2)
        const answers = await raceOf(50, (i) => end(pick(two, i), pick(two, i + 1)))
        const refused = answers.filter((answer) => !isDone(answer))
        // Who goes first may do so again: the other is a standard user by then, or disabled already.
        const winners = new Set(answers.flatMap((answer, i) => (isDone(answer) ? [i % 2] : [])))
        expect(winners.size).toBe(1)
        expect(await remaining()).toBe(1)
        for (const { status } of refused) expect([401, 403, 404, 409]).toContain(status)
        for (const { status, body } of refused) if (status === 409) expect(body).toEqual(LAST)
        refusedAsLast += refused.filter(({ status }) => status === 409).length
        await h.db.delete(users)
      }
      expect(refusedAsLast).toBeGreaterThan(0)
    },
    60_000,
  )

  test('An active administrator remains where many demote, deactivate and delete each other and leave at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const many = await admins(6)
      const answers = await raceOf(50, (i) => {
        const step = 1 + (Math.floor(i / 6) % 5)
        return pick(WAYS, i + round + Math.floor(i / 4))(pick(many, i), pick(many, i + step))
      })
      for (const { status } of answers) expect([200, 204, 401, 403, 404, 409]).toContain(status)
      expect(await remaining()).toBeGreaterThanOrEqual(1)
      await h.db.delete(users)
    }
  }, 60_000)

  test('An active administrator remains where one of the last two leaves and demotes the other at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const [ada, bob] = [await h.signedIn({ role: 'admin' }), await h.signedIn({ role: 'admin' })]
      const answers = await Promise.all([leave(ada), demote(ada, bob)])
      expect(answers.filter(isDone)).toHaveLength(1)
      expect(await remaining()).toBe(1)
      await h.db.delete(users)
    }
  })
})

describe('who is no administrator any more by the time that their request gets its turn', () => {
  test.each([
    ['demoted', demote, 403, 'Insufficient permissions'],
    ['deactivated', deactivate, 401, 'Session has been revoked or expired'],
    ['deleted', remove, 401, 'Session has been revoked or expired'],
  ] as const)('changes nothing: %s', async (_, end, status, detail) => {
    const hashing = Promise.withResolvers<void>()
    const hashed = Promise.withResolvers<void>()
    await using slow = await startHarness({
      deps: {
        db: h.db,
        hasher: {
          ...fakeHasher,
          hash: async (password) => {
            hashing.resolve()
            await hashed.promise
            return fakeHasher.hash(password)
          },
        },
      },
    })
    const [ada, bob] = [await h.signedIn({ role: 'admin' }), await h.signedIn({ role: 'admin' })]
    const carl = await h.user()
    const resetting = slow.request('POST', `${USERS}/${carl.id}/reset-password`, { cookie: bob.token })
    await hashing.promise
    expect((await end(ada, bob)).status).toBe(200)
    hashed.resolve()
    const refused = await resetting
    expect([refused.status, refused.body]).toEqual([status, { detail }])
    expect(await userOf(h, carl.id)).toEqual(carl)
    expect(await h.db.$count(auditLog)).toBe(1)
  })
})

test('administrators and users who act on the same accounts at once never fail for that', async () => {
  for (let round = 0; round < ROUNDS; round++) {
    const [ada, bob] = [await h.signedIn({ role: 'admin' }), await h.signedIn({ role: 'admin' })]
    const carl = await h.signedIn()
    const other = await h.session(carl.row.id)
    const on = (by: Actor, of: Actor, operation: string, body?: object) =>
      by.request(body ? 'PUT' : 'POST', `${USERS}/${of.row.id}/${operation}`, body ? { body } : {})
    const signOut = (by: Actor, of: Actor) => by.request('DELETE', `${USERS}/${of.row.id}/sessions`)
    const own = (method: string, path: string, body?: object) =>
      carl.request(method, `/api/auth/${path}`, body ? { body } : {})
    const login = (actor: Actor, password = PASSWORD) =>
      h.request('POST', '/api/auth/login', { body: { username: actor.row.username, password } })
    const answers = await Promise.all([
      on(ada, carl, 'reset-password'),
      own('POST', 'verify-password', { password: PASSWORD }),
      on(bob, carl, 'unlock'),
      carl.request('PUT', '/api/settings', { body: { company: 'x' } }),
      login(carl),
      on(ada, bob, 'unlock'),
      on(bob, ada, 'unlock'),
      on(ada, carl, 'enforce-mfa', { enforce: round % 2 === 1 }),
      on(bob, carl, 'disable-mfa'),
      own('POST', 'change-password', { old_password: PASSWORD, new_password: 'a whole new password' }),
      h.request('POST', '/api/auth/logout', { cookie: other.token }),
      signOut(ada, carl),
      login(carl, 'wrong'),
      on(bob, carl, 'active', { is_active: round % 2 === 0 }),
      own('POST', 'lock'),
      ada.request('PUT', '/api/admin/config', { body: { allow_registration: true } }),
      round % 3 === 0 ? remove(ada, carl) : own('DELETE', 'sessions'),
      round % 3 === 1 ? leave(carl) : own('DELETE', 'sessions'),
      round % 4 === 3 ? remove(bob, ada) : signOut(bob, ada),
    ])
    const failed = answers.filter(({ status }) => status >= 500)
    expect(failed.map(({ status, body }) => [status, body])).toEqual([])
    await h.db.delete(users).where(inArray(users.id, [ada.row.id, bob.row.id, carl.row.id]))
  }
}, 60_000)
