import type { Page } from 'playwright-core'
import { organiser } from './events'
import { createTodo } from './records'
import type { Client } from './web'

type Fields = Readonly<Record<string, unknown>>

/** Opens a page of somebody who has these todos; `ID0` in the address is the first one. `read` answers that one. */
export async function openTodos(
  client: Client,
  made: readonly Fields[],
  address = '/todos',
  options: Parameters<Client['open']>[0] = {},
) {
  const ada = await organiser(client.h, 'Europe/Berlin')
  const todos: Array<{ id: number; list_id: number }> = []
  for (const body of made) todos.push(await createTodo(ada, body))
  const { page, context } = await client.open({ as: ada, ...options })
  await page.goto(address.replace(/ID(\d)/, (_, at: string) => String(todos[Number(at)]?.id)))
  await page.getByRole('heading', { level: 1 }).waitFor()
  await page.waitForFunction(() => !document.querySelector('.skeleton'))
  return {
    ada,
    todos,
    page,
    read: async () => (await ada.request('GET', `/api/todos/${todos[0]?.id}`)).body,
    [Symbol.asyncDispose]: () => context.close(),
  }
}

export const box = (page: Page, name: string) => page.getByRole('checkbox', { name, exact: true })
export const told = (page: Page, text: string) =>
  page.getByRole('region', { name: 'Messages' }).getByText(text).first().waitFor()
/** The titles of the list, as they stand. */
export const lines = (page: Page) =>
  page
    .getByRole('list', { name: 'Todos' })
    .getByRole('checkbox')
    .evaluateAll((boxes) => boxes.map((each) => each.getAttribute('aria-label')))
export const focused = (page: Page) =>
  page.evaluate(
    () => document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.textContent,
  )

/** Chooses an action from the menu of a line. */
export async function choose(page: Page, name: string, action: string): Promise<void> {
  await page.getByRole('button', { name: `More actions for ${name}` }).click()
  await page.getByRole('menuitem', { name: action }).click()
}
