import { expect, test } from 'bun:test'
import { sql } from 'drizzle-orm'
import { sceneOf, todos } from '../../../support/doing.scene'
import type { Actor } from '../../../support/harness'
import { sharedWith } from '../../../support/sharing'
import { did } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

test('a repeated undoing or restoring with the same key does nothing again', async () => {
  const all = await sceneOf(h)
  const [id] = await todos(all, 1)
  const { operation } = await did(all.me, `DELETE /api/todos/${id}`)
  const send = (path: string, key: string) =>
    all.me.request('POST', path, { headers: { 'idempotency-key': key } })
  const path = `/api/operations/${operation}/undo`
  const [one, two] = [await send(path, 'a'), await send(path, 'a')]
  expect([one.status, two.status, two.headers.get('idempotency-replayed')]).toEqual([200, 200, 'true'])
  expect(two.body).toEqual(one.body)
  await did(all.me, `DELETE /api/todos/${id}`)
  const [item] = (await all.me.request('GET', '/api/trash')).body.items
  const entry = `/api/trash/${item.id}/restore`
  const [three, four] = [await send(entry, 'b'), await send(entry, 'b')]
  expect([three.status, four.status]).toEqual([200, 200])
  expect(four.body).toEqual(three.body)
})

test('a former writer is not told what an event that they gave away is called now', async () => {
  const { ada, bob, calendar: choir } = await sharedWith(h, 'write')
  const made = await bob.create(EVENT)
  const moved = await bob.request('PUT', `/api/events/${made.id}`, { body: { calendar_id: choir.id } })
  expect(moved.status).toBe(200)
  await ada.dismiss(choir.id, await memberOf(ada, choir.id))
  await ada.request('PUT', `/api/events/${made.id}`, { body: { title: 'SECRET' } })
  await ada.request('DELETE', `/api/events/${made.id}`)
  const path = `/api/operations/${moved.headers.get('x-operation-id')}/undo`
  const refused = await bob.request('POST', path)
  expect(refused.status).toBeGreaterThan(399)
  expect(JSON.stringify(refused.body)).not.toContain('SECRET')
  const { body } = await bob.request('GET', '/api/operations')
  expect(JSON.stringify(body)).not.toContain('SECRET')
})

const EVENT = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const memberOf = async (ada: Actor, calendarId: number): Promise<number> =>
  (await ada.request('GET', `/api/calendars/${calendarId}/members`)).body.members[0].id

test('an import that is still under way is not undone, and one that was broken off is', async () => {
  const ada = await h.signedIn()
  const card = 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Grace\r\nEND:VCARD\r\n'
  const { headers } = await ada.request('POST', '/api/people/import', {
    body: card,
    headers: { 'content-type': 'text/vcard' },
  })
  const id = headers.get('x-operation-id')
  await h.db.execute(sql`update operations set is_open = true where id = ${id}`)
  const early = await ada.request('POST', `/api/operations/${id}/undo`)
  expect([early.status, early.body.code]).toEqual([409, 'operation_in_progress'])
  h.clock.advance({ seconds: 61 })
  expect((await ada.request('POST', `/api/operations/${id}/undo`)).status).toBe(200)
})

test('undoing a change of the settings never shows again what is not shown any more', async () => {
  const ada = await h.signedIn()
  const settings = (body: object) => ada.request('PUT', '/api/settings', { body })
  await settings({ share_email: true, accept_connections: true })
  const { headers } = await settings({ share_email: false, accept_connections: false })
  await ada.request('POST', `/api/operations/${headers.get('x-operation-id')}/undo`)
  const { body } = await ada.request('GET', '/api/settings')
  expect([body.share_email, body.accept_connections]).toEqual([false, false])
})
