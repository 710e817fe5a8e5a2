import { afterAll, beforeAll, expect, test } from 'bun:test'
import { createPasswordHasher } from '../../../../src/adapters/password-hasher'
import { login, NEW_PASSWORD, newcomer, userOf } from '../../../support/accounts'
import { type Actor, type Harness, PASSWORD, startHarness } from '../../../support/harness'

const hasher = createPasswordHasher({ workers: 1 })
let h: Harness
beforeAll(async () => {
  h = await startHarness({ env: { AUTH_RATE_LIMIT: 'off' }, deps: { hasher } })
})
afterAll(async () => {
  await h[Symbol.asyncDispose]()
  await hasher.close()
})

test('A password is kept as an Argon2id hash with the present parameters', async () => {
  await h.request('POST', '/api/auth/setup', { body: newcomer('root') })
  const root = await h.db.query.users.findFirst()
  expect(root?.passwordHash).toStartWith('$argon2id$v=19$m=19456,t=2,p=1$')
})

test.each([
  ['a sign-in', ({ row }: Actor, password: string) => login(h, row.username, password)],
  [
    'a check of the password',
    (ada: Actor, password: string) =>
      ada.request('POST', '/api/auth/verify-password', { body: { password } }),
  ],
  [
    'a change of the password',
    (ada: Actor, old_password: string) =>
      ada.request('POST', '/api/auth/change-password', {
        body: { old_password, new_password: NEW_PASSWORD },
      }),
  ],
] as const)(
  '%s replaces a bcrypt hash by Argon2id once the password is right, and shows neither',
  async (_, attempt) => {
    const legacy = await Bun.password.hash(PASSWORD, { algorithm: 'bcrypt', cost: 4 })
    const ada = await h.signedIn({ passwordHash: legacy })
    await attempt(ada, 'wrong')
    expect((await userOf(h, ada.row.id)).passwordHash).toBe(legacy)
    const answered = await attempt(ada, PASSWORD)
    expect(answered.status).toBe(200)
    expect((await userOf(h, ada.row.id)).passwordHash).toStartWith('$argon2id$')
    expect(JSON.stringify(answered.body)).not.toMatch(/hash|argon2/i)
  },
)
