import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog } from '../../../../src/db/schema'
import { addMinutes } from '../../../../src/lib/time/time'
import { login as requestLogin, userOf } from '../../../support/accounts'
import { watchedHasher } from '../../../support/fakes'
import { PASSWORD, startHarness } from '../../../support/harness'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()
beforeAll(() => {
  h.peer.address = '127.0.0.1'
})

const login = async (username: string, password = PASSWORD) => {
  const { status, body } = await requestLogin(h, username, password)
  return { status, body }
}
const failuresOf = (id: number) => h.db.$count(auditLog, eq(auditLog.actorId, id))
const times = async (count: number, work: () => Promise<{ status: number }>) => {
  const statuses: number[] = []
  for (let i = 0; i < count; i++) statuses.push((await work()).status)
  return statuses
}
const locked = (minutes: number) => ({
  status: 423,
  body: { detail: `Account locked. Try again in ${minutes} minutes.` },
})

describe('ten wrong passwords', () => {
  test('lock the account for 30 minutes: the tenth still answers 401', async () => {
    const user = await h.user()
    expect(await times(10, () => login(user.username, 'wrong'))).toEqual(Array(10).fill(401))
    const lockedUntil = addMinutes(h.clock.now(), 30)
    expect(await userOf(h, user.id)).toEqual({ ...user, failedLoginCount: 10, lockedUntil })
    expect(await login(user.username, 'wrong')).toEqual(locked(31))
  })

  test('shut out the right password too, and say nothing else about it', async () => {
    const user = await h.user({ failedLoginCount: 9 })
    await login(user.username, 'wrong')
    expect(await login(user.username, PASSWORD)).toEqual(await login(user.username, 'wrong'))
    h.clock.advance({ minutes: 29, seconds: 59 })
    expect(await login(user.username, PASSWORD)).toEqual(locked(1))
    h.clock.advance({ seconds: 1 })
    expect((await login(user.username, PASSWORD)).status).toBe(200)
  })

  test('count one after another: a right one in between starts anew', async () => {
    const user = await h.user()
    await times(9, () => login(user.username, 'wrong'))
    expect((await login(user.username, PASSWORD)).status).toBe(200)
    expect(await times(10, () => login(user.username, 'wrong'))).toEqual(Array(10).fill(401))
    expect((await login(user.username, PASSWORD)).status).toBe(423)
  })

  test('lock the account for every instance', async () => {
    const user = await h.user({ failedLoginCount: 9 })
    await login(user.username, 'wrong')
    await using another = await startHarness({ deps: { db: h.db, clock: h.clock } })
    expect((await requestLogin(another, user.username)).status).toBe(423)
  })

  test('Wrong passwords of one user lock nobody else', async () => {
    const [ada, bob] = [await h.user({ failedLoginCount: 9 }), await h.user()]
    await login(ada.username, 'wrong')
    expect((await login(bob.username, PASSWORD)).status).toBe(200)
  })
})

describe('while an account is locked', () => {
  test('attempts count nothing, prolong nothing and leave no entry', async () => {
    const user = await h.user({ failedLoginCount: 9 })
    await login(user.username, 'wrong')
    const before = { row: await userOf(h, user.id), failures: await failuresOf(user.id) }
    h.clock.advance({ minutes: 10 })
    expect(await times(5, () => login(user.username, 'wrong'))).toEqual(Array(5).fill(423))
    expect(await times(1, () => login(user.username, PASSWORD))).toEqual([423])
    expect({ row: await userOf(h, user.id), failures: await failuresOf(user.id) }).toEqual(before)
  })

  test.each(['lockedUntil', 'mfaLockedUntil'])(
    'the password is verified all the same, once (%s)',
    async (lock) => {
      const { hasher, verified } = watchedHasher()
      await using watched = await startHarness({ deps: { hasher } })
      const user = await watched.user({ [lock]: addMinutes(watched.clock.now(), 5) })
      expect((await requestLogin(watched, user.username)).status).toBe(423)
      expect(verified).toEqual([user.passwordHash])
    },
  )

  test('A locked account that is disabled answers that it is locked', async () => {
    const user = await h.user({ isActive: false, lockedUntil: addMinutes(h.clock.now(), 5) })
    expect(await login(user.username, PASSWORD)).toEqual(locked(6))
  })
})

test('after a lock has lapsed the count restarts at one', async () => {
  const user = await h.user({ failedLoginCount: 9 })
  await login(user.username, 'wrong')
  h.clock.advance({ minutes: 30 })
  expect((await login(user.username, 'wrong')).status).toBe(401)
  expect(await userOf(h, user.id)).toMatchObject({ failedLoginCount: 1, lockedUntil: null })
  expect(await times(9, () => login(user.username, 'wrong'))).toEqual(Array(9).fill(401))
  expect((await login(user.username, 'wrong')).status).toBe(423)
})

test('200 wrong passwords in parallel bursts of 50 give exactly ten 401 and 190 times 423', async () => {
  for (let round = 0; round < 5; round++) {
    const user = await h.user()
    const statuses: number[] = []
    for (let burst = 0; burst < 4; burst++) {
      const answers = await raceOf(50, () => login(user.username, 'wrong'))
      statuses.push(...answers.map(({ status }) => status))
    }
    expect(statuses.filter((status) => status === 401)).toHaveLength(10)
    expect(statuses.filter((status) => status === 423)).toHaveLength(190)
    expect(await userOf(h, user.id)).toMatchObject({ failedLoginCount: 10 })
    expect(await failuresOf(user.id)).toBe(10)
  }
})
