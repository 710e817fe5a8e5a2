import { describe, expect, test } from 'bun:test'
import { guardedProbe } from '../support/guarded-probe'
import { fieldsOf, resolve } from '../fuzz/schemas'
import { documentOf, expectDocumented, operationsOf, sendGarbage } from '../support/openapi'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { AUTH_RATE_LIMIT: 'off' } })

const apps = { 'the app': () => h.app, 'a guarded probe': () => guardedProbe(h.deps) }

describe.each(['the app', 'a guarded probe'] as const)('%s', (name) => {
  test('answers 401 without a session wherever one is needed, whatever the body is', async () => {
    const { fetch } = apps[name]()
    const answers = await sendGarbage(await documentOf(fetch), fetch)
    const guarded = answers.filter(({ operation }) => operation.security?.length !== 0)
    expect(guarded.length).toBeGreaterThan(20)
    for (const { title, status, body } of guarded) {
      expect({ title, status, body }).toEqual({ title, status: 401, body: { detail: 'Not authenticated' } })
    }
  })

  test('answers garbage of strangers only as documented', async () => {
    const { fetch } = apps[name]()
    const answers = await sendGarbage(await documentOf(fetch), fetch)
    expect(answers).not.toBeEmpty()
    answers.forEach(expectDocumented)
  })

  test.each(['standard', 'admin'] as const)(
    'answers garbage of a signed-in %s only as documented',
    async (role) => {
      const { fetch } = apps[name]()
      const { id } = await h.user({ role })
      const cookie = async () => (await h.session(id)).token
      const answers = await sendGarbage(await documentOf(fetch), fetch, cookie)
      expect(answers).not.toBeEmpty()
      answers.forEach(expectDocumented)
    },
    60_000,
  )
})

test('an object that cannot be turned into text is refused in every field, and is no failure', async () => {
  const textless: unknown = { toString: null, valueOf: 'x' }
  const document = await documentOf(h.app.fetch)
  const { id } = await h.user({ role: 'admin' })
  const seen = new Set<string>()
  for (const { method, path, title, operation } of operationsOf(document)) {
    const { schema } = operation.requestBody?.content['application/json'] ?? {}
    const names = fieldsOf(resolve(document.components, schema)).map(([name]) => name)
    if (names.length === 0) continue
    const body = Object.fromEntries(names.map((name) => [name, textless]))
    const sent = { cookie: (await h.session(id)).token, body }
    const answer = await h.request(method, path.replaceAll(/\{\w+\}/g, '1'), sent)
    expectDocumented({ title, operation, status: answer.status, body: answer.body })
    names.forEach((name) => seen.add(`${title} ${name}`))
  }
  expect(seen.size).toBeGreaterThan(100)
})
