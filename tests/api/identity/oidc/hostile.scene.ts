import { expect } from 'bun:test'
import { auditLog, identities, sessions, users } from '../../../../src/db/schema'
import type { Harness } from '../../../support/harness'
import type { startHostileProvider } from '../../../support/hostile-provider'
import { type Browser, OIDC, openBrowser } from '../../../support/oidc-browser'

export const [EXPIRED, REFUSED, UNAVAILABLE] = [
  '/sign-in?error=expired',
  '/sign-in?error=provider_refused',
  '/sign-in?error=provider_unavailable',
]

type Provider = Awaited<ReturnType<typeof startHostileProvider>>

/** Begins, and returns what a good provider would send back. */
export async function beginAt(provider: Provider, browser: Browser, query = '') {
  const { location } = await browser.begin(query)
  const asked = new URL(location).searchParams
  provider.state.nonce = asked.get('nonce') ?? ''
  return {
    asked,
    answer: { state: asked.get('state') ?? '', code: 'a-code', iss: provider.issuer },
  }
}

export const comeBack = (browser: Browser, answer: Record<string, string>) =>
  browser.request('GET', `${OIDC}/callback?${new URLSearchParams(answer)}`)

/** Where a browser goes that begins and comes back as a good provider has it. */
export async function signOnAt(h: Harness, provider: Provider, browser = openBrowser(h)): Promise<string> {
  const { answer } = await beginAt(provider, browser)
  return (await comeBack(browser, answer)).location
}

/** Expects that nobody was signed in, and returns where the browser went. */
export async function expectRefused(h: Harness, browser: Browser, location: string): Promise<string> {
  expect(browser.session).toBeUndefined()
  expect(await h.db.select().from(sessions)).toEqual([])
  expect(await h.db.select().from(identities)).toEqual([])
  expect((await h.db.select().from(users)).length).toBe(1)
  const [entry] = await h.db.select().from(auditLog)
  expect(entry).toMatchObject({ action: 'auth.oidc_login_failed', actorId: null })
  expect(h.log.entries.map(({ message }) => message)).toContain('A sign-in at the identity provider failed')
  return location
}
