import { expect, test } from 'bun:test'
import { listed } from '../../../support/changes'
import { birthdaysOf } from '../../../support/events'
import { sharedWith } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const HOUR = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

test('lists the events and series of a calendar by id, unexpanded, to everyone who sees it', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'read')
  const calendar_id = calendar.id
  const series = await ada.create({ ...HOUR, calendar_id, recurrence_rule: 'FREQ=DAILY' })
  const at = (day: number) => ({ scope: 'this', occurrence_start: `2026-03-${day}T09:00` })
  await ada.change(series.id, { title: 'Moved' }, at(12))
  await ada.remove(series.id, at(13))
  const single = await ada.create({ ...HOUR, calendar_id })
  await ada.create(HOUR)
  await ada.invite(single.id, bob)
  const path = `/api/calendars/${calendar_id}/events`
  const { body } = await ada.request('GET', `${path}?limit=1`)
  expect(body.next_cursor).toBeString()
  const events = await listed(ada, path, 'events')
  expect(events).toMatchObject([
    {
      id: series.id,
      calendar_id,
      occurrence_start: null,
      recurrence_rule: 'FREQ=DAILY',
      overrides: [{ title: 'Moved', occurrence_start: '2026-03-12T09:00:00+01:00', is_override: true }],
      exceptions: ['2026-03-13T09:00:00+01:00'],
      invitations: [],
    },
    { id: single.id, overrides: [], exceptions: [], invitations: [{ user_id: bob.row.id }] },
  ])
  expect(body.events).toEqual(events.slice(0, 1))
  expect(await listed(bob, path, 'events')).toMatchObject([
    { id: series.id, my_invitation: null },
    { id: single.id, my_invitation: { response: null } },
  ])
})

test('has no birthdays, and is not found by whoever does not see the calendar', async () => {
  const { ada, bob } = await sharedWith(h, 'read')
  const birthdays = await birthdaysOf(h, ada.row.id)
  expect(await listed(ada, `/api/calendars/${birthdays.id}/events`, 'events')).toEqual([])
  const hidden = await bob.request('GET', `/api/calendars/${birthdays.id}/events`)
  expect({ status: hidden.status, body: hidden.body }).toEqual({
    status: 404,
    body: { detail: 'Calendar not found' },
  })
})

test('shows a guest the answer of theirs that counts for a changed occurrence', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'read')
  const series = await ada.create({ ...HOUR, calendar_id: calendar.id, recurrence_rule: 'FREQ=DAILY' })
  await ada.change(series.id, { title: 'Moved' }, { scope: 'this', occurrence_start: '2026-03-12T09:00' })
  const [invitation] = (await ada.invite(series.id, bob)).body.invitations
  await bob.respond(invitation.id, 'Going')
  await bob.respond(invitation.id, 'Declined', '2026-03-12T09:00')
  expect(await listed(bob, `/api/calendars/${calendar.id}/events`, 'events')).toMatchObject([
    { my_invitation: { response: 'Going' }, overrides: [{ my_invitation: { response: 'Declined' } }] },
  ])
})
