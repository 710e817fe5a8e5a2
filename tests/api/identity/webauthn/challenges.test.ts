import { expect, test } from 'bun:test'
import { webauthnChallenges } from '../../../../src/db/schema'
import { purgeChallenges } from '../../../../src/features/identity/webauthn/service'
import { PASSWORD } from '../../../support/harness'
import { begin, complete, register } from '../../../support/passkeys'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off' } })

test('challenges that nobody answers are purged once they are worth nothing', async () => {
  await begin(h)
  h.clock.advance({ minutes: 4 })
  const { challenge } = await begin(h)
  h.clock.advance({ minutes: 1 })
  expect(await purgeChallenges(h.deps)).toBe(1)
  const digest = new Bun.CryptoHasher('sha256').update(challenge).digest('hex')
  expect(await h.db.select().from(webauthnChallenges)).toMatchObject([{ challengeHash: digest }])
})

test('a change of password ends the ceremonies of its user', async () => {
  const ada = await h.signedIn()
  const { authenticator } = await register(ada)
  const [own, anybody] = [await begin(ada), await begin(h)]
  const body = { old_password: PASSWORD, new_password: 'a whole new password' }
  expect((await ada.request('POST', '/api/auth/change-password', { body })).status).toBe(200)
  expect((await complete(h, { credential: await authenticator.get(own) })).status).toBe(401)
  expect((await complete(h, { credential: await authenticator.get(anybody) })).status).toBe(200)
})
