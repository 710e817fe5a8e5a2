import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { askChanges, changesOf } from '../../../support/changes'
import type { Actor } from '../../../support/harness'
import { createTodo } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const RESET = { status: 410, body: { detail: 'Start again without since', code: 'sync_reset' } }

async function ask(actor: Actor, since: string, types?: string) {
  const { status, body } = await askChanges(actor, { since, types })
  return { status, body }
}

test('a cursor of another reader is refused', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  expect(await ask(bob, (await changesOf(ada)).next)).toEqual(RESET)
})

test('a cursor that was forged in any of its characters is refused', async () => {
  const ada = await h.signedIn()
  const { next } = await changesOf(ada)
  for (let at = 0; at < next.length; at++) {
    const forged = next.slice(0, at) + (next[at] === '1' ? '2' : '1') + next.slice(at + 1)
    // The last character of a signature has bits that say nothing, and yet is compared.
    expect(await ask(ada, forged), forged).toEqual(RESET)
  }
  expect(await ask(ada, ada.token)).toEqual(RESET)
})

test('a cursor is no session, though the same key signs both', async () => {
  const ada = await h.signedIn()
  const { next } = await changesOf(ada)
  expect((await h.request('GET', '/api/settings', { cookie: next })).status).toBe(401)
})

test('a cursor of another epoch is refused', async () => {
  const ada = await h.signedIn()
  const { next } = await changesOf(ada)
  await h.db.execute(sql`update sync_state set epoch = gen_random_uuid()`)
  expect(await ask(ada, next)).toEqual(RESET)
})

test('a cursor below the deletions that are kept is refused, one at them is not', async () => {
  const ada = await h.signedIn()
  const { next: before } = await changesOf(ada)
  const { id } = await createTodo(ada)
  await ada.request('DELETE', `/api/todos/${id}`)
  const { next: after } = await changesOf(ada)
  await h.db.execute(sql`update sync_scopes set floor = seq where kind = 'u' and id = ${ada.row.id}`)
  expect(await ask(ada, before)).toEqual(RESET)
  expect((await ask(ada, after)).status).toBe(200)
  expect((await changesOf(ada)).changes.length).toBe(5)
})

test('a cursor beyond what the journal knows is refused', async () => {
  const ada = await h.signedIn()
  await createTodo(ada)
  const { next } = await changesOf(ada)
  await h.db.execute(sql`update sync_scopes set seq = seq - 1 where kind = 'u' and id = ${ada.row.id}`)
  expect(await ask(ada, next)).toEqual(RESET)
})

test('an empty since, other types than those of the cursor, and unknown types are refused', async () => {
  const ada = await h.signedIn()
  const [all, some] = [(await changesOf(ada)).next, (await changesOf(ada, { types: 'todo' })).next]
  const refused = {
    status: 422,
    body: {
      detail: 'types: must stay the same along one cursor',
      errors: [{ field: 'query.types', message: 'must stay the same along one cursor' }],
    },
  }
  expect((await ask(ada, '')).status).toBe(422)
  expect(await ask(ada, all, 'todo')).toEqual(refused)
  expect(await ask(ada, some)).toEqual(refused)
  expect(await ask(ada, some, 'todo,event')).toEqual(refused)
  expect((await askChanges(ada, { types: 'secret' })).status).toBe(422)
  for (const limit of [0, 501, 'x']) expect((await askChanges(ada, { limit })).status).toBe(422)
})
