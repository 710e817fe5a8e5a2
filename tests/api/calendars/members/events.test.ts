import { describe, expect, test } from 'bun:test'
import { notifications } from '../../../../src/db/schema'
import { exportOf, importInto } from '../../../support/calendar-files'
import { at } from '../../../support/events'
import { befriend } from '../../../support/inviting'
import { lent, sharedWith, sharer } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const forbidden = { status: 403, body: { detail: 'Insufficient permissions' } }
const SINGLE = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const DAILY = { ...SINGLE, recurrence_rule: 'FREQ=DAILY;COUNT=4' }
const WINDOW = ['2026-03-09', '2026-03-16'] as const

/** A writer's calendar as `sharedWith` has it, an event of the owner's in it, and a guest of that. */
async function withGuest(body: Record<string, unknown> = SINGLE) {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  const guest = await sharer(h)
  await befriend(h, ada, [guest])
  const event = await ada.create({ ...body, calendar_id: calendar.id })
  const invitation = (await ada.invite(event.id, guest)).body.invitations[0]
  await h.db.delete(notifications)
  return { ada, bob, guest, calendar, event, invitation }
}

describe('a writer', () => {
  test('makes events that belong to the owner from the start', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const event = await bob.create({ ...SINGLE, calendar_id: calendar.id })
    expect(event).toMatchObject({ access: 'write', calendar_id: calendar.id, my_invitation: null })
    expect((await ada.read(event.id)).body).toEqual({ ...event, access: 'owner' })
  })

  test('changes and deletes all, one, and the rest of a series', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const { id } = await ada.create({ ...DAILY, calendar_id: calendar.id })
    const day = (ofMarch: number, scope?: string) => at(`2026-03-${ofMarch}T09:00`, scope)
    await bob.change(id, { title: 'Band' })
    await bob.change(id, { title: 'Solo' }, day(11))
    const rest = await bob.change(id, { title: 'Rest' }, day(12, 'following'))
    expect(rest).toMatchObject({ status: 200, body: { access: 'write', calendar_id: calendar.id } })
    const titles = async () => (await ada.list(...WINDOW)).map(({ title }) => title)
    expect(await titles()).toEqual(['Band', 'Solo', 'Rest', 'Rest'])
    await bob.remove(rest.body.id, day(12))
    expect(await titles()).toEqual(['Band', 'Solo', 'Rest'])
    await bob.remove(rest.body.id, day(13, 'following'))
    await bob.remove(id)
    expect(await titles()).toEqual([])
  })

  test('tells the guests of a new time and of an end, and neither the owner nor themselves', async () => {
    const { ada, bob, guest, event } = await withGuest(DAILY)
    await ada.invite(event.id, bob)
    await h.db.delete(notifications)
    await bob.change(event.id, { start_at: '2026-03-10T11:00' })
    await bob.change(event.id, { title: 'Band' })
    await bob.remove(event.id)
    expect(await guest.heard()).toEqual([
      'event_cancelled: Cancelled: “Band”.',
      'event_changed: At another time: “Choir”.',
    ])
    expect([await ada.heard(), await bob.heard()]).toEqual([[], []])
  })

  test('invites nobody, sees no other invitation and takes none back', async () => {
    const { ada, bob, guest, event, invitation } = await withGuest()
    await befriend(h, bob, [guest])
    const own = await bob.create({ ...SINGLE, calendar_id: event.calendar_id })
    for (const { id } of [event, own]) expect(await bob.invite(id, guest)).toMatchObject(forbidden)
    expect((await bob.invitationsTo(event.id)).body.invitations).toEqual([])
    expect((await bob.uninvite(event.id, invitation.id)).body).toEqual({ detail: 'Invitation not found' })
    expect((await ada.invitationsTo(event.id)).body.invitations).toHaveLength(1)
    expect((await ada.invite(own.id, guest)).status).toBe(201)
  })

  test('changes nothing with a stale version, as with any other event', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    await ada.change(id, { title: 'Band' })
    expect((await bob.change(id, { title: 'Solo' }, {}, { 'if-match': '"1"' })).status).toBe(412)
    expect((await bob.change(id, { title: 'Solo' }, {}, { 'if-match': '"2"' })).status).toBe(200)
  })
})

describe('a member who is also invited', () => {
  test('has what the calendar permits and an answer of their own', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    const invitation = (await ada.invite(id, bob)).body.invitations[0]
    await bob.respond(invitation.id, 'Tentative')
    const expected = {
      access: 'write',
      calendar_id: calendar.id,
      my_invitation: { id: invitation.id, response: 'Tentative' },
    }
    expect((await bob.read(id)).body).toMatchObject(expected)
    expect(await bob.list(...WINDOW)).toMatchObject([expected])
    expect((await bob.invitationsTo(id)).body.invitations).toMatchObject([{ id: invitation.id }])
    expect((await bob.change(id, { title: 'Band' })).status).toBe(200)
  })

  test('sees the event while they hide the calendar, and after they leave it', async () => {
    const { ada, bob, calendar, member } = await sharedWith(h, 'write')
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    await ada.create({ ...SINGLE, calendar_id: calendar.id })
    await ada.invite(id, bob)
    expect(await bob.list(...WINDOW)).toHaveLength(2)
    await bob.changeCalendar(calendar.id, { is_visible: false })
    expect(await bob.list(...WINDOW)).toMatchObject([{ id }])
    await bob.dismiss(calendar.id, member.id)
    expect(await bob.list(...WINDOW)).toMatchObject([{ id, access: 'read', calendar_id: null }])
    expect(await bob.change(id, { title: 'Band' })).toMatchObject(forbidden)
  })

  test('may show it in an own calendar, not in a shared one, and still writes to where it is', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    const invitation = (await ada.invite(id, bob)).body.invitations[0]
    expect((await bob.display(invitation.id, calendar.id)).body).toEqual({ detail: 'Calendar not found' })
    const own = await bob.createCalendar('Own')
    await bob.display(invitation.id, own.id)
    const view = (await bob.read(id)).body
    expect(view).toMatchObject({ calendar_id: own.id, access: 'write' })
    expect(await bob.list(...WINDOW, { calendar_id: String(own.id) })).toMatchObject([{ id }])
    for (const calendar_id of [own.id, calendar.id]) {
      expect((await bob.change(id, { title: 'Band', calendar_id })).status).toBe(200)
      expect((await ada.read(id)).body).toMatchObject({ calendar_id: calendar.id, title: 'Band' })
    }
  })

  test('may name either calendar when they change one occurrence, and no third', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const { id } = await ada.create({ ...SINGLE, recurrence_rule: 'FREQ=DAILY', calendar_id: calendar.id })
    const invitation = (await ada.invite(id, bob)).body.invitations[0]
    const [own, third] = [await bob.createCalendar('Own'), await bob.createCalendar('Third')]
    await bob.display(invitation.id, own.id)
    const change = (title: string, calendar_id: number) =>
      bob.change(id, { title, calendar_id }, at('2026-03-11T09:00'))
    expect(await change('Band', own.id)).toMatchObject({ status: 200, body: { title: 'Band' } })
    expect(await change('Duo', calendar.id)).toMatchObject({ status: 200, body: { title: 'Duo' } })
    expect(await change('Solo', third.id)).toMatchObject({
      status: 422,
      body: { detail: 'calendar_id: belongs to the whole series' },
    })
    expect((await ada.read(id)).body).toMatchObject({ calendar_id: calendar.id, title: 'Choir' })
  })
})

describe('an event that a writer would take along', () => {
  test('stays with its owner: alone, as a series and from one occurrence on', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const cyd = await sharer(h)
    await befriend(h, bob, [cyd])
    const elsewhere = [await bob.createCalendar('Own'), await lent(cyd, bob)]
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    const { id: series } = await ada.create({ ...DAILY, calendar_id: calendar.id })
    const { id: made } = await bob.create({ ...SINGLE, calendar_id: calendar.id })
    const before = await ada.list(...WINDOW)
    for (const { id: calendar_id } of elsewhere) {
      for (const one of [id, series, made]) {
        expect(await bob.change(one, { title: 'Mine', calendar_id })).toMatchObject(forbidden)
      }
      const rest = at('2026-03-12T09:00', 'following')
      expect(await bob.change(series, { calendar_id }, rest)).toMatchObject(forbidden)
    }
    expect(await ada.list(...WINDOW)).toEqual(before)
  })

  test('goes to another calendar of its owner into which the writer may write', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    const other = await lent(ada, bob, 'Band')
    expect(await bob.change(id, { calendar_id: other.id })).toMatchObject({
      status: 200,
      body: { access: 'write', calendar_id: other.id },
    })
    expect((await ada.read(id)).body).toMatchObject({ access: 'owner', calendar_id: other.id })
  })

  test('stays with its owner when it is in a file that the writer takes over into an own calendar', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    const own = await bob.createCalendar('Own')
    expect((await importInto(bob, own.id, await exportOf(bob, calendar.id))).body).toMatchObject({
      created: 1,
    })
    expect((await ada.read(id)).body).toMatchObject({ access: 'owner', calendar_id: calendar.id })
  })
})

describe('an event that is moved into a calendar of another owner', () => {
  test('belongs to that owner from then on', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    const own = await lent(bob, ada)
    const moved = await ada.change(id, { calendar_id: own.id })
    expect(moved).toMatchObject({ status: 200, body: { access: 'write', calendar_id: own.id } })
    expect((await bob.read(id)).body).toMatchObject({ access: 'owner' })
    expect(await ada.change(id, { calendar_id: calendar.id })).toMatchObject(forbidden)
    expect((await bob.change(id, { calendar_id: calendar.id })).body).toMatchObject({ access: 'write' })
    expect((await ada.read(id)).body).toMatchObject({ access: 'owner' })
  })

  test('keeps the guests whom its new owner knows, under their answers', async () => {
    const { ada, bob, guest, event, invitation } = await withGuest()
    await befriend(h, bob, [guest])
    await guest.respond(invitation.id, 'Going')
    expect(await ada.heard()).toHaveLength(1)
    const own = await lent(bob, ada)
    await ada.change(event.id, { calendar_id: own.id })
    expect((await bob.invitationsTo(event.id)).body.invitations).toMatchObject([
      { id: invitation.id, response: 'Going' },
    ])
    await guest.respond(invitation.id, 'Declined')
    expect([(await ada.heard()).length, (await bob.heard()).length, await guest.heard()]).toEqual([0, 1, []])
  })

  test('loses the guests whom its new owner does not know: for them it is cancelled', async () => {
    const { ada, bob, guest, event, invitation } = await withGuest(DAILY)
    const decliner = await sharer(h)
    await befriend(h, ada, [decliner])
    const [declined] = (await ada.invite(event.id, decliner)).body.invitations
    await decliner.respond(declined.id, 'Declined')
    await h.db.delete(notifications)
    const own = await lent(bob, ada)
    await ada.change(event.id, { calendar_id: own.id, start_at: '2026-03-10T11:00' })
    expect(await guest.heard()).toEqual(['event_cancelled: Cancelled: “Choir”.'])
    expect(await decliner.heard()).toEqual([])
    expect((await guest.read(event.id)).body).toEqual({ detail: 'Event not found' })
    expect((await guest.respond(invitation.id, 'Going')).body).toEqual({ detail: 'Invitation not found' })
    expect((await bob.invitationsTo(event.id)).body.invitations).toEqual([])
  })

  test('ends the invitation of its new owner, and is not cancelled for guests who see it in the new calendar', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const [cyd, dan] = [await sharer(h), await sharer(h)]
    await befriend(h, ada, [cyd, dan])
    await befriend(h, cyd, [bob])
    const { id } = await ada.create({ ...SINGLE, calendar_id: calendar.id })
    await ada.invite(id, bob, cyd, dan)
    const cyds = await lent(cyd, ada)
    await cyd.share(cyds.id, bob)
    await bob.acceptAll()
    await h.db.delete(notifications)
    expect((await ada.change(id, { calendar_id: cyds.id })).body).toMatchObject({ access: 'write' })
    expect((await bob.read(id)).body).toMatchObject({ access: 'read', my_invitation: {} })
    expect((await cyd.read(id)).body).toMatchObject({ access: 'owner', my_invitation: null })
    expect((await cyd.invitationsTo(id)).body.invitations).toMatchObject([{ user_id: bob.row.id }])
    expect([await cyd.heard(), await bob.heard()]).toEqual([[], []])
    expect(await dan.heard()).toEqual(['event_cancelled: Cancelled: “Choir”.'])
  })

  test('is a whole series, or its rest from one occurrence on', async () => {
    const { ada, bob, calendar, guest, event } = await withGuest(DAILY)
    const own = await lent(bob, ada)
    const aim = at('2026-03-12T09:00', 'following')
    const { body } = await ada.change(event.id, { calendar_id: own.id }, aim)
    expect(body).toMatchObject({ access: 'write', calendar_id: own.id })
    expect(await ada.starts(...WINDOW, { calendar_id: String(calendar.id) })).toHaveLength(2)
    expect(await guest.starts(...WINDOW)).toHaveLength(2)
    expect(await guest.heard()).toEqual(['event_cancelled: Cancelled: “Choir”.'])
    expect((await ada.change(event.id, { calendar_id: own.id }, at('2026-03-10T09:00'))).status).toBe(422)
  })

  test('goes nowhere that its writer may not write to', async () => {
    const { ada, bob, guest, event } = await withGuest()
    const read = await ada.createCalendar('Read')
    await ada.share(read.id, bob, 'read')
    await bob.acceptAll()
    const foreign = await guest.createCalendar('Foreign')
    expect(await bob.change(event.id, { calendar_id: read.id })).toMatchObject(forbidden)
    for (const id of [foreign.id, 2_147_483_647]) {
      expect(await bob.change(event.id, { calendar_id: id })).toMatchObject({
        status: 404,
        body: { detail: 'Calendar not found' },
      })
    }
    expect((await ada.read(event.id)).body).toEqual(event)
  })
})
