import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { purgeJournal } from '../../../../src/access/journal/service'
import { readCursor, writeCursor } from '../../../../src/features/overview/changes/rules.cursor'
import { askChanges, brief, changesOf, Follower } from '../../../support/changes'
import type { Actor } from '../../../support/harness'
import { lockWaiters } from '../../../support/locks'
import { createTodo } from '../../../support/records'
import { loseChanges, nameOnTimeline, promote, promotion } from '../../../support/timelines'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness({ per: 'test' })
const session = useSql(h, 'test')
const watcher = useSql(h, 'test')

const RESET = { status: 410, body: { detail: 'Start again without since', code: 'sync_reset' } }

async function ask(actor: Actor, since: string) {
  const { status, body } = await askChanges(actor, { since })
  return { status, body }
}

const namesSince = async (actor: Actor, since: string) =>
  (await changesOf(actor, { since })).changes.map(brief)

const nextOf = async (actor: Actor) => (await changesOf(actor, { since: 'now' })).next

test('a failover that lost nothing resets no cursor, and hides no change of before or after it', async () => {
  const ada = await h.signedIn()
  const before = await nextOf(ada)
  const first = await createTodo(ada)
  const between = await nextOf(ada)
  await promote(h.db, 2)
  expect(await namesSince(ada, before)).toEqual([`+ todo ${first.id}`])
  expect(await namesSince(ada, between)).toEqual([])
  const second = await createTodo(ada)
  await promote(h.db, 3)
  const third = await createTodo(ada)
  const all = [first, second, third].map(({ id }) => `+ todo ${id}`)
  expect(await namesSince(ada, before)).toEqual(all)
  expect(await namesSince(ada, between)).toEqual(all.slice(1))
  expect(await namesSince(ada, await nextOf(ada))).toEqual([])
})

test('a page that is read while a timeline begins has a cursor that counts', async () => {
  const ada = await h.signedIn()
  const before = await nextOf(ada)
  const { id } = await createTodo(ada)
  const asked = await session.begin(async (tx) => {
    await tx`lock table sync_switches`
    const answer = ask(ada, before)
    await lockWaiters(watcher)
    await tx.unsafe(promotion(2))
    await tx`update todos set version = version + 1 where id = ${id}`
    return { answer }
  })
  const page = await asked.answer
  expect([page.status, page.body.changes.map(brief)]).toEqual([200, [`+ todo ${id}`]])
  expect(await namesSince(ada, page.body.next)).toEqual([])
})

test('a run of pages goes on over a failover, to the end', async () => {
  const ada = await h.signedIn()
  for (let n = 0; n < 3; n++) await createTodo(ada)
  const follower = new Follower(ada)
  expect((await follower.poll(2)).has_more).toBe(true)
  await promote(h.db, 2)
  const { id } = await createTodo(ada)
  await follower.poll(2)
  await promote(h.db, 3)
  await follower.catchUp(2)
  await follower.catchUp(2)
  expect([...follower.items.keys()].filter((name) => name.startsWith('todo ')).length).toBe(4)
  expect(follower.items.has(`todo ${id}`)).toBe(true)
})

test('a failover that lost changes resets whoever saw them, also when the journal has passed their number again, and nobody else', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn()]
  const kept = await nextOf(ada)
  await createTodo(ada)
  const saw = await nextOf(ada)
  const other = await nextOf(bob)
  await loseChanges(h.db, 'u', ada.row.id, 1)
  await promote(h.db, 2)
  expect(await ask(ada, saw)).toEqual(RESET)
  const { id } = await createTodo(ada)
  expect(await ask(ada, saw)).toEqual(RESET)
  expect(await namesSince(ada, kept)).toContain(`+ todo ${id}`)
  await createTodo(ada)
  await promote(h.db, 3)
  await createTodo(ada)
  expect(await ask(ada, saw)).toEqual(RESET)
  expect(await namesSince(ada, kept)).toContain(`+ todo ${id}`)
  expect(await namesSince(bob, other)).toEqual([])
})

test('a calendar that was lost and another that got its id are not taken for one another', async () => {
  const ada = await h.signedIn()
  const create = async () =>
    (await ada.request('POST', '/api/calendars', { body: { name: 'New', color: '#112233' } })).body
      .id as number
  const lost = await create()
  const saw = await nextOf(ada)
  await h.db.execute(sql`delete from calendars where id = ${lost}`)
  await h.db.execute(sql`delete from sync_scopes where kind = 'c' and id = ${lost}`)
  await promote(h.db, 2)
  await h.db.execute(sql.raw(`alter table calendars alter column id restart with ${lost}`))
  expect(await create()).toBe(lost)
  expect(await ask(ada, saw)).toEqual(RESET)
})

test('a cursor of an earlier version goes on, on each timeline of the server, and one of another server does not', async () => {
  const ada = await h.signedIn()
  const { next } = await changesOf(ada)
  const cursor = readCursor(h.deps.tokens.readText('changes', next) ?? '')
  if (!cursor) throw new Error('no cursor')
  const named = (journal: string) => h.deps.tokens.signText('changes', writeCursor({ ...cursor, journal }))
  expect(cursor.journal).toBe(await nameOnTimeline(h.db, 1))
  await promote(h.db, 12)
  const { id } = await createTodo(ada)
  for (const timeline of [1, 2, 12])
    expect(await namesSince(ada, named(await nameOnTimeline(h.db, timeline)))).toEqual([`+ todo ${id}`])
  const [epoch = ''] = cursor.journal.split('-')
  for (const other of [await nameOnTimeline(h.db, 13), `${epoch}-0123456789ab`, epoch])
    expect(await ask(ada, named(other))).toEqual(RESET)
})

test('where failovers were is known in one row after 400 days, by which whoever saw lost changes is still reset', async () => {
  const ada = await h.signedIn()
  const before = await nextOf(ada)
  await createTodo(ada)
  const saw = await nextOf(ada)
  await loseChanges(h.db, 'u', ada.row.id, 1)
  for (const timeline of [2, 3, 4]) {
    await promote(h.db, timeline)
    await createTodo(ada)
  }
  const now = () => new Date('2100-01-01')
  await purgeJournal({ ...h.deps, clock: { ...h.deps.clock, now } })
  const rows = await h.db.execute(
    sql`select timeline from sync_switches where kind = 'u' and id = ${ada.row.id}`,
  )
  expect([...rows]).toEqual([{ timeline: 4 }])
  expect(await ask(ada, saw)).toEqual(RESET)
  expect((await ask(ada, before)).status).toBe(200)
})
