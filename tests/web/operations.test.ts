import { expect, test } from 'bun:test'
import { join } from 'node:path'
import { startHarness } from '../support/harness'
import { documentOf, operationsOf } from '../support/openapi'
import { CONTROLS } from './operations'

const WEB = join(import.meta.dir, '../../src/web')

/** `PUT /api/calendars/{}`: an operation without the names of its parameters. */
const shapeOf = (method: string, path: string) => `${method} ${path.replaceAll(/\$?\{[^}]*\}/g, '{}')}`

/** The requests whose method and path stand literally in the client's code. */
async function requestsInCode(): Promise<Set<string>> {
  const found = new Set<string>()
  for (const file of new Bun.Glob('**/*.{ts,tsx}').scanSync(WEB)) {
    const text = await Bun.file(join(WEB, file)).text()
    for (const [, method = '', path = ''] of text.matchAll(
      /'(GET|POST|PUT|DELETE)',\s*(?:pathOf)?[`'](?:\$\{pathOf`)?([^`'?]+?)(?:\?[^`']*)?(?:\$\{queryOf[^`']*)?[`']/g,
    ))
      found.add(shapeOf(method, `/api/${path}`))
    // A command of the store.
    for (const [, method = '', path = ''] of text.matchAll(
      /method: '(POST|PUT|DELETE)',\s*path: (?:pathOf)?[`']([^`'?]+)[`']/g,
    ))
      found.add(shapeOf(method, `/api/${path}`))
    for (const [, path = ''] of text.matchAll(/[`'"]\/api\/((?:\$\{pathOf`[^`]*`\}|[^`'"?])+)/g))
      found.add(shapeOf('GET', `/api/${path.replaceAll(/\$\{pathOf`([^`]*)`\}/g, '$1')}`))
  }
  return found
}

test('for each operation a table says which control of the web client uses it, or why none does', async () => {
  await using h = await startHarness()
  const operations = operationsOf(await documentOf(h.app.fetch))
  expect(Object.keys(CONTROLS).toSorted()).toEqual(
    operations.map(({ operation }) => operation.operationId ?? '').toSorted(),
  )
})

test('every control of the table stands in a file of the web client', async () => {
  const files = Object.values(CONTROLS).flatMap((use) => ('in' in use ? [use.in] : []))
  const missing = await Promise.all(
    files.map(async (file) => ((await Bun.file(join(WEB, file)).exists()) ? [] : [file])),
  )
  expect(missing.flat()).toEqual([])
})

test('an operation that the code of the web client names has a control in the table', async () => {
  await using h = await startHarness()
  const named = await requestsInCode()
  expect(named.size).toBeGreaterThan(30)
  const withoutControl = operationsOf(await documentOf(h.app.fetch)).filter(
    ({ method, path, operation }) =>
      named.has(shapeOf(method, path)) && 'none' in (CONTROLS[operation.operationId ?? ''] ?? {}),
  )
  expect(withoutControl.map(({ title }) => title)).toEqual([])
})
