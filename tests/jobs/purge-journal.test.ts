import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { purgeJournal, renewEpoch } from '../../src/access/journal/service'
import { defaultBook, newBook, newPerson } from '../support/books'
import { type Actor, PASSWORD } from '../support/harness'
import { useHarness } from '../support/use-harness'

const h = useHarness({ per: 'test' })

/** The journal counts by the clock of the database, which is years ahead of that of the tests. */
const DAYS = 4000

const remind = async (actor: Actor): Promise<number> =>
  (
    await actor.request('POST', '/api/reminders', {
      body: { title: 'Bins', remind_at: '2026-03-05T08:30:00+01:00' },
    })
  ).body.id

/** Another session of the user, as the earlier ones have expired. */
const again = async ({ row }: Actor) => {
  const { token } = await h.session(row.id)
  return (path: string) => h.request('GET', path, { cookie: token })
}

const changesOf = (actor: Actor, since = '') => actor.request('GET', `/api/changes?limit=500${since}`)
const after = (next: string) => `&since=${encodeURIComponent(next)}`

test('deletions are forgotten after 400 days: a cursor from before starts again, one from after goes on', async () => {
  const ada = await h.signedIn()
  const gone = (await ada.request('POST', '/api/todos', { body: { title: 'Gone' } })).body
  const kept = (await ada.request('POST', '/api/todos', { body: { title: 'Kept' } })).body
  const before = (await changesOf(ada)).body.next
  await ada.request('DELETE', `/api/todos/${gone.id}`)
  const later = (await changesOf(ada, after(before))).body.next
  expect(await purgeJournal(h.deps)).toBe(0)
  h.clock.advance({ days: DAYS })
  // One for clients of JSON, and one for those of /dav.
  expect(await purgeJournal(h.deps)).toBe(2)
  const get = await again(ada)
  expect(await get(`/api/changes?${after(before)}`)).toMatchObject({
    status: 410,
    body: { detail: 'Start again without since', code: 'sync_reset' },
  })
  expect((await get(`/api/changes?${after(later)}`)).body).toMatchObject({ changes: [], has_more: false })
  const { changes } = (await get('/api/changes?types=todo')).body
  expect(changes.map(({ op, id }: { op: string; id: number }) => [op, id])).toEqual([['put', kept.id]])
})

test('what went with its project or its user leaves nothing in the journal', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const project = (await ada.request('POST', '/api/projects', { body: { name: 'Move' } })).body
  const task = (await ada.request('POST', `/api/projects/${project.id}/tasks`, { body: { title: 'Pack' } }))
    .body
  await ada.request('POST', `/api/projects/${project.id}/tasks/${task.id}/comments`, {
    body: { body: 'Yes' },
  })
  await ada.request('DELETE', `/api/projects/${project.id}`)
  await bob.request('POST', '/api/todos', { body: { title: 'Bins' } })
  await bob.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
  const noted = async (condition: ReturnType<typeof sql>) =>
    (await h.db.execute(sql`select type from sync_changes where ${condition}`)).length
  expect(await noted(sql`type in ('task', 'comment')`)).toBe(2)
  await purgeJournal(h.deps)
  expect(await noted(sql`type in ('task', 'comment')`)).toBe(0)
  expect(await noted(sql`scope_kind = 'u' and scope_id = ${bob.row.id}`)).toBe(0)
  const scopes = await h.db.execute(sql`select id from sync_scopes where kind = 'u' order by id`)
  expect(scopes.map(({ id }) => id)).toEqual([ada.row.id])
  // The deletion of the project itself is told for long.
  expect(await noted(sql`type = 'project' and gone`)).toBe(1)
})

test('what went with its address book or its user leaves nothing in the journals of address books', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const work = await newBook(ada)
  await newPerson(ada, 'Grace', work)
  const kept = await newPerson(ada, 'Alan')
  await newPerson(bob, 'Joan')
  await ada.request('DELETE', `/api/address-books/${work}`)
  await bob.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
  await purgeJournal(h.deps)
  const noted = await h.db.execute(sql`select scope_id, type, item from sync_changes where scope_kind = 'b'`)
  expect([...noted]).toEqual([{ scope_id: await defaultBook(ada), type: 'person', item: kept }])
})

test('what went with its list of todos or its user leaves nothing in the journals of lists, reminders and birthdays', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const made = async (actor: Actor, path: string, body: object) =>
    (await actor.request('POST', path, { body })).body.id
  const list_id = await made(ada, '/api/todo-lists', { name: 'Shops' })
  await made(ada, '/api/todos', { title: 'Milk', list_id })
  const [todo, reminder] = [await made(ada, '/api/todos', { title: 'Bins' }), await remind(ada)]
  const person = await made(ada, '/api/people', { nickname: 'Grace', birthday: '1906-12-09' })
  await made(bob, '/api/todos', { title: 'Bins' })
  await remind(bob)
  await made(bob, '/api/people', { nickname: 'Joan', birthday: '1906-12-09' })
  await ada.request('DELETE', `/api/todo-lists/${list_id}`)
  await bob.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
  await purgeJournal(h.deps)
  const noted = await h.db.execute(sql`
    select scope_kind::text as kind, type, item from sync_changes where scope_kind in ('l', 'r') or type = 'birthday' order by type`)
  expect([...noted]).toEqual([
    { kind: 'c', type: 'birthday', item: person },
    { kind: 'r', type: 'reminder', item: reminder },
    { kind: 'l', type: 'todo', item: todo },
  ])
  const scopes = await h.db.execute(sql`select id from sync_scopes where kind = 'r'`)
  expect(scopes.map(({ id }) => id)).toEqual([ada.row.id])
})

test('in another epoch every cursor starts again', async () => {
  const ada = await h.signedIn()
  const { next } = (await changesOf(ada)).body
  await renewEpoch(h.deps)
  expect(await changesOf(ada, after(next))).toMatchObject({ status: 410, body: { code: 'sync_reset' } })
})
