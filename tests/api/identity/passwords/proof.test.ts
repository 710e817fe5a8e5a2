import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { operations, systemConfig, users } from '../../../../src/db/schema'
import { NO_PASSWORD } from '../../../../src/features/identity/passwords/rules'
import { addMinutes } from '../../../../src/lib/time/time'
import { actionsOf, login, NEW_PASSWORD, sessionOf, userOf } from '../../../support/accounts'
import { codeAt, wrongCodeAt } from '../../../support/authenticator-app'
import { administer as connectTo } from '../../../support/database'
import { watchedHasher } from '../../../support/fakes'
import { type Actor, type Harness, PASSWORD } from '../../../support/harness'
import { lockWaiters } from '../../../support/locks'
import { register } from '../../../support/passkeys'
import { withTotp } from '../../../support/totp'
import { useHarness } from '../../../support/use-harness'
import { age, NOT_RECENT, ONLY, PROVIDER, PROVIDER_ONLY, WRONG } from './proof.scene'

const [watched, watchedOnly] = [watchedHasher(), watchedHasher()]
const h = useHarness({ env: PROVIDER, deps: { hasher: watched.hasher } })
const only = useHarness({ env: PROVIDER_ONLY, deps: { hasher: watchedOnly.hasher } })
beforeEach(async () => {
  for (const { db, clock } of [h, only]) {
    const flags = { allowPasswordless: true, updatedAt: clock.now() }
    await db.insert(systemConfig).values(flags).onConflictDoUpdate({ target: systemConfig.id, set: flags })
  }
})

type Given = Readonly<Record<string, unknown>>

interface Operation {
  readonly name: string
  readonly method: string
  readonly path: string
  readonly field: string
  readonly status: number
  readonly isRefusedOnly?: boolean
  /** Makes what the operation needs. Returns what it takes besides a proof. */
  readonly prepare: (service: Harness, actor: Actor) => Promise<Given>
}

const OPERATIONS: readonly Operation[] = [
  {
    name: 'changing the password',
    method: 'POST',
    path: '/api/auth/change-password',
    field: 'old_password',
    status: 200,
    isRefusedOnly: true,
    prepare: async () => ({ new_password: NEW_PASSWORD }),
  },
  {
    name: 'turning the authenticator off',
    method: 'POST',
    path: '/api/auth/totp/disable',
    field: 'password',
    status: 200,
    prepare: async (service, actor) => ({ code: (await withTotp(service, actor)).backupCodes[0] }),
  },
  {
    name: 'new backup codes',
    method: 'POST',
    path: '/api/auth/totp/backup-codes',
    field: 'password',
    status: 200,
    prepare: async (service, actor) => {
      const { secret } = await withTotp(service, actor)
      return { code: codeAt(secret, service.clock.now()) }
    },
  },
  {
    name: 'turning password sign-in off',
    method: 'PUT',
    path: '/api/auth/passkeys/passwordless/enable',
    field: 'password',
    status: 200,
    isRefusedOnly: true,
    prepare: async (_, actor) => {
      for (let count = 0; count < 2; count++) await register(actor)
      return {}
    },
  },
  {
    name: 'deleting the account',
    method: 'DELETE',
    path: '/api/auth/account',
    field: 'password',
    status: 204,
    prepare: async () => ({}),
  },
]

describe.each(OPERATIONS)('$name', ({ method, path, field, status, isRefusedOnly, prepare }) => {
  const attempt = (actor: Actor, given: Given, password?: string) =>
    actor.request(method, path, { body: { ...given, [field]: password } })

  test('takes the password, and not a recent session, where there is one', async () => {
    const ada = await h.signedIn()
    const given = await prepare(h, ada)
    const missing = await attempt(ada, given)
    const errors = [{ field: `body.${field}`, message: 'is required' }]
    expect([missing.status, missing.body]).toEqual([422, { detail: `${field}: is required`, errors }])
    expect(await attempt(ada, given, 'wrong')).toMatchObject(WRONG)
    await age(h, ada)
    expect((await attempt(ada, given, PASSWORD)).status).toBe(status)
  })

  const NEVER = [
    { kind: 'an account without a password', service: h, hashes: watched, columns: { passwordHash: NO_PASSWORD } },
    { kind: 'OIDC_ONLY', service: only, hashes: watchedOnly, columns: {} },
  ] // prettier-ignore

  test.each(NEVER.filter(({ service }) => service === h || !isRefusedOnly))(
    'takes a recent session, and no password, with $kind',
    async ({ service, columns, hashes }) => {
      const ada = await service.signedIn(columns)
      const given = await prepare(service, ada)
      const before = hashes.verified.length
      await age(service, ada)
      for (const password of [undefined, PASSWORD, 'wrong'])
        expect(await attempt(ada, given, password)).toMatchObject(NOT_RECENT)
      expect((await userOf(service, ada.row.id)).failedLoginCount).toBe(0)
      const fresh = await service.session(ada.row.id)
      const answer = await service.request(method, path, {
        body: { ...given, [field]: 'ignored' },
        cookie: fresh.token,
      })
      expect(answer.status).toBe(status)
      expect(hashes.verified.length).toBe(before)
    },
  )

  test.each(NEVER)('never locks an account by tries with $kind', async ({ service, columns }) => {
    const ada = await service.signedIn(columns)
    const given = await prepare(service, ada)
    await age(service, ada)
    for (let tries = 0; tries < 12; tries++)
      expect((await attempt(ada, given, 'a wrong password')).status).toBe(403)
    expect(await userOf(service, ada.row.id)).toMatchObject({ failedLoginCount: 0, lockedUntil: null })
    expect(hasHappened(await actionsOf(service, ada.row.id))).toBe(false)
  })

  test.each(NEVER.filter(({ service }) => service === h || !isRefusedOnly))(
    'is refused while wrong codes have locked the account, with $kind',
    async ({ service, columns }) => {
      const ada = await service.signedIn(columns)
      const given = await prepare(service, ada)
      const mfaLockedUntil = addMinutes(service.clock.now(), 30)
      await service.db.update(users).set({ mfaLockedUntil }).where(eq(users.id, ada.row.id))
      expect((await attempt(ada, given)).status).toBe(423)
      expect(await userOf(service, ada.row.id)).toMatchObject({ mfaLockedUntil })
    },
  )
})

const DONE = /password_changed|totp_disabled|backup_codes_renewed|passwordless_enabled|account_deleted/
const hasHappened = (actions: readonly string[]) => actions.some((action) => DONE.test(action))

test.each(OPERATIONS.filter(({ isRefusedOnly }) => isRefusedOnly))(
  '$name is refused with OIDC_ONLY, whatever the proof',
  async ({ method, path, field, prepare }) => {
    const ada = await only.signedIn()
    const given = await prepare(only, ada)
    const attempt = (password?: string) =>
      ada.request(method, path, { body: { ...given, [field]: password } })
    for (const password of [undefined, PASSWORD, 'wrong']) expect(await attempt(password)).toMatchObject(ONLY)
    await age(only, ada)
    expect(await attempt(PASSWORD)).toMatchObject(ONLY)
    expect(await userOf(only, ada.row.id)).toMatchObject({
      passwordHash: ada.row.passwordHash,
      passwordlessEnabled: false,
      failedLoginCount: 0,
    })
  },
)

test('ten wrong codes lock an account without a password, however recent its session is', async () => {
  const ada = await h.signedIn({ passwordHash: NO_PASSWORD })
  const { secret } = await withTotp(h, ada)
  const disable = (code: string) => ada.request('POST', '/api/auth/totp/disable', { body: { code } })
  const wrong = wrongCodeAt(secret, h.clock.now())
  for (let tries = 0; tries < 10; tries++) expect((await disable(wrong)).status).toBe(400)
  expect((await disable(codeAt(secret, h.clock.now()))).status).toBe(423)
})

test('a stolen session that has not proved itself lately cannot delete the account, locked or not', async () => {
  const ada = await h.signedIn({ passwordHash: NO_PASSWORD })
  await age(h, ada)
  const remove = () => ada.request('DELETE', '/api/auth/account', { body: {} })
  expect(await remove()).toMatchObject(NOT_RECENT)
  await ada.request('POST', '/api/auth/lock')
  expect(await remove()).toMatchObject({ status: 423, body: { code: 'session_locked' } })
  expect((await userOf(h, ada.row.id)).id).toBe(ada.row.id)
})

describe('meanwhile', () => {
  let holder: ReturnType<typeof connectTo>
  let watcher: ReturnType<typeof connectTo>
  beforeAll(() => {
    holder = connectTo(h.url)
    watcher = connectTo(h.url)
  })
  afterAll(() => Promise.all([holder.end(), watcher.end()]))

  /** What a deletion without a password answers that waits while `change` is made. */
  async function deletionAfter(ada: Actor, change: (sql: typeof holder) => Promise<unknown>) {
    let answer: ReturnType<Actor['request']> | undefined
    await holder.begin(async (sql) => {
      await sql`select 1 from users where id = ${ada.row.id} for update`
      answer = ada.request('DELETE', '/api/auth/account', { body: {} })
      await lockWaiters(watcher)
      await change(sql as unknown as typeof holder)
    })
    return answer
  }

  test('a password that is set is asked for', async () => {
    const ada = await h.signedIn({ passwordHash: NO_PASSWORD })
    const answer = await deletionAfter(
      ada,
      (sql) => sql`update users set password_hash = 'fake:other' where id = ${ada.row.id}`,
    )
    expect(answer).toMatchObject({ status: 422, body: { detail: 'password: is required' } })
    expect(await h.db.select().from(operations).where(eq(operations.userId, ada.row.id))).toEqual([])
  })

  test('an account that is gone is gone', async () => {
    const ada = await h.signedIn({ passwordHash: NO_PASSWORD })
    const answer = await deletionAfter(ada, (sql) => sql`delete from users where id = ${ada.row.id}`)
    expect(answer?.status).toBe(401)
  })

  test('a lock that begins holds', async () => {
    const ada = await h.signedIn({ passwordHash: NO_PASSWORD })
    const until = addMinutes(h.clock.now(), 30).toISOString()
    const answer = await deletionAfter(
      ada,
      (sql) => sql`update users set mfa_locked_until = ${until} where id = ${ada.row.id}`,
    )
    expect(answer?.status).toBe(423)
  })
})

describe('verifying a password', () => {
  const verify = (actor: Actor, password: string) =>
    actor.request('POST', '/api/auth/verify-password', { body: { password } })

  test('that is none opens no locked session, however recent it is, and counts nothing', async () => {
    const ada = await h.signedIn({ passwordHash: NO_PASSWORD })
    await ada.request('POST', '/api/auth/lock')
    for (let tries = 0; tries < 12; tries++) expect(await verify(ada, 'anything')).toMatchObject(WRONG)
    expect((await sessionOf(h, ada.sid)).isLocked).toBe(true)
    expect(await userOf(h, ada.row.id)).toMatchObject({ failedLoginCount: 0, lockedUntil: null })
    expect((await ada.request('POST', '/api/auth/verify-password', { body: {} })).status).toBe(422)
  })
})

test('guesses at the sign-in are answered like those for an unknown user, and lock no account without a password', async () => {
  const ada = await h.user({ passwordHash: NO_PASSWORD })
  for (let tries = 0; tries < 12; tries++) {
    const [known, unknown] = [await login(h, ada.username, 'a guess'), await login(h, 'nobody', 'a guess')]
    expect([known.status, known.body]).toEqual([unknown.status, unknown.body])
  }
  expect(await userOf(h, ada.id)).toMatchObject({ failedLoginCount: 0, lockedUntil: null })
  expect(watched.verified).toContain(NO_PASSWORD)
})
