import { beforeAll, expect, spyOn, test } from 'bun:test'
import { observed } from '../../support/statements'
import { type Actor } from '../../support/harness'
import { useHarness } from '../../support/use-harness'

const h = useHarness()
let ada: Actor
beforeAll(async () => {
  ada = await h.signedIn()
})

test('HEAD answers the status and the headers of GET, and no body', async () => {
  const { body: todo } = await ada.request('POST', '/api/todos', { body: { title: 'x' } })
  const paths = [
    `/api/todos/${todo.id}`,
    '/api/todos',
    '/api/people/export',
    '/api/todos/999999',
    '/api/none',
  ]
  for (const path of paths) {
    const [get, head] = [await ada.request('GET', path), await ada.request('HEAD', path)]
    const shown = ({ status, headers }: typeof get) => [
      status,
      headers.get('content-type')?.split(';')[0],
      headers.get('etag'),
      headers.get('cache-control'),
    ]
    expect(shown(head)).toEqual(shown(get))
    if (head.status === 200) expect(head.body).toBe('')
  }
})

test('HEAD makes no text of what it does not send', async () => {
  using stringify = spyOn(JSON, 'stringify')
  using json = spyOn(Response, 'json')
  const made = () => stringify.mock.calls.length + json.mock.calls.length
  await ada.request('HEAD', '/api/todos')
  expect(made()).toBe(0)
  await ada.request('GET', '/api/todos')
  expect(made()).toBeGreaterThan(0)
})

test('HEAD of an export reads no page of it', async () => {
  using statements = observed(h.db)
  await ada.request('HEAD', '/api/export')
  const headed = statements.length
  await ada.request('GET', '/api/export')
  expect(headed).toBeLessThan((statements.length - headed) / 2)
})
