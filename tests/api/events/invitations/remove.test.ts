import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { eventInvitations, occurrenceResponses } from '../../../../src/db/schema'
import { connect } from '../../../support/connecting'
import { friends, invitedTo, person } from '../../../support/inviting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const SINGLE = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const DAILY = { ...SINGLE, recurrence_rule: 'FREQ=DAILY;COUNT=4' }
const WINDOW = ['2026-03-01', '2026-04-01'] as const
const NOT_FOUND = { detail: 'Invitation not found' }

type Invited = Awaited<ReturnType<typeof invitedTo>>

/** Nothing of the invitation is left, neither to see nor to read about. */
async function expectOver({ ada, bob, event, invitation }: Invited) {
  expect((await bob.invitations()).body.invitations).toEqual([])
  expect((await bob.read(event.id)).body).toEqual({ detail: 'Event not found' })
  expect(await bob.list(...WINDOW, { include_declined: 'true' })).toEqual([])
  expect((await bob.respond(invitation.id, 'Going')).body).toEqual(NOT_FOUND)
  expect([await ada.heard(), await bob.heard()]).toEqual([[], []])
  expect(await h.db.$count(occurrenceResponses, eq(occurrenceResponses.invitationId, invitation.id))).toBe(0)
}

/** An invitation that both have heard of, more than once. */
async function answered() {
  const invited = await invitedTo(h, DAILY)
  const { ada, bob, event, invitation } = invited
  await bob.respond(invitation.id, 'Going')
  await ada.catchUp()
  await bob.respond(invitation.id, 'Declined', '2026-03-11T09:00')
  await ada.change(event.id, { start_at: '2026-03-10T11:00' })
  expect([(await ada.heard()).length, (await bob.heard()).length]).toEqual([2, 2])
  return invited
}

describe('an invitation ends silently, with all notifications of it, when', () => {
  test('the organiser takes it back', async () => {
    const invited = await answered()
    const { ada, event, invitation } = invited
    const removed = await ada.uninvite(event.id, invitation.id)
    expect([removed.status, removed.body]).toEqual([204, ''])
    expect((await ada.invitationsTo(event.id)).body.invitations).toEqual([])
    await expectOver(invited)
    expect((await ada.uninvite(event.id, invitation.id)).body).toEqual(NOT_FOUND)
  })

  test('the invitee leaves', async () => {
    const invited = await answered()
    const { ada, bob, event, invitation } = invited
    expect((await bob.uninvite(event.id, invitation.id)).status).toBe(204)
    expect((await ada.invitationsTo(event.id)).body.invitations).toEqual([])
    await expectOver(invited)
  })

  test.each(['organiser', 'invitee'] as const)('the %s ends the connection', async (who) => {
    const invited = await answered()
    const { ada, bob, event, connection } = invited
    const ended =
      who === 'organiser' ? await ada.disconnect(connection.own) : await bob.disconnect(connection.theirs)
    expect(ended.status).toBe(204)
    expect((await ada.invitationsTo(event.id)).body.invitations).toEqual([])
    await expectOver(invited)
    expect((await ada.invite(event.id, bob)).body).toEqual({ detail: 'Connection not found' })
  })
})

test('the end of a connection ends the invitations of both users to each other, and no others', async () => {
  const { ada, bob, connection } = await friends(h)
  const cyd = await person(h)
  await connect(ada, cyd)
  await connect(bob, cyd)
  const [adas, bobs, cyds] = [await ada.create(SINGLE), await bob.create(SINGLE), await cyd.create(SINGLE)]
  await ada.invite(adas.id, bob, cyd)
  await bob.invite(bobs.id, ada, cyd)
  await cyd.invite(cyds.id, ada, bob)
  await ada.disconnect(connection.own)
  const seen = async (one: typeof ada) =>
    new Set((await one.invitations()).body.invitations.map((row: { event_id: number }) => row.event_id))
  expect([await seen(ada), await seen(bob), await seen(cyd)]).toEqual([
    new Set([cyds.id]),
    new Set([cyds.id]),
    new Set([adas.id, bobs.id]),
  ])
  expect((await ada.heard()).join()).toBe(`event_invite: ${cyd.row.networkName} invited you to “Choir”.`)
  expect((await bob.heard()).length).toBe(1)
  expect((await cyd.heard()).length).toBe(2)
})

test('a user whose invitation was taken back can be invited anew, and is told of it', async () => {
  const { ada, bob, event, invitation } = await answered()
  await ada.uninvite(event.id, invitation.id)
  const again = (await ada.invite(event.id, bob)).body.invitations[0]
  expect(again).toMatchObject({ response: null })
  expect(again.id).not.toBe(invitation.id)
  expect(await bob.heard()).toEqual([`event_invite: ${ada.row.networkName} invited you to “Choir”.`])
  expect(
    (await bob.occurrences(event.id, ...WINDOW)).body.occurrences.map(
      (one: { my_invitation: { response: string } }) => one.my_invitation.response,
    ),
  ).toEqual([null, null, null, null])
})

describe('a deleted account leaves no invitations and no notifications of them behind', () => {
  test('when it is that of the invitee', async () => {
    const { ada, bob, event } = await answered()
    expect((await bob.deleteAccount()).status).toBe(204)
    expect((await ada.invitationsTo(event.id)).body.invitations).toEqual([])
    expect(await ada.heard()).toEqual([])
  })

  test('when it is that of the organiser', async () => {
    const { ada, bob, event } = await answered()
    expect((await ada.deleteAccount()).status).toBe(204)
    expect((await bob.invitations()).body.invitations).toEqual([])
    expect(await bob.heard()).toEqual([])
    expect(await h.db.$count(eventInvitations, eq(eventInvitations.eventId, event.id))).toBe(0)
  })
})

test('a deleted event takes its invitations along, and its invitee hears that it is cancelled', async () => {
  const { ada, bob, event, invitation } = await invitedTo(h, SINGLE)
  await ada.remove(event.id)
  expect((await bob.heard())[0]).toBe('event_cancelled: Cancelled: “Choir”.')
  expect((await bob.invitations()).body.invitations).toEqual([])
  expect((await bob.respond(invitation.id, 'Going')).body).toEqual(NOT_FOUND)
})

test('an invitation of others is answered like one that does not exist, and does not end', async () => {
  const { ada, bob, event, invitation } = await invitedTo(h, SINGLE)
  const [cyd, stranger] = [await person(h), await person(h)]
  await connect(ada, cyd)
  await ada.invite(event.id, cyd)
  const other = await ada.create(SINGLE)
  const attempts = [
    ...[cyd, stranger].flatMap((actor) => [
      actor.uninvite(event.id, invitation.id),
      actor.uninvite(event.id, 2_147_483_647),
      actor.uninvite(2_147_483_647, invitation.id),
    ]),
    ada.uninvite(other.id, invitation.id),
    bob.uninvite(other.id, invitation.id),
    ada.uninvite(event.id, 'x'),
  ]
  for (const refused of await Promise.all(attempts)) {
    expect([refused.status, refused.body]).toEqual([404, NOT_FOUND])
  }
  expect((await ada.invitationsTo(event.id)).body.invitations.length).toBe(2)
})
