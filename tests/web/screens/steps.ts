import type { Page } from 'playwright-core'
import { PASSWORD } from '../../support/harness'

/** What a person does, or what the service does to them, until a screen shows. */

const ACCENTED: Readonly<Record<string, string>> = {
  a: 'á', e: 'é', i: 'í', o: 'ó', u: 'ú', c: 'ç', n: 'ñ', A: 'Á', E: 'É', I: 'Í', O: 'Ó', U: 'Ú',
} // prettier-ignore

/** An English text of the client, also as the pseudo-locales write it. */
function said(text: string, end = '([~ ]*\\])?$'): RegExp {
  const letters = (word: string) =>
    word
      .replace(/[^\w]/g, String.raw`\$&`)
      .replace(/[aeioucnAEIOU]/g, (letter) => `[${letter}${ACCENTED[letter]}]`)
  const words = text.split(' ').map((word) => `\u202e?${letters(word)}\u202c?`)
  return new RegExp(`^\\[*${words.join(' ')}${end}`)
}

export const field = (page: Page, name: string) => page.getByLabel(said(name))

export async function submitPassword(page: Page, username: string): Promise<void> {
  await page.locator('input[autocomplete^=username]').fill(username)
  await page.locator('input[type=password]').fill(PASSWORD)
  const answered = page.waitForResponse('**/api/auth/login')
  await page.keyboard.press('Enter')
  await answered
}

/** Presses the button that came last, or waits until it is there. */
export async function button(page: Page, name: string, how: 'press' | 'see' = 'press'): Promise<void> {
  const found = page.getByRole('button', { name: said(name) }).last()
  await (how === 'see' ? found.waitFor() : found.click())
}

export const dialog = (page: Page, name: string) => page.getByRole('dialog', { name: said(name) }).waitFor()

/** Opens a menu. */
export async function menu(page: Page, name: string): Promise<void> {
  await button(page, name)
  await page.getByRole('menuitem').first().waitFor()
}

/** Opens a menu and presses one of its lines by name, since lines come and go with what the client knows by then. */
export async function choose(page: Page, name: string, line: string): Promise<void> {
  await menu(page, name)
  await page.getByRole('menuitem', { name: said(line) }).click()
}

export async function pressKey(page: Page, ...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key)
}

/** The editor that the key `c` opens over a page. */
export async function openEditor(page: Page): Promise<void> {
  await pressKey(page, 'c')
  await field(page, 'Title').waitFor()
}

/** The sheet that a tap on an event opens. */
export async function tapOn(page: Page, title: string): Promise<void> {
  await eventOf(page, title).tap()
  await page.getByRole('dialog').waitFor()
}

export const eventOf = (page: Page, title: string) =>
  page.getByRole('button', { name: said(title, '') }).first()

export const json = (page: Page, address: string, status: number, body: object) =>
  page.route(address, (route) => route.fulfill({ status, json: body }))

export const refuse = (page: Page, address: string, status: number) =>
  json(page, address, status, { detail: 'Refused' })
