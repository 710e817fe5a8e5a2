import type { Page } from 'playwright-core'
import type { WebScreen } from './screens'
import { button, choose, dialog, field, menu, refuse } from './steps'

const FILLED = ['filled'] as const
const BOTH = ['filled', 'empty'] as const

const vCards = async (page: Page) => {
  const card = (...lines: string[]) => ['BEGIN:VCARD', 'VERSION:3.0', ...lines, 'END:VCARD', ''].join('\r\n')
  const text = `${card('FN:Somebody', 'N:Somebody;;;;')}${card('FN:Nobody').replace('END:VCARD', '')}`
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: 'people.vcf', mimeType: 'text/vcard', buffer: Buffer.from(text) })
  await page.locator('.import-report').waitFor()
}

/** People, their cards and address books. */
export const PEOPLE: readonly WebScreen[] = [
  { name: 'people', at: '/people', as: BOTH },
  { name: 'people that nobody fits', at: '/people?category=Nowhere', as: FILLED },
  { name: 'people that could not be read', at: '/people', as: FILLED, before: (page) => refuse(page, '**/api/changes?*types=person*', 500) },
  { name: 'person', at: ({ contacts }) => `/people/${contacts.ada}?category=Friends`, as: FILLED },
  { name: 'person who is linked', at: ({ contacts }) => `/people/${contacts.linked}`, as: FILLED },
  { name: 'person who is gone', at: '/people/999999', as: FILLED },
  { name: 'menu of a person', at: ({ contacts }) => `/people/${contacts.ada}`, as: FILLED, show: (page) => menu(page, 'More actions for Ada Lovelace') },
  { name: 'new person', at: '/people?show=new', as: BOTH },
  { name: 'person with mistakes', at: ({ contacts }) => `/people/${contacts.ada}?show=edit`, as: FILLED, show: async (page) => {
      await field(page, 'Birthday').fill('someday')
      await button(page, 'Save')
      await page.locator('[aria-invalid=true]').waitFor()
    } },
  { name: 'link of a person', at: ({ contacts }) => `/people/${contacts.ada}`, as: FILLED, show: async (page) => {
      await choose(page, 'More actions for Ada Lovelace', 'Link to a connection…')
      await dialog(page, 'Link to a connection')
    } },
  { name: 'address book of a person', at: ({ contacts }) => `/people/${contacts.ada}`, as: FILLED, show: async (page) => {
      await choose(page, 'More actions for Ada Lovelace', 'Move to…')
      await page.getByRole('dialog').waitFor()
    } },
  { name: 'history of a person', at: ({ contacts }) => `/people/${contacts.ada}`, as: FILLED, show: async (page) => {
      await button(page, 'History')
      await page.locator('.history-version').first().waitFor()
    } },
  { name: 'address books', at: '/people?show=books', as: FILLED },
  { name: 'new address book', at: '/people?show=books', as: FILLED, show: async (page) => {
      await button(page, 'New address book')
      await dialog(page, 'New address book')
    } },
  { name: 'deletion of an address book', at: '/people?show=books', as: FILLED, show: async (page) => {
      await choose(page, 'More actions for Work', 'Delete')
      await page.getByRole('dialog').nth(1).waitFor()
    } },
  { name: 'import of people', at: '/people?show=files', as: FILLED, show: vCards },
] // prettier-ignore
