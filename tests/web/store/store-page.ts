import { join } from 'node:path'
import type { BrowserContext, Page } from 'playwright-core'

const PATH = '/store-page'
const HTML = `<!doctype html><html lang="en"><title>Store</title><div id="app"></div><script type="module" src="${PATH}.js"></script></html>`

let bundled: Promise<string> | undefined
async function bundle(): Promise<string> {
  const { outputs } = await Bun.build({
    entrypoints: [join(import.meta.dir, 'page.tsx')],
    target: 'browser',
    define: { 'process.env.NODE_ENV': '"production"' },
  })
  return (await outputs[0]?.text()) ?? ''
}

/** Lets a browser open the page of page.tsx under the service's own origin; users have no such page. */
export async function openStorePage(context: BrowserContext, page?: Page): Promise<Page> {
  const script = await (bundled ??= bundle())
  await context.route(`**${PATH}`, (route) => route.fulfill({ contentType: 'text/html', body: HTML }))
  await context.route(`**${PATH}.js`, (route) =>
    route.fulfill({ contentType: 'text/javascript', body: script }),
  )
  const opened = page ?? (await context.newPage())
  await opened.goto(PATH)
  return opened
}

export const add = async (page: Page, title: string): Promise<void> => {
  await page.getByLabel('Add a todo').fill(title)
  await page.getByLabel('Add a todo').press('Enter')
}

export const todo = (page: Page, title: string) =>
  page.getByRole('list', { name: 'Todos' }).getByText(title, { exact: true })

export const connection = (page: Page, state: string) =>
  page.getByRole('status', { name: 'Connection' }).getByText(state).waitFor()

export const waiting = (page: Page, count: number) =>
  page.getByLabel('Waiting').getByText(String(count), { exact: true }).waitFor()
