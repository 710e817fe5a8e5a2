import { describe, expect, test } from 'bun:test'
import { NO_PASSWORD } from '../../../../src/features/identity/passwords/rules'
import { actionsOf, login, NEW_PASSWORD, sessionOf, userOf } from '../../../support/accounts'
import { watchedHasher } from '../../../support/fakes'
import { type Actor, type Harness, PASSWORD, setCookieOf } from '../../../support/harness'
import { begin, register } from '../../../support/passkeys'
import { statusesOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'
import { age, NOT_RECENT, ONLY, PROVIDER, PROVIDER_ONLY, WRONG } from './proof.scene'

const watched = watchedHasher()
const h = useHarness({ env: PROVIDER, deps: { hasher: watched.hasher } })
const only = useHarness({ env: PROVIDER_ONLY })

const CHANGE = '/api/auth/change-password'

describe('the first password', () => {
  const set = (actor: Actor, new_password: string, more = {}) =>
    actor.request('POST', CHANGE, { body: { new_password, ...more } })

  test('signs in from then on, ends the other sessions, and is asked for when it is changed', async () => {
    const ada = await h.signedIn({ passwordHash: NO_PASSWORD })
    const other = await h.session(ada.row.id)
    const answer = await set(ada, NEW_PASSWORD)
    expect([answer.status, answer.body]).toEqual([200, { message: 'Password changed', sessions_revoked: 1 }])
    expect((await sessionOf(h, other.id)).revoked).toBe(true)
    expect(await actionsOf(h, ada.row.id)).toEqual(['auth.password_changed'])
    expect((await login(h, ada.row.username, NEW_PASSWORD)).status).toBe(200)
    const cookie = setCookieOf(answer.headers)?.value ?? ''
    const status = await h.request('GET', '/api/auth/status', { cookie })
    expect(status.body.has_password).toBe(true)
    const again = await h.request('POST', CHANGE, { body: { new_password: 'yet another password' }, cookie })
    expect(again.body.detail).toBe('old_password: is required')
  })

  test('keeps the policy, and an old password that was given with it is not compared', async () => {
    const ada = await h.signedIn({ passwordHash: NO_PASSWORD })
    expect((await set(ada, 'short')).body.detail).toBe('new_password: must be at least 12 characters')
    expect((await set(ada, NEW_PASSWORD, { old_password: NEW_PASSWORD })).status).toBe(200)
  })

  test('is not hashed, nor judged, for a session that is not recent', async () => {
    const ada = await h.signedIn({ passwordHash: NO_PASSWORD })
    await age(h, ada)
    expect(await set(ada, 'short')).toMatchObject(NOT_RECENT)
    expect(await set(ada, 'never to be hashed')).toMatchObject(NOT_RECENT)
    expect(watched.hashed).not.toContain('never to be hashed')
  })

  test('is set once by two sessions at once, and the other one has ended', async () => {
    // The other one comes a little later each time.
    for (let round = 0; round < 40; round++) {
      const { id } = await h.user({ passwordHash: NO_PASSWORD })
      const answers = await Promise.all(
        [await h.session(id), await h.session(id)].map(async ({ token: cookie }, place) => {
          await Bun.sleep((place * round) / 4)
          return h.request('POST', CHANGE, { body: { new_password: `${NEW_PASSWORD} ${place}` }, cookie })
        }),
      )
      expect(statusesOf(answers)).toEqual([200, 401])
    }
  })
})

describe('with OIDC_ONLY', () => {
  const DUE = { mustChangePassword: true }

  test('a password that must be changed is changed in a recent session, without the old one', async () => {
    const ada = await only.signedIn(DUE)
    const body = { new_password: NEW_PASSWORD }
    await age(only, ada)
    expect(await ada.request('POST', CHANGE, { body })).toMatchObject(NOT_RECENT)
    const { token: cookie } = await only.session(ada.row.id)
    expect((await only.request('POST', CHANGE, { body, cookie })).status).toBe(200)
    expect((await userOf(only, ada.row.id)).mustChangePassword).toBe(false)
  })

  test('that of the operator proves until it is changed: it unlocks, and is asked for', async () => {
    const carol = await only.signedIn({ ...DUE, passwordByOperator: true })
    const statusOf = async (cookie: string) =>
      (await only.request('GET', '/api/auth/status', { cookie })).body.has_password
    expect(await statusOf(carol.token)).toBe(true)
    await carol.request('POST', '/api/auth/lock')
    const verified = await carol.request('POST', '/api/auth/verify-password', {
      body: { password: PASSWORD },
    })
    expect(verified.status).toBe(200)
    const change = (old_password?: string) =>
      carol.request('POST', CHANGE, { body: { old_password, new_password: NEW_PASSWORD } })
    expect((await change()).body.detail).toBe('old_password: is required')
    expect(await change('wrong')).toMatchObject(WRONG)
    expect((await userOf(only, carol.row.id)).failedLoginCount).toBe(1)
    const changed = await change(PASSWORD)
    expect(changed.status).toBe(200)
    const cookie = setCookieOf(changed.headers)?.value ?? ''
    expect(await statusOf(cookie)).toBe(false)
    const body = { old_password: NEW_PASSWORD, new_password: 'yet another password' }
    expect(await only.request('POST', CHANGE, { body, cookie })).toMatchObject(ONLY)
  })

  test('a passkey does not turn password sign-in on again', async () => {
    const ada = await only.signedIn()
    const { authenticator } = await register(ada)
    const started = await ada.request('POST', '/api/auth/passkeys/passwordless/disable/begin')
    expect(started).toMatchObject(ONLY)
    const options = await begin(h)
    const credential = await authenticator.get(options)
    const answer = await ada.request('PUT', '/api/auth/passkeys/passwordless/disable', {
      body: { credential },
    })
    expect(answer).toMatchObject(ONLY)
  })
})

test('the status tells whose password proves something', async () => {
  const told = async (service: Harness, columns: Parameters<Harness['user']>[0]) => {
    const { body } = await (await service.signedIn(columns)).request('GET', '/api/auth/status')
    return [body.has_password, body.oidc]
  }
  const home = (is_only: boolean) => ({ name: 'Home', is_only })
  expect(await told(h, {})).toEqual([true, home(false)])
  expect(await told(h, { passwordHash: NO_PASSWORD })).toEqual([false, home(false)])
  expect(await told(only, {})).toEqual([false, home(true)])
})
