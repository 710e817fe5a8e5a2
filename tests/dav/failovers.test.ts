import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { cs } from '../../src/lib/xml/names'
import { followBook as follow } from '../support/cards'
import { type Phone, phoneOf } from '../support/dav'
import { organiser } from '../support/events'
import { lockWaiters } from '../support/locks'
import { loseChanges, nameOnTimeline, promote, promotion } from '../support/timelines'
import { putText, todoText } from '../support/todo-objects'
import { useHarness } from '../support/use-harness'
import { useSql } from '../support/use-sql'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' }, per: 'test' })
const session = useSql(h, 'test')
const watcher = useSql(h, 'test')

async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const path = `${phone.home}todos/`
  const [list] = await h.db.execute<{ id: number }>(
    sql`select id from todo_lists where user_id = ${ada.row.id}`,
  )
  const put = async (name: string) =>
    expect(
      (await putText(phone, `${path}${name}.ics`, todoText([`UID:${name}`, `SUMMARY:${name}`]))).status,
    ).toBe(201)
  return { phone, path, put, list: list?.id ?? 0 }
}

const tagsOf = async (phone: Phone, path: string) => {
  const { responses } = await phone.propfind(path, ['cs:getctag'])
  return responses.get(path)?.found.get(cs('getctag'))?.text
}

test('a failover alone changes no tag, and sync tokens of before it go on', async () => {
  const { phone, path, put } = await start()
  await put('a')
  const { token } = await follow(phone, path)
  const [tag, home] = [await tagsOf(phone, path), await tagsOf(phone, phone.home)]
  await promote(h.db, 2)
  expect([await tagsOf(phone, path), await tagsOf(phone, phone.home)]).toEqual([tag, home])
  expect(await follow(phone, path, token)).toMatchObject({ status: 207, changes: {}, token })
  await put('b')
  await promote(h.db, 3)
  await put('c')
  expect(await tagsOf(phone, path)).not.toBe(tag)
  const later = await follow(phone, path, token)
  expect([later.status, Object.keys(later.changes).toSorted()]).toEqual([207, ['b.ics', 'c.ics']])
  expect(await follow(phone, path, later.token)).toMatchObject({ status: 207, changes: {} })
})

test('an answer that is made while a timeline begins has a token that counts', async () => {
  const { phone, path, put } = await start()
  const gate = 1
  // So late a timeline is new to the service, which asks for its name after it has looked at the collection.
  await session.unsafe(promotion(40, gate))
  await put('a')
  const asked = await session.begin(async (tx) => {
    await tx`select pg_advisory_xact_lock(${gate})`
    const answer = follow(phone, path)
    await lockWaiters(watcher)
    await promote(h.db, 41)
    await put('b')
    return { answer }
  })
  const { token } = await asked.answer
  await put('c')
  const { status, changes } = await follow(phone, path, token)
  expect([status, Object.keys(changes)]).toEqual([207, expect.arrayContaining(['c.ics'])])
})

test('a failover that lost changes refuses the tokens of whoever saw them, and no others', async () => {
  const { phone, path, put, list } = await start()
  await put('a')
  const before = await follow(phone, path)
  await put('b')
  const saw = await follow(phone, path)
  await loseChanges(h.db, 'l', list, 1)
  await promote(h.db, 2)
  expect((await follow(phone, path, saw.token)).status).toBe(403)
  await put('c')
  expect((await follow(phone, path, saw.token)).status).toBe(403)
  await put('d')
  expect((await follow(phone, path, saw.token)).status).toBe(403)
  const { status, changes } = await follow(phone, path, before.token)
  expect([status, Object.keys(changes).toSorted()]).toEqual([207, ['c.ics', 'd.ics']])
})

test('sync tokens have the form and the names that they had in earlier versions', async () => {
  const { phone, path, list } = await start()
  const { token } = await follow(phone, path)
  const name = await nameOnTimeline(h.db, 1)
  expect(token).toMatch(new RegExp(`^https://organiser\\.invalid/ns/sync/list-${list}/${name}/\\d+$`))
})
