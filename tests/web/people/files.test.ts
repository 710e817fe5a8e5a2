import { afterAll, beforeAll, expect } from 'bun:test'
import type { Page } from 'playwright-core'
import { newBook, newPerson, nicknames } from '../../support/books'
import { test } from '../../support/browser'
import type { Actor } from '../../support/harness'
import { type Client, eventually, SCREENS, startClient } from '../../support/web'

let client: Client
beforeAll(async () => {
  client = await startClient()
}, 60_000)
afterAll(() => client[Symbol.asyncDispose]())

async function at(as: Actor, address: string, options: Parameters<Client['open']>[0] = {}) {
  const { page, context } = await client.open({ as, ...options })
  await page.goto(address)
  await page.getByRole('heading', { level: 1 }).waitFor()
  return { page, [Symbol.asyncDispose]: () => context.close() }
}

const vCard = (name: string) =>
  ['BEGIN:VCARD', 'VERSION:3.0', `UID:${name}`, `FN:${name}`, `NICKNAME:${name}`, 'END:VCARD', ''].join(
    '\r\n',
  )
const file = (...cards: string[]) => ({
  name: 'people.vcf',
  mimeType: 'text/vcard',
  buffer: Buffer.from(cards.join('')),
})
const chooser = (page: Page) => page.getByLabel('File of vCards (.vcf)')
const importButton = (page: Page) => page.getByRole('button', { name: 'Import', exact: true })
const count = async (as: Actor) => (await as.request('GET', '/api/people')).body.people.length as number

test('vCards are imported after a rehearsal said what would happen and why cards are skipped; "Undo" takes all back', async () => {
  const ada = await client.h.signedIn()
  await using opened = await at(ada, '/people')
  const { page } = opened
  await page.getByRole('button', { name: 'Import vCards' }).click()
  await chooser(page).setInputFiles(
    file(vCard('Ben'), vCard('Cem'), vCard('Cem'), 'BEGIN:VCARD\r\nFN:Dan\r\n'),
  )
  await page.getByText('2 new, 0 changed, 0 unchanged, 2 skipped').waitFor()
  await page.getByText('1 × The same stands in the file twice.').waitFor()
  await page.getByText('1 × The end of the card is missing.').waitFor()
  expect(await count(ada)).toBe(0)
  await importButton(page).click()
  await page.getByText('The file is imported.').waitFor()
  await eventually(() => count(ada), 2)
  await page.getByRole('button', { name: 'Undo' }).click()
  await page.getByText('The import is undone.').waitFor()
  await eventually(() => count(ada), 0)
  await page.keyboard.press('Escape')
  await page.getByText('Nobody here yet').waitFor()
})

test('a file that is too large or no file of vCards is refused at its field, too large ones before they are sent', async () => {
  const ada = await client.h.signedIn()
  await using opened = await at(ada, '/people?show=files', { options: SCREENS.phone })
  const { page } = opened
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  await chooser(page).setInputFiles({ ...file(), buffer: Buffer.alloc(10 * 1024 * 1024 + 1, 'x') })
  await page.getByText('The file is larger than 10 MiB').waitFor()
  expect(requests.filter((url) => url.includes('import'))).toEqual([])
  await chooser(page).setInputFiles(file('Hello'))
  await page.getByText('This is not a file of vCards.').waitFor()
})

test('an import that takes long can be cancelled', async () => {
  const ada = await client.h.signedIn()
  await using opened = await at(ada, '/people?show=files')
  const { page } = opened
  await page.route('**/api/people/import*', () => {})
  await chooser(page).setInputFiles(file(vCard('Ben')))
  await page.getByRole('progressbar', { name: 'Reading the file…' }).waitFor()
  await page.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click()
  await page.getByText('Cancelled.').waitFor()
})

test('people go into the chosen address book, and each address book is downloaded by itself or with all', async () => {
  const ada = await client.h.signedIn()
  const work = await newBook(ada, 'Work')
  await newPerson(ada, 'Ada')
  await using opened = await at(ada, '/people?show=files')
  const { page } = opened
  await page.getByRole('dialog').getByRole('combobox', { name: 'Address book' }).selectOption('Work')
  await chooser(page).setInputFiles(file(vCard('Ben')))
  await importButton(page).click()
  await eventually(() => nicknames(ada, work), ['Ben'])
  const downloaded = async (link: string) => {
    const [download] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: link }).click(),
    ])
    const text = await Bun.file(await download.path()).text()
    return [...text.matchAll(/NICKNAME:(.*)\r/g)]
      .map(([, name = '']) => name)
      .toSorted((a, b) => a.localeCompare(b))
  }
  expect(await downloaded('Download everybody as vCards (.vcf)')).toEqual(['Ada', 'Ben'])
  expect(await downloaded('Download Work (.vcf)')).toEqual(['Ben'])
})
