import { describe, expect, test } from 'bun:test'
import { redirectUriOf } from '../../src/adapters/oidc'
import { loadConfig } from '../../src/config'
import { startHarness, TEST_HOST } from '../support/harness'
import { openBrowser } from '../support/oidc-browser'
import { blockIn, fileText } from '../support/readme'

const GUIDE = 'src/deploy/sign-on.md'
const text = await fileText(GUIDE)
const PUBLIC_URL = 'https://organiser.example'
const LOGOUT = '/api/auth/oidc/back-channel-logout'

/** The variables of a block of the guide. */
const environmentOf = (provider: string): Record<string, string> =>
  Object.fromEntries(
    blockIn(text, `env ${provider}`, GUIDE)
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  )

const PROVIDERS = ['authentik', 'authelia', 'keycloak', 'pocket-id']

describe('the guide to single sign-on', () => {
  test.each(PROVIDERS)('has settings for %s with which the service starts', async (provider) => {
    const env: Record<string, string> = { ...environmentOf(provider), PUBLIC_URL }
    const { oidc } = loadConfig(env, TEST_HOST)
    expect(oidc).toMatchObject({ issuer: env['OIDC_ISSUER'], scopes: 'openid profile email', isOnly: false })
    await using h = await startHarness({ env })
    const { body } = await h.request('GET', '/api/auth/status')
    expect(body.oidc).toEqual({ name: env['OIDC_NAME'], is_only: false })
    // The provider of the example is not there, for which the start does not wait.
    expect((await openBrowser(h).begin()).location).toBe('/sign-in?error=provider_unavailable')
  })

  test('has a section for each of them, and for no other', () => {
    const fences = [...text.matchAll(/^```env (\S+)$/gm)].map(([, provider]) => provider)
    expect(fences).toEqual(PROVIDERS)
  })

  test('has an entry for Authelia that fits what the service asks for', () => {
    const { identity_providers: providers } = Bun.YAML.parse(blockIn(text, 'yaml authelia', GUIDE)) as {
      identity_providers: { oidc: { clients: readonly unknown[] } }
    }
    const { oidc } = loadConfig({ ...environmentOf('authelia'), PUBLIC_URL }, TEST_HOST)
    expect(providers.oidc.clients).toMatchObject([
      {
        client_id: oidc?.clientId,
        redirect_uris: [redirectUriOf(PUBLIC_URL)],
        scopes: oidc?.scopes.split(' '),
        require_pkce: true,
        pkce_challenge_method: 'S256',
        token_endpoint_auth_method: 'client_secret_basic',
      },
    ])
  })

  test('names no address that the service does not have', async () => {
    const addresses = new Set(
      [...text.matchAll(/https:\/\/organiser\.example(\/[\w/-]+)/g)].map(([, path]) => path),
    )
    expect(addresses).toEqual(new Set(['/api/auth/oidc/callback', LOGOUT]))
    await using h = await startHarness({ env: { ...environmentOf('keycloak'), PUBLIC_URL } })
    expect((await h.request('GET', '/api/auth/oidc/callback')).status).toBe(302)
    const headers = { 'content-type': 'application/x-www-form-urlencoded' }
    expect((await h.request('POST', LOGOUT, { body: 'logout_token=x', headers })).status).toBe(400)
  })
})
