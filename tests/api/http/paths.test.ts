import { expect, test } from 'bun:test'
import { documentOf, operationsOf } from '../../support/openapi'
import { useHarness } from '../../support/use-harness'

const h = useHarness()

test('a part of a path that is no text names nothing, whatever the operation', async () => {
  const admin = await h.signedIn({ role: 'admin' })
  const named = operationsOf(await documentOf(h.app.fetch)).filter(
    ({ path, operation: { requestBody, parameters = [] } }) =>
      path.includes('{') && !requestBody && !parameters.some((each) => each.in === 'query' && each.required),
  )
  expect(named.length).toBeGreaterThan(50)
  for (const { method, path, title } of named) {
    for (const part of ['%', '%ff']) {
      const { status } = await admin.request(method, path.replaceAll(/\{\w+\}/g, part))
      expect([title, part, status]).toEqual([title, part, 404])
    }
  }
})
