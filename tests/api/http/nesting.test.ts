import { expect, test } from 'bun:test'
import { startHarness } from '../../support/harness'

const LOGIN = '/api/auth/login'
const malformed = { status: 400, detail: 'Malformed JSON body' }

test('a body nested deeper than 32 levels is malformed, wherever and however large', async () => {
  await using h = await startHarness()
  h.peer.address = '127.0.0.1'
  const answerTo = async (body: unknown) => {
    const { status, body: answer } = await h.request('POST', LOGIN, { body })
    return { status, detail: answer.detail }
  }
  const lists = (depth: number) => `${'['.repeat(depth)}${']'.repeat(depth)}`
  const objects = (depth: number) => `${'{"a":'.repeat(depth)}1${'}'.repeat(depth)}`
  for (const nest of [lists, objects]) {
    for (const depth of [32, 1000, 20_000, 100_000]) {
      expect(await answerTo(`{"username":${nest(depth)},"password":"x"}`)).toEqual(malformed)
      expect(await answerTo(`{"unknown":${nest(depth)},"username":1}`)).toEqual(malformed)
    }
    const allowed = await answerTo(`{"username":${nest(31)},"password":"x"}`)
    expect(allowed).toEqual({ status: 422, detail: 'username: must be a string' })
  }
  const brackets = { username: '[{'.repeat(300), password: '\\"[[['.repeat(100) }
  expect((await answerTo(brackets)).status).toBe(401)
})

test('a body has at most 10 000 members, objects and lists; a long list of numbers is no such body', async () => {
  await using h = await startHarness()
  h.peer.address = '127.0.0.1'
  const answerTo = async (username: string) => {
    const { status, body } = await h.request('POST', LOGIN, {
      body: `{"username":${username},"password":"x"}`,
    })
    return { status, detail: body.detail }
  }
  const members = (count: number) => `{${Array.from({ length: count }, (_, i) => `"${i}":1`).join()}}`
  const objects = (count: number) => `[${Array.from({ length: count }, () => '{}').join()}]`
  const refused = { status: 422, detail: 'username: must be a string' }
  const tooMany = { status: 422, detail: 'body: must have at most 10000 members, objects and lists' }
  for (const many of [members, objects]) {
    expect(await answerTo(many(9_990))).toEqual(refused)
    expect(await answerTo(many(10_001))).toEqual(tooMany)
  }
  expect(await answerTo(`[${'1,'.repeat(100_000)}1]`)).toEqual(refused)
})
