import { describe, expect, test } from 'bun:test'
import { birthdaysOf } from '../../../support/events'
import { invitedTo, type Person } from '../../../support/inviting'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const SINGLE = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const WINDOW = ['2026-03-01', '2026-04-01'] as const
const NO_CALENDAR = { detail: 'Calendar not found' }

const newCalendar = (owner: Person) => owner.createCalendar('Music', { color: '#00ff00' })

test('an event shows in the calendar that its invitee chose, for them alone', async () => {
  const { ada, bob, event, invitation } = await invitedTo(h, SINGLE)
  const music = await newCalendar(bob)
  const chosen = await bob.display(invitation.id, music.id)
  expect([chosen.status, chosen.body]).toEqual([200, { ...invitation, display_calendar_id: music.id }])
  const shown = { calendar_id: music.id, calendar_name: 'Music', calendar_color: '#00ff00', access: 'read' }
  expect((await bob.read(event.id)).body).toMatchObject({
    ...shown,
    my_invitation: { display_calendar_id: music.id },
  })
  expect(await bob.list(...WINDOW, { calendar_id: String(music.id) })).toMatchObject([shown])
  expect((await bob.change(event.id, { title: 'Mine' })).status).toBe(403)
  expect((await ada.read(event.id)).body).toEqual(event)
  expect((await ada.invitationsTo(event.id)).body.invitations).toEqual([invitation])
  expect([await ada.heard(), (await bob.heard()).length]).toEqual([[], 1])

  await bob.changeCalendar(music.id, { is_visible: false })
  expect(await bob.list(...WINDOW)).toEqual([])
  expect((await bob.list(...WINDOW, { calendar_id: String(music.id) })).length).toBe(1)

  expect((await bob.display(invitation.id, null)).body).toEqual(invitation)
  expect(await bob.list(...WINDOW)).toMatchObject([{ calendar_id: null, calendar_color: null }])
})

test('an invitation keeps its answer when its display calendar is deleted', async () => {
  const { bob, event, invitation } = await invitedTo(h, SINGLE)
  const music = await newCalendar(bob)
  await bob.display(invitation.id, music.id)
  await bob.respond(invitation.id, 'Going')
  expect((await bob.deleteCalendar(music.id)).status).toBe(204)
  expect((await bob.invitations()).body.invitations).toEqual([{ ...invitation, response: 'Going' }])
  expect((await bob.read(event.id)).body).toMatchObject({ calendar_id: null, calendar_name: null })
  expect((await bob.heard()).length).toBe(1)
})

describe('the choice of a display calendar', () => {
  test("gets 404 for a calendar that is not the invitee's own, and for the Birthdays calendar", async () => {
    const { ada, bob, event, invitation } = await invitedTo(h, SINGLE)
    const foreign = await newCalendar(ada)
    const birthdays = await birthdaysOf(h, bob.row.id)
    for (const id of [foreign.id, event.calendar_id, birthdays.id, 2_147_483_647, 0, 1e15]) {
      const refused = await bob.display(invitation.id, id)
      expect([refused.status, refused.body]).toEqual([404, NO_CALENDAR])
    }
    for (const id of [undefined, '1', 1.5]) expect((await bob.display(invitation.id, id)).status).toBe(422)
    expect((await bob.invitations()).body.invitations).toEqual([invitation])
  })

  test('gets 404 for an invitation of somebody else', async () => {
    const { ada, bob, event, invitation } = await invitedTo(h, SINGLE)
    for (const [actor, id] of [
      [ada, invitation.id],
      [ada, 2_147_483_647],
      [bob, 2_147_483_647],
    ] as const) {
      const refused = await actor.display(id, event.calendar_id)
      expect([refused.status, refused.body]).toEqual([404, { detail: 'Invitation not found' }])
    }
  })
})
