import { beforeEach, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { pushDeliveries, settings } from '../../src/db/schema'
import { createEvent } from '../support/events'
import type { Actor } from '../support/harness'
import { act, deliveriesOf } from '../support/ntfy'
import { remind, usePushing } from '../support/use-pushing'
import { useSql } from '../support/use-sql'

const { h, soon } = usePushing()
const sql = useSql(h, 'test')
beforeEach(async () => {
  // Else the database takes nothing that it cannot read.
  await sql`alter table notifications alter column subject_id drop expression`
})

const reminder = (ada: Actor, title = 'r') => remind(ada, title, soon(10))
const timed = { title: 'e', reminder_minutes: 0 }

test('a broken row is logged with its id, and keeps no other message from being sent', async () => {
  const [ada, bob, eve] = [
    await h.listener(),
    await h.listener({ ntfy_auth_token: 'tk_eve' }),
    await h.listener(),
  ]
  const broken = await createEvent(ada, {
    ...timed,
    start_at: soon(10),
    end_at: soon(20),
    recurrence_rule: 'FREQ=DAILY',
  })
  for (const user of [ada, bob, eve]) await reminder(user)
  await h.db.execute(`update events set recurrence_rule = 'FREQ=NEVER' where id = ${broken.id}`)
  await h.db.update(settings).set({ ntfyAuthToken: 'v9.unknown.key' }).where(eq(settings.userId, bob.row.id))
  await h.db.update(settings).set({ timeZone: 'Moon/Crater' }).where(eq(settings.userId, eve.row.id))
  h.clock.advance({ minutes: 10 })
  const told = (await h.tick()).map(({ topic }) => topic)
  expect(told.toSorted()).toEqual([ada.row.username, eve.row.username].toSorted())
  expect(h.log.entries).toContainEqual(
    expect.objectContaining({
      level: 'error',
      fields: expect.objectContaining({ kind: 'event', id: broken.id }),
    }),
  )
  const [held] = await deliveriesOf(bob)
  expect([held.status, held.attempts, held.error]).toEqual([
    'pending',
    1,
    'The access token cannot be read any more: set it again',
  ])
})

/** Somebody who was asked for a connection, in a way that can be made unreadable. */
async function asked() {
  const [ada, bob] = [await h.listener(), await h.signedIn()]
  await h.db.update(settings).set({ acceptConnections: true }).where(eq(settings.userId, ada.row.id))
  const request = await act(bob, 'POST', '/api/connections/requests', { network_name: ada.row.networkName })
  const asks = (id: string) =>
    h.db.execute(`update notifications set data = '{"request_id": "${id}"}' where user_id = ${ada.row.id}`)
  return { ada, spoil: () => asks('none'), mend: () => asks(String(request.id)) }
}

const namesOf = (actors: readonly Actor[]) => actors.map(({ row }) => row.username).toSorted()

test('a user whose rows the database cannot read keeps nobody else from being planned for', async () => {
  const { ada, spoil, mend } = await asked()
  const others = await Promise.all(Array.from({ length: 20 }, () => h.listener()))
  await spoil()
  for (const user of [...others, ada]) await reminder(user, 'planned')
  h.clock.advance({ minutes: 10 })
  expect((await h.tick()).map(({ topic }) => topic).toSorted()).toEqual(namesOf(others))
  expect(h.log.entries).toContainEqual(
    expect.objectContaining({
      message: 'Cannot plan the push messages of a user',
      fields: expect.objectContaining({ userId: ada.row.id }),
    }),
  )
  await mend()
  h.clock.advance({ minutes: 15 })
  expect(await h.tick(ada)).toHaveLength(2)
})

test('a user whose rows the database cannot read keeps no waiting message of others from being sent', async () => {
  const { ada, spoil, mend } = await asked()
  const others = await Promise.all(Array.from({ length: 7 }, () => h.listener()))
  await h.tick(ada)
  await h.db.delete(pushDeliveries).where(eq(pushDeliveries.userId, ada.row.id))
  for (const user of others) await reminder(user, 'planned')
  await reminder(ada)
  h.clock.advance({ minutes: 10 })
  h.ntfy.react = () => new Response('no', { status: 500 })
  await h.tick()
  h.ntfy.react = undefined
  await spoil()
  h.clock.advance({ minutes: 1 })
  const told = (await h.tick()).map(({ topic }) => topic)
  expect(others.filter(({ row }) => !told.includes(row.username))).toEqual([])
  await mend()
  h.clock.advance({ minutes: 2 })
  await h.tick()
  expect((await deliveriesOf(ada)).map(({ status }: { status: string }) => status)).toEqual(['sent', 'sent'])
})
