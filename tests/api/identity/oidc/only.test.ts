import { describe, expect, test } from 'bun:test'
import { createApp } from '../../../../src/app'
import { commandPath, spawnProgram } from '../../../support/service'
import { login, NEW_PASSWORD, newcomer, userOf } from '../../../support/accounts'
import { RunningClock } from '../../../support/fakes'
import { PASSWORD, startHarness } from '../../../support/harness'
import { openBrowser } from '../../../support/oidc-browser'
import { useOidcProvider } from '../../../support/oidc-provider'
import { complete, register } from '../../../support/passkeys'
import { useHarness } from '../../../support/use-harness'
import { hashPassword, verifyPassword } from '../../../../src/adapters/password-hash'
import { hashEngine } from '../../../../src/adapters/password-hash.engines'
import { systemRandom } from '../../../../src/adapters/random'

const provider = await useOidcProvider()

/** As the command hashes, so that the service can verify what it printed. */
const engine = hashEngine('wasm')
const hasher = {
  hash: (password: string) => hashPassword(engine, password, systemRandom.bytes(16)),
  verify: (password: string, hash: string) =>
    hash.startsWith('fake:')
      ? Promise.resolve({ ok: hash === `fake:${password}` } as const)
      : verifyPassword(engine, password, hash, systemRandom.bytes(16)),
}
const h = useHarness({
  env: { ...provider.env, OIDC_ONLY: 'on' },
  clock: new RunningClock(new Date().toISOString()),
  deps: { hasher },
})

const REFUSED = { detail: 'Sign in with Home' }

describe('with OIDC_ONLY', () => {
  test('nobody signs in or proves themselves by a password, right or wrong, known or unknown', async () => {
    const ada = await h.signedIn({ username: 'ada' })
    for (const answer of [
      await login(h, 'ada'),
      await login(h, 'ada', 'a wrong password'),
      await login(h, 'nobody'),
      await ada.request('POST', '/api/auth/verify-password', { body: { password: PASSWORD } }),
      await h.request('POST', '/api/auth/register', { body: newcomer('bob') }),
    ])
      expect([answer.status, answer.body]).toEqual([403, REFUSED])
    expect((await userOf(h, ada.row.id)).failedLoginCount).toBe(0)
  })

  test('nobody signs in or unlocks a session by a passkey, not even by one that did so before', async () => {
    const ada = await h.signedIn()
    const { authenticator } = await register(ada)
    const before = createApp({ ...h.deps, config: { ...h.deps.config, oidc: undefined } })
    const post = async (path: string, body?: object) => {
      const headers = { 'content-type': 'application/json' }
      const sent = { method: 'POST', ...(body && { headers, body: JSON.stringify(body) }) }
      const answer = await before.fetch(new Request(`http://localhost/api/auth/passkeys/login/${path}`, sent))
      return { status: answer.status, body: await answer.json() }
    }
    const prove = async () => authenticator.get((await post('begin')).body.options)
    const begun = await h.request('POST', '/api/auth/passkeys/login/begin')
    expect([begun.status, begun.body]).toEqual([403, REFUSED])
    for (const unlock of [true, false]) {
      const answer = await complete(ada, { credential: await prove(), unlock })
      expect([answer.status, answer.body]).toEqual([403, REFUSED])
    }
    expect((await post('complete', { credential: await prove() })).status).toBe(200)
  })

  test('registration is closed, and set-up still makes the first account', async () => {
    await using empty = await startHarness({
      env: { ...provider.env, OIDC_ONLY: 'on', OIDC_REGISTER: 'on' },
      clock: new RunningClock(new Date().toISOString()),
    })
    const early = openBrowser(empty)
    expect((await early.signOn({ sub: 'early', claims: {} })).location).toBe(
      '/sign-in?error=registration_failed',
    )
    const { email: _, ...body } = newcomer('ada')
    expect((await empty.request('POST', '/api/auth/setup', { body })).status).toBe(200)
    expect((await empty.request('GET', '/api/auth/status')).body.registration_open).toBe(false)
    expect((await early.signOn({ sub: 'early', claims: {} })).location).toBe('/')
  })

  test('the last identity stays, whatever passwords and passkeys there are', async () => {
    const ada = await h.signedIn()
    await openBrowser(h, ada.token).signOn({ sub: 'last', claims: {} }, '?purpose=link')
    const [identity] = (await ada.request('GET', '/api/auth/identities')).body.identities
    const unlink = () => ada.request('DELETE', `/api/auth/identities/${identity.id}`)
    const refused = await unlink()
    expect([refused.status, refused.body]).toEqual([409, { detail: 'Link another sign-in first' }])
    await openBrowser(h, ada.token).signOn({ sub: 'other', claims: {} }, '?purpose=link')
    expect((await unlink()).status).toBe(204)
  })

  test("an administrator's reset over HTTP is no way around the provider", async () => {
    const admin = await h.signedIn({ role: 'admin' })
    const ada = await h.user()
    const reset = await admin.request('POST', `/api/admin/users/${ada.id}/reset-password`)
    expect(reset.status).toBe(200)
    const answer = await login(h, ada.username, reset.body.temporary_password)
    expect([answer.status, answer.body]).toEqual([403, REFUSED])
  })

  test('bun run admin reset-password is the way back, until that password is changed', async () => {
    const carol = await h.user({ username: 'carol', role: 'admin' })
    const { exitCode, stdout } = await spawnProgram({
      args: [commandPath('admin'), 'reset-password', 'carol'],
      env: {
        DATABASE_URL: h.url,
        SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests',
        ...provider.env,
        OIDC_ONLY: 'on',
      },
    }).finished()
    expect(exitCode).toBe(0)
    const temporary = stdout.trim().split('\n').at(-1) ?? ''
    expect((await login(h, 'carol', 'a wrong password')).status).toBe(401)
    const back = await login(h, 'carol', temporary)
    expect([back.status, back.body]).toEqual([200, { authenticated: true, must_change_password: true }])
    const browser = openBrowser(h, /session=([^;]+)/.exec(back.headers.get('set-cookie') ?? '')?.[1])
    const changed = await h.request('POST', '/api/auth/change-password', {
      body: { old_password: temporary, new_password: NEW_PASSWORD },
      cookie: browser.session ?? '',
    })
    expect(changed.status).toBe(200)
    browser.own.set('session', /session=([^;]+)/.exec(changed.headers.get('set-cookie') ?? '')?.[1] ?? '')
    const again = await login(h, 'carol', NEW_PASSWORD)
    expect([again.status, again.body]).toEqual([403, REFUSED])
    expect((await browser.signOn({ sub: 'carol', claims: {} }, '?purpose=link')).location).toBe(
      '/settings/security',
    )
    const other = openBrowser(h)
    expect((await other.signOn({ sub: 'carol', claims: {} })).location).toBe('/')
    expect((await other.request('GET', '/api/auth/status')).body.user_id).toBe(carol.id)
  }, 60_000)
})
