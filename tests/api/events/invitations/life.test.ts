import { expect, test } from 'bun:test'
import { connect, connectionsOf } from '../../../support/connecting'
import { at } from '../../../support/events'
import { person } from '../../../support/inviting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const REHEARSAL = {
  title: 'Rehearsal',
  start_at: '2026-03-02T19:00',
  end_at: '2026-03-02T21:00',
  recurrence_rule: 'FREQ=WEEKLY;COUNT=4',
}
const MARCH = ['2026-03-01', '2026-04-01'] as const

test('an organiser and two guests use an invitation from its first request to its end, all over HTTP', async () => {
  const [ada, bob, cyd] = [await person(h), await person(h), await person(h)]
  const [anna, ben, cleo] = [ada.row.networkName, bob.row.networkName, cyd.row.networkName]
  await connect(ada, bob)
  await connect(ada, cyd)
  const weekly = await ada.create(REHEARSAL)
  const answers = async (query = '') =>
    (await ada.invitationsTo(weekly.id, query)).body.invitations.map(
      (one: { response: string | null }) => one.response,
    )
  const starts = (one: typeof ada) => one.starts(...MARCH)

  // Both are asked, both hear of it, and each sees the series beside their own events.
  const asked = (await ada.invite(weekly.id, bob, cyd)).body.invitations
  const [bobs, cyds] = asked.map(({ id }: { id: number }) => id)
  for (const guest of [bob, cyd]) {
    expect(await guest.heard()).toEqual([`event_invite: ${anna} invited you to “Rehearsal”.`])
    expect((await starts(guest)).length).toBe(4)
    expect((await guest.change(weekly.id, { title: 'Mine' })).status).toBe(403)
    expect((await guest.remove(weekly.id)).status).toBe(403)
  }
  expect(await answers()).toEqual([null, null])

  // Bob comes, but not on the ninth; Cyd declines, but comes on the sixteenth.
  // Ada reads each answer but the last but one, which the last replaces.
  await bob.respond(bobs, 'going')
  await ada.catchUp()
  await bob.respond(bobs, 'declined', '2026-03-09T19:00')
  await ada.catchUp()
  await cyd.respond(cyds, 'Declined')
  await cyd.respond(cyds, 'Tentative', '2026-03-16T19:00')
  expect(await ada.heard()).toEqual([
    `event_response: ${cleo} may come to “Rehearsal” on 2026-03-16.`,
    `event_response: ${ben} declined “Rehearsal” on 2026-03-09.`,
    `event_response: ${ben} is going to “Rehearsal”.`,
  ])
  expect(await answers()).toEqual(['Going', 'Declined'])
  expect(await answers('?occurrence_start=2026-03-09T19:00')).toEqual(['Declined', 'Declined'])
  expect(await answers('?occurrence_start=2026-03-16T19:00')).toEqual(['Going', 'Tentative'])
  expect((await starts(bob)).map((start) => start.slice(8, 10))).toEqual(['02', '16', '23'])
  expect((await starts(cyd)).map((start) => start.slice(8, 10))).toEqual(['16'])
  expect((await cyd.list(...MARCH, { include_declined: 'true' })).length).toBe(4)

  // Bob puts it into a calendar of his own.
  const music = await bob.createCalendar('Music')
  expect((await bob.display(bobs, music.id)).body.display_calendar_id).toBe(music.id)
  expect(await bob.list(...MARCH, { calendar_id: String(music.id) })).toMatchObject([
    { calendar_name: 'Music' },
    { calendar_name: 'Music' },
    { calendar_name: 'Music' },
  ])

  // The ninth moves, which Bob, who declined it, does not hear; then all from the sixteenth on, with every answer.
  await ada.change(weekly.id, { start_at: '2026-03-09T18:00' }, at('2026-03-09T19:00'))
  expect([(await bob.heard()).length, (await cyd.heard()).length]).toEqual([1, 1])
  const later = (
    await ada.change(weekly.id, { start_at: '2026-03-16T20:00' }, at('2026-03-16T19:00', 'following'))
  ).body
  expect((await bob.heard())[0]).toBe('event_changed: At another time: “Rehearsal”.')
  expect((await cyd.heard())[0]).toBe('event_changed: At another time: “Rehearsal”.')
  expect(await cyd.list(...MARCH)).toMatchObject([
    { id: later.id, start_at: '2026-03-16T20:00:00+01:00', my_invitation: { response: 'Tentative' } },
  ])
  expect(await bob.list(...MARCH)).toMatchObject([
    { id: weekly.id, calendar_name: 'Music' },
    { id: later.id, calendar_name: 'Music' },
    { id: later.id, calendar_name: 'Music' },
  ])
  const [second] = (await cyd.invitations()).body.invitations
  expect(second).toMatchObject({ event_id: later.id, response: 'Declined' })
  expect((await cyd.respond(second.id, 'Going')).body.response).toBe('Going')

  // Cyd leaves the later half, and is not missed in the notifications.
  expect((await cyd.uninvite(later.id, second.id)).status).toBe(204)
  expect((await cyd.read(later.id)).status).toBe(404)
  expect((await ada.invitationsTo(later.id)).body.invitations).toMatchObject([{ network_name: ben }])
  expect((await ada.heard()).length).toBe(3)

  // The first half is called off: who had declined it is not bothered.
  await ada.remove(weekly.id)
  expect((await bob.heard())[0]).toBe('event_cancelled: Cancelled: “Rehearsal”.')
  expect((await cyd.heard()).some((one) => one.startsWith('event_cancelled'))).toBe(false)
  expect((await cyd.invitations()).body.invitations).toEqual([])

  // Bob and Ada part: what is left of the series is hers alone.
  const [connection] = (await connectionsOf(bob)).filter(({ user_id }) => user_id === ada.row.id)
  await bob.disconnect(connection?.id)
  expect((await ada.invitationsTo(later.id)).body.invitations).toEqual([])
  expect([(await bob.invitations()).body.invitations, await bob.list(...MARCH)]).toEqual([[], []])
  expect((await bob.read(later.id)).body).toEqual({ detail: 'Event not found' })
  expect((await ada.invite(later.id, bob)).body).toEqual({ detail: 'Connection not found' })
  expect((await starts(ada)).length).toBe(2)
})
