import type { Page } from 'playwright-core'
import type { WebScreen } from './screens'
import { button, dialog, field, json } from './steps'

const FILLED = ['filled'] as const
const BOTH = ['filled', 'empty'] as const
const PLACE = '/settings/security'
const ASSISTANTS = '/settings/assistants'
const TOKENS = '/settings/security/tokens'
const CODES = Array.from({ length: 10 }, (_, place) => `ABCD${place}-FGHJ${place}`)

const AUTHENTICATOR_ON = {
  enabled: true,
  confirmed_at: '2026-02-01T10:00:00Z',
  backup_codes_remaining: 2,
  required: false,
}

const passkey = (id: number, name: string, isBackedUp: boolean) => ({
  id,
  name,
  created_at: '2026-01-05T10:00:00Z',
  last_used_at: isBackedUp ? '2026-03-03T07:41:00Z' : null,
  device_type: isBackedUp ? 'multiDevice' : 'singleDevice',
  backed_up: isBackedUp,
  transports: ['internal'],
})

/** Somebody who has an authenticator and two passkeys. */
async function protectedWell(page: Page) {
  await json(page, '**/api/auth/totp/status', 200, AUTHENTICATOR_ON)
  await json(page, '**/api/auth/passkeys', 200, {
    passkeys: [passkey(1, 'Laptop', true), passkey(2, 'Theirs', false)],
  })
}

/** The service's status says something else as well. */
const withStatus = (page: Page, told: object) =>
  page.route('**/api/auth/status', async (route) => {
    const response = await route.fetch()
    await route.fulfill({ response, json: { ...(await response.json()), ...told } })
  })

/** The household has an identity provider, and a sign-in there is linked. */
async function withProvider(page: Page, told: object = {}) {
  await withStatus(page, { oidc: { name: 'Family sign-in', is_only: false }, ...told })
  const identity = { id: 1, issuer: 'https://id.example', name: 'Theirs', email: null }
  await json(page, '**/api/auth/identities', 200, {
    identities: [{ ...identity, created_at: '2026-01-05T10:00:00Z', last_used_at: '2026-03-03T07:41:00Z' }],
  })
}

/** The account has no password: it came with the provider. */
const withoutPassword = (page: Page) => withProvider(page, { has_password: false })

/** Passwords and passkeys prove nothing. */
async function withProviderOnly(page: Page) {
  await protectedWell(page)
  await withProvider(page, { has_password: false, oidc: { name: 'Family sign-in', is_only: true } })
}

/** The clock of the device is five minutes ahead. */
const runFast = (page: Page) =>
  page.addInitScript(() => {
    const real = Temporal.Now.instant.bind(Temporal.Now)
    Object.defineProperty(Temporal.Now, 'instant', { value: () => real().add({ minutes: 5 }) })
  })

async function setUp(page: Page) {
  await button(page, 'Set up an authenticator')
  await page.getByRole('main').locator('svg.qr path').first().waitFor()
}

/** Makes what the dialog that is open describes. */
async function create(page: Page, name: string) {
  await field(page, 'Name').fill(name)
  await field(page, 'Calendars').selectOption('write')
  await button(page, 'Create')
  await page.locator('.new-secret').waitFor()
}

export const SECURITY: readonly WebScreen[] = [
  { name: 'security with everything on', at: PLACE, as: FILLED, before: protectedWell },
  { name: 'security that could not be read', at: PLACE, as: FILLED, before: (page) => json(page, '**/api/auth/{totp,passkeys}**', 503, {}) },
  { name: 'sign-in with a provider', at: '/sign-in?error=not_linked', as: ['visitor'], before: (page) => withProvider(page) },
  { name: 'single sign-on', at: `${PLACE}?error=already_linked`, as: FILLED, before: (page) => withProvider(page) },
  { name: 'unlink a sign-in', at: PLACE, as: FILLED, before: (page) => withProvider(page), show: async (page) => {
      await page.locator('.fact-lines button').last().click()
      await dialog(page, 'Unlink sign-in')
    } },
  { name: 'security without a password', at: PLACE, as: FILLED, before: withoutPassword },
  { name: 'security with the provider alone', at: PLACE, as: FILLED, before: withProviderOnly },
  { name: 'locked without a password', at: '/today', as: ['locked'], before: withoutPassword },
  { name: 'change a password that proves nothing', at: '/change-password', as: ['forced'], before: withProviderOnly },
  { name: 'confirm it is you without a password', at: PLACE, as: FILLED, before: withoutPassword, show: async (page) => {
      await json(page, '**/api/auth/totp/setup', 403, { detail: 'x', code: 'reauthentication_required' })
      await button(page, 'Set up an authenticator')
      await dialog(page, 'Confirm it is you')
    } },
  { name: 'sign in again without a password', at: '/events/new?from=2026-03-10T12:00', as: FILLED, before: withoutPassword, show: async (page) => {
      await field(page, 'Title').fill('Half a sentence')
      await json(page, '**/api/events', 401, { detail: 'x' })
      await withStatus(page, { authenticated: false })
      await button(page, 'Save')
      await dialog(page, 'Sign in again')
    } },
  { name: 'delete an account without a password', at: '/settings/account', as: FILLED, before: withoutPassword, show: async (page) => {
      await button(page, 'Delete account')
      await dialog(page, 'Delete account')
    } },
  { name: 'authenticator set-up', at: PLACE, as: FILLED, show: setUp },
  { name: 'authenticator with a wrong clock', at: PLACE, as: FILLED, before: runFast, show: setUp },
  { name: 'backup codes of the account', at: PLACE, as: FILLED, show: async (page) => {
      await json(page, '**/api/auth/totp/confirm', 200, { backup_codes: CODES })
      await setUp(page)
      await field(page, 'Code').fill('123456')
      await button(page, 'Turn on')
      await page.locator('.backup-codes').waitFor()
    } },
  { name: 'turn off the authenticator', at: PLACE, as: FILLED, before: protectedWell, show: async (page) => {
      await button(page, 'Turn off')
      await dialog(page, 'Turn off the authenticator')
    } },
  { name: 'new backup codes', at: PLACE, as: FILLED, before: protectedWell, show: async (page) => {
      await button(page, 'New backup codes')
      await dialog(page, 'New backup codes')
    } },
  { name: 'rename a passkey', at: PLACE, as: FILLED, before: protectedWell, show: async (page) => {
      await page.locator('.fact-lines button').nth(0).click()
      await dialog(page, 'Rename passkey')
    } },
  { name: 'remove a passkey', at: PLACE, as: FILLED, before: protectedWell, show: async (page) => {
      await page.locator('.fact-lines button').nth(1).click()
      await dialog(page, 'Remove passkey')
    } },
  { name: 'sign in without a password', at: PLACE, as: FILLED, before: protectedWell, show: async (page) => {
      await page.getByRole('switch').click()
      await dialog(page, 'Sign in without a password')
    } },
  { name: 'settings sessions', at: '/settings/sessions', as: BOTH },
  { name: 'sign out a session', at: '/settings/sessions', as: FILLED, show: async (page) => {
      await page.locator('.fact-lines button').first().click()
      await page.getByRole('dialog').waitFor()
    } },
  { name: 'sign out all others', at: '/settings/sessions', as: FILLED, show: async (page) => {
      await button(page, 'Sign out all others')
      await dialog(page, 'Sign out all others')
    } },
  { name: 'settings assistants', at: ASSISTANTS, as: BOTH },
  { name: 'access for an assistant', at: ASSISTANTS, as: FILLED, show: async (page) => {
      await button(page, 'New access for an assistant')
      await create(page, 'Theirs')
    } },
  { name: 'app passwords and tokens', at: TOKENS, as: BOTH },
  { name: 'new app password', at: TOKENS, as: FILLED, show: async (page) => {
      await button(page, 'New app password')
      await dialog(page, 'New app password')
    } },
  { name: 'app password to type', at: TOKENS, as: FILLED, show: async (page) => {
      await button(page, 'New app password')
      await create(page, 'Theirs')
    } },
  { name: 'new access token', at: TOKENS, as: FILLED, show: async (page) => {
      await button(page, 'New access token')
      await button(page, 'Create')
    } },
  { name: 'access token to copy', at: TOKENS, as: FILLED, show: async (page) => {
      await button(page, 'New access token')
      await create(page, 'Theirs')
    } },
  { name: 'revoke a token', at: TOKENS, as: FILLED, show: async (page) => {
      await page.locator('.fact-lines button').last().click()
      await page.getByRole('dialog').waitFor()
    } },
] // prettier-ignore
