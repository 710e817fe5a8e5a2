import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { guardedProbe } from '../support/guarded-probe'
import { type Harness, startHarness } from '../support/harness'
import { documentOf, expectDocumented, sendGarbage } from '../support/openapi'

let h: Harness
beforeAll(async () => {
  h = await startHarness({ env: { AUTH_RATE_LIMIT: 'off' } })
})
afterAll(() => h[Symbol.asyncDispose]())

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
