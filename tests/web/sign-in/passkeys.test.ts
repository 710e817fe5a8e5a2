import { afterAll, beforeAll, expect } from 'bun:test'
import { eq } from 'drizzle-orm'
import { passkeys } from '../../../src/db/schema'
import { test } from '../../support/browser'
import { pressOn } from '../../support/keyboard'
import { addAuthenticator, registerPasskey } from '../../support/virtual-authenticator'
import { type Client, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
  await client.h.user({ username: 'root', role: 'admin' })
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

/** A browser that has a passkey of this user, with nobody signed in any more. */
async function withPasskey(username: string) {
  const as = await client.h.signedIn({ username })
  const { page, context } = await client.open({ as })
  const authenticator = await addAuthenticator(context, page)
  await page.goto('/today')
  await registerPasskey(page)
  await authenticator.answers(false)
  await context.clearCookies()
  return { page, context, authenticator, as }
}

test('a passkey signs in by its button, and leads to the address that was asked for', async () => {
  const { page, authenticator } = await withPasskey('ada')
  // The authenticator answers at once, so nothing else may ask it.
  await page.addInitScript(() => {
    PublicKeyCredential.isConditionalMediationAvailable = async () => false
  })
  await authenticator.answers(true)
  await page.goto('/todos')
  const isBusy = Promise.withResolvers<void>()
  await page.route('**/api/auth/passkeys/login/begin', async (route) => {
    await isBusy.promise
    await route.continue()
  })
  await pressOn(page, page.getByRole('button', { name: 'Sign in with a passkey' }))
  await page.locator('button[aria-disabled]').waitFor()
  isBusy.resolve()
  await page.waitForURL('**/todos')
})

test('the field of the username suggests passkeys, and one that is chosen signs in', async () => {
  const { page, authenticator } = await withPasskey('bea')
  await authenticator.answers(true)
  await page.goto('/sign-in')
  await page.waitForURL('**/today')
})

test('a passkey that is not chosen, or is unknown to the service, leaves the password to sign in with', async () => {
  const { page, authenticator, as } = await withPasskey('cyd')
  await page.goto('/sign-in')
  const button = page.getByRole('button', { name: 'Sign in with a passkey' })
  expect(await page.getByLabel('Username').getAttribute('autocomplete')).toBe('username webauthn')
  await authenticator.verifies(false)
  await authenticator.answers(true)
  await button.click()
  await page.locator('button:not([aria-disabled])', { hasText: 'passkey' }).waitFor()
  expect(await page.getByRole('alert').innerText()).toBe('')
  expect(new URL(page.url()).pathname).toBe('/sign-in')

  await client.h.db.delete(passkeys).where(eq(passkeys.userId, as.row.id))
  await authenticator.verifies(true)
  await button.click()
  await page.getByRole('alert').getByText('This passkey was not accepted.').waitFor()
})
