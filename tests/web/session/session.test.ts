import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { axeProblems } from '../../support/axe'
import { test } from '../../support/browser'
import { PASSWORD } from '../../support/harness'
import { pressOn } from '../../support/keyboard'
import { withTotp } from '../../support/totp'
import { codeAt } from '../../support/authenticator-app'
import { addAuthenticator, registerPasskey } from '../../support/virtual-authenticator'
import {
  type Client,
  drawn,
  hold,
  holdAnswers,
  releaseAndDraw,
  signedOut,
  startClient,
} from '../../support/web'
import { callOn, draftOn, useProbe } from '../../support/web-probing'

let client: Client
beforeAll(async () => {
  client = await startClient()
  await client.h.user({ username: 'root', role: 'admin' })
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

const PLACE = '/settings/appearance'
const password = (page: Page) => page.getByLabel('Password', { exact: true })
const heading = (page: Page) => page.getByRole('heading', { name: 'Appearance', level: 1 })
const dialog = (page: Page, name: string) => page.getByRole('dialog', { name })

async function signedIn(username: string) {
  const as = await client.h.signedIn({ username })
  const { page, context } = await client.open({ as })
  await useProbe(context)
  await page.goto(PLACE)
  await heading(page).waitFor()
  return { page, context, as }
}

/** The session ends behind the page's back. */
const endSession = ({ as }: Awaited<ReturnType<typeof signedIn>>) => as.request('POST', '/api/auth/logout')

/** As if another tab had changed the session. */
const tellChanged = (page: Page) =>
  page.evaluate(() => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel stays within its origin
    new BroadcastChannel('session').postMessage({ is: 'changed' })
  })

test('a request that needs a recent proof asks for it once, by keyboard, and is sent again', async () => {
  const { page } = await signedIn('ada')
  client.h.clock.advance({ minutes: 20 })
  const answer = callOn(page, 'POST', 'auth/totp/setup')
  const asked = dialog(page, 'Confirm it is you')
  await asked.waitFor()
  expect(await password(page).evaluate((input) => input === document.activeElement)).toBe(true)
  await page.keyboard.type('wrong')
  await page.keyboard.press('Enter')
  await asked.getByRole('alert').getByText('The password is not right.').waitFor()
  expect(await axeProblems(page)).toEqual([])
  await password(page).fill(PASSWORD)
  await pressOn(page, asked.getByRole('button', { name: 'Confirm' }))
  expect(await answer).toBe(200)
  expect(await asked.count()).toBe(0)
  await heading(page).waitFor()
})

test('a passkey is proof enough, and closing the dialog refuses what was asked for', async () => {
  const { page, context } = await signedIn('bea')
  await addAuthenticator(context, page)
  await registerPasskey(page)
  await page.reload()
  await heading(page).waitFor()
  client.h.clock.advance({ minutes: 20 })
  const refused = callOn(page, 'POST', 'auth/totp/setup')
  await dialog(page, 'Confirm it is you').waitFor()
  await page.keyboard.press('Escape')
  expect(await refused).toBe(403)
  const answer = callOn(page, 'POST', 'auth/totp/setup')
  await page.getByRole('button', { name: 'Use a passkey' }).click()
  expect(await answer).toBe(200)
})

test('when the session ends while something is typed, the same user signs in over the page, which keeps it', async () => {
  const opened = await signedIn('cyd')
  const { page } = opened
  await draftOn(page).fill('half a sentence')
  await endSession(opened)
  expect(await callOn(page, 'GET', 'todos')).toBe(401)
  const asked = dialog(page, 'Sign in again')
  await asked.getByText('cyd').waitFor()
  expect(await axeProblems(page)).toEqual([])
  await page.keyboard.type(PASSWORD)
  await page.keyboard.press('Enter')
  await asked.waitFor({ state: 'detached' })
  expect(await callOn(page, 'GET', 'todos')).toBe(200)
  expect(await draftOn(page).inputValue()).toBe('half a sentence')
})

test('a second factor is asked for in the same dialog', async () => {
  const opened = await signedIn('dee')
  const { page, as } = opened
  const { secret } = await withTotp(client.h, as)
  await draftOn(page).fill('half a sentence')
  await endSession(opened)
  await callOn(page, 'GET', 'todos')
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await page.getByRole('textbox', { name: 'Code', exact: true }).fill(codeAt(secret, client.h.clock.now()))
  await page.keyboard.press('Enter')
  await dialog(page, 'Sign in again').waitFor({ state: 'detached' })
  expect(await draftOn(page).inputValue()).toBe('half a sentence')
})

test('an answer that still says signed out does not take back the first step of signing in again', async () => {
  const opened = await signedIn('jim')
  const { page, as } = opened
  const { secret } = await withTotp(client.h, as)
  await draftOn(page).fill('half a sentence')
  await endSession(opened)
  await callOn(page, 'GET', 'todos')
  await dialog(page, 'Sign in again').waitFor()
  const { asked, release } = await holdAnswers(page, '**/api/auth/status')
  await tellChanged(page)
  await asked
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  const code = page.getByRole('textbox', { name: 'Code', exact: true })
  await code.waitFor()
  await releaseAndDraw(page, '**/api/auth/status', release)
  await code.fill(codeAt(secret, client.h.clock.now()))
  await page.keyboard.press('Enter')
  await dialog(page, 'Sign in again').waitFor({ state: 'detached' })
  expect(await draftOn(page).inputValue()).toBe('half a sentence')
})

test('when the session ends while nothing is typed, the sign-in page follows and leads back', async () => {
  const opened = await signedIn('eli')
  const { page } = opened
  await endSession(opened)
  await callOn(page, 'GET', 'todos')
  await page.waitForURL(`**/sign-in?next=${encodeURIComponent(PLACE)}`)
  await page.getByLabel('Username').fill('eli')
  await password(page).fill(PASSWORD)
  await page.keyboard.press('Enter')
  await heading(page).waitFor()
})

test('when another user signs in, the page begins anew and nothing of the one before is left', async () => {
  const opened = await signedIn('fay')
  const { page, context } = opened
  const other = await client.h.signedIn({ username: 'gus' })
  await draftOn(page).fill('a secret of fay')
  await context.addCookies([{ name: 'session', value: other.token, url: client.origin }])
  const anew = page.waitForEvent('load')
  // The wrong password makes the page ask the service who its user is.
  await callOn(page, 'POST', 'auth/verify-password', { password: 'not of gus' }).catch(() => {})
  await anew
  await heading(page).waitFor()
  expect(await draftOn(page).inputValue()).toBe('')
})

test('what a page still reads when its session ends is let go without a complaint', async () => {
  const opened = await signedIn('ivy')
  const { page } = opened
  const errors: Error[] = []
  page.on('pageerror', (error) => errors.push(error))
  const asked = page.waitForRequest('**/api/changes?*')
  const release = await hold(page, '**/api/changes?*')
  await page.reload()
  await heading(page).waitFor()
  await asked
  await endSession(opened)
  await callOn(page, 'GET', 'todos')
  await signedOut(page)
  release()
  await drawn(page)
  expect(errors).toEqual([])
})

test('signing out ends every tab, and the way back through the history shows nothing', async () => {
  const { page, context } = await signedIn('hal')
  await page.goto('/settings/shortcuts')
  const other = await context.newPage()
  await other.goto(PLACE)
  await heading(other).waitFor()
  await page.getByRole('button', { name: 'Account' }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  for (const tab of [page, other]) await signedOut(tab)
  await page.goBack()
  await signedOut(page)
  expect(await page.getByRole('navigation').count()).toBe(0)
})
