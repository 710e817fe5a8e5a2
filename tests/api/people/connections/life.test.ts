import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { auditLog, people } from '../../../../src/db/schema'
import {
  connectionsOf,
  notificationsOf,
  REQUESTS,
  requestsOf,
  send,
  settle,
} from '../../../support/connecting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

test('two people find, ask, know, hide from, leave and ask each other again, all over HTTP', async () => {
  const ada = await h.signedIn({ username: 'ada', email: 'ada@example.org' })
  const bob = await h.signedIn({ username: 'bob', email: 'bob@example.org' })
  const configure = (actor: typeof ada, body: object) => actor.request('PUT', '/api/settings', { body })
  const seekBob = async () =>
    (await ada.request('POST', '/api/connections/search', { body: { network_name: 'Bob' } })).body
  const unreadOf = async (actor: typeof ada) =>
    (await actor.request('GET', '/api/notifications?unread=true')).body.unread_count

  // Until Bob accepts connections he cannot be found or asked.
  expect(await seekBob()).toEqual({ found: false, network_name: 'Bob' })
  expect((await send(ada, bob)).body).toEqual({ detail: 'User not found' })
  await configure(bob, { accept_connections: true, preferred_name: 'Bobby', share_preferred_name: true })
  expect(await seekBob()).toEqual({ found: true, network_name: 'Bob', preferred_name: 'Bobby' })

  // Ada asks; Bob is told, and both see the request.
  const asked = await ada.request('POST', REQUESTS, { body: { network_name: 'BOB', message: 'It is me' } })
  expect(asked.status).toBe(201)
  expect(await requestsOf(ada, '?direction=outgoing')).toEqual([asked.body])
  expect(await requestsOf(bob, '?status=pending')).toMatchObject([
    { direction: 'incoming', message: 'It is me' },
  ])
  expect(await unreadOf(bob)).toBe(1)
  expect((await send(bob, ada)).body).toEqual({ detail: 'A request is already pending' })

  // Bob accepts: both are connected, Ada is told, each has a person record.
  const accepted = await settle(bob, 'accept', asked.body.id)
  expect(accepted.body).toMatchObject({
    request: { status: 'accepted' },
    connection: { network_name: 'ada' },
  })
  expect([await unreadOf(bob), await unreadOf(ada)]).toEqual([0, 1])
  const [adas] = await connectionsOf(ada)
  expect(adas).toMatchObject({ preferred_name: 'Bobby', shared_profile: { preferred_name: 'Bobby' } })
  expect(
    await h.db
      .select()
      .from(people)
      .where(eq(people.id, adas?.person_id ?? 0)),
  ).toMatchObject([{ userId: ada.row.id, linkedUserId: bob.row.id, nickname: 'Bobby' }])

  // Bob shows Ada his e-mail, then hides all; his settings decide what his toggles leave open.
  const toggles = (body: object) =>
    bob.request('PUT', `/api/connections/${accepted.body.connection.id}/sharing`, { body })
  const bobAsSeen = async () => (await connectionsOf(ada))[0]?.shared_profile
  await toggles({ share_email: true })
  expect(await bobAsSeen()).toEqual({ preferred_name: 'Bobby', email: 'bob@example.org' })
  await toggles({ share_email: false, share_preferred_name: false })
  expect(await bobAsSeen()).toEqual({})
  await toggles({ share_email: null, share_preferred_name: null })
  await configure(bob, { share_preferred_name: false, share_email: true })
  expect(await bobAsSeen()).toEqual({ email: 'bob@example.org' })

  // Ada leaves: both lists are empty, the persons stay without a link.
  expect((await ada.request('DELETE', `/api/connections/${adas?.id}`)).status).toBe(204)
  expect([await connectionsOf(ada), await connectionsOf(bob)]).toEqual([[], []])
  expect(await h.db.select().from(people)).toMatchObject([{ linkedUserId: null }, { linkedUserId: null }])

  // She asks again and is rejected, which nobody tells her; asks again, and takes it back.
  const second = (await send(ada, bob)).body
  expect((await settle(bob, 'reject', second.id)).body.status).toBe('rejected')
  expect(await notificationsOf(ada)).toEqual([])
  const third = (await send(ada, bob)).body
  expect(await unreadOf(bob)).toBe(1)
  expect((await settle(ada, 'cancel', third.id)).body.status).toBe('cancelled')
  expect(await unreadOf(bob)).toBe(0)
  expect((await settle(bob, 'accept', third.id)).body).toEqual({
    detail: 'This request is no longer pending',
  })
  expect((await requestsOf(ada)).map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'accepted'])
  expect((await requestsOf(bob)).map(({ status }) => status)).toEqual(['accepted'])
  expect(await h.db.select().from(auditLog)).toMatchObject([{ action: 'connection.request_cancelled' }])
})
