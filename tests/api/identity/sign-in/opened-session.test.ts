import { expect, test } from 'bun:test'
import { auditOf, login, sessionsOf } from '../../../support/accounts'
import { PASSWORD, setCookieOf, startHarness } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off', TRUSTED_PROXIES: '203.0.113.0/24' } })

/** The attributes of the cookie that a sign-in sets on a service with this configuration. */
async function attributesWith(env: Record<string, string>) {
  await using configured = await startHarness({ env })
  const { username } = await configured.user()
  return setCookieOf((await login(configured, username)).headers)?.attributes
}

test('A sign-in sets one cookie, named session, whose token names the user and the session', async () => {
  const ada = await h.user()
  const { headers } = await login(h, ada.username)
  expect(headers.getSetCookie()).toEqual([expect.stringMatching(/^session=v1\.[^;]+;/)])
  const [session] = await sessionsOf(h, ada.id)
  const claims = h.deps.tokens.verify(setCookieOf(headers)?.value ?? '')
  expect(claims).toMatchObject({ uid: ada.id, sid: session?.id })
})

test('COOKIE_SECURE decides whether the session cookie is secure', async () => {
  expect(await attributesWith({ COOKIE_SECURE: 'true' })).toContain('Secure')
  expect(await attributesWith({ COOKIE_SECURE: 'false' })).not.toContain('Secure')
})

test('The session cookie lives as many days as SESSION_MAX_AGE_DAYS says', async () => {
  expect(await attributesWith({ SESSION_MAX_AGE_DAYS: '1' })).toContain('Max-Age=86400')
  expect(await attributesWith({ SESSION_MAX_AGE_DAYS: '30' })).toContain('Max-Age=2592000')
})

test('A session and its audit entry keep the first 45 characters of the address', async () => {
  const longest = '0000:0000:0000:0000:0000:ffff:203.100.113.107'
  for (const address of [longest, `${longest}%interface`]) {
    const { id, username } = await h.user()
    expect((await login(h, username, PASSWORD, { 'x-forwarded-for': address })).status).toBe(200)
    expect(await sessionsOf(h, id)).toMatchObject([{ ipAddress: longest }])
    expect(await auditOf(h, id)).toMatchObject([{ ip: longest }])
  }
  expect(longest).toHaveLength(45)
})

test('A session keeps the first 255 characters of the user agent', async () => {
  const longest = `Tests/${'1'.repeat(249)}`
  for (const userAgent of [longest, `${longest}0`, longest + 'x'.repeat(5000)]) {
    const { id, username } = await h.user()
    expect((await login(h, username, PASSWORD, { 'user-agent': userAgent })).status).toBe(200)
    expect(await sessionsOf(h, id)).toMatchObject([{ userAgent: longest }])
  }
  expect(longest).toHaveLength(255)
})
