import type { Page } from 'playwright-core'
import type { Organiser } from './events'

/** What tests of the pages of people do over and over. */

type Fields = Record<string, unknown>

export const addPerson = async (as: Organiser, fields: Fields): Promise<number> =>
  (await as.request('POST', '/api/people', { body: fields })).body.id
export const peopleOf = async (as: Organiser): Promise<Fields[]> =>
  (await as.request('GET', '/api/people')).body.people
export const personOf = (as: Organiser, id: number) => async () =>
  (await as.request('GET', `/api/people/${id}`)).body as Fields
export const firstNames = (as: Organiser) => async () =>
  (await peopleOf(as)).map(({ first_name, nickname }) => first_name ?? nickname)

export const peopleList = (page: Page) => page.getByRole('list', { name: 'People' })
export const personField = (page: Page, name: string) => page.getByRole('textbox', { name, exact: true })
export const personCard = (page: Page) => page.getByRole('complementary', { name: 'Person' })
export const chooseAction = async (page: Page, name: string, action: string): Promise<void> => {
  await page
    .getByRole('button', { name: `More actions for ${name}` })
    .last()
    .click()
  await page.getByRole('menuitem', { name: action }).click()
}
