import { describe, expect, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { type InvitationResponse, notifications } from '../../../../src/db/schema'
import { at, invite, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const SINGLE = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
const DAILY = { ...SINGLE, recurrence_rule: 'FREQ=DAILY;COUNT=4' }

/** An event of Ada's to which somebody is invited, and what they have been told; they read it as they hear it. */
async function invited(
  body: Record<string, unknown>,
  response: InvitationResponse | null = null,
  answers = {},
) {
  const [ada, bob] = [await organiser(h), await organiser(h)]
  const { id } = await ada.create(body)
  const invitation = await invite(h, { eventId: id, userId: bob.row.id, response, answers })
  const heard = async () => {
    const ofBob = eq(notifications.userId, bob.row.id)
    const rows = await h.db.select().from(notifications).where(ofBob).orderBy(notifications.id)
    await h.db.update(notifications).set({ isRead: true }).where(ofBob)
    return rows.map(({ type }) => type)
  }
  return { ada, bob, id, invitation, heard }
}

describe('invitees', () => {
  test.each(['Going', 'Tentative', null] as const)(
    'are told of a change of time once when their answer is %s',
    async (response) => {
      const { ada, bob, id, invitation, heard } = await invited(SINGLE, response)
      await ada.change(id, { start_at: '2026-03-10T11:00', title: 'New', location: 'Hall' })
      const [told] = await h.db.select().from(notifications).where(eq(notifications.userId, bob.row.id))
      expect(await heard()).toEqual(['event_changed'])
      expect(told).toMatchObject({ data: { event_id: id, invitation_id: invitation.id }, isRead: false })
      expect(told?.message).toContain('New')
      expect(await h.db.select().from(notifications).where(eq(notifications.userId, ada.row.id))).toEqual([])
    },
  )

  test('are told nothing of a change of wording', async () => {
    const { ada, id, heard } = await invited(DAILY)
    await ada.change(id, { title: 'New', description: 'd', location: 'l', reminder_minutes: 1 })
    await ada.change(id, { title: 'Own' }, at('2026-03-11T09:00'))
    await ada.change(id, { ...SINGLE, title: 'Same times', time_zone: 'Europe/Berlin' })
    await ada.change(id, { title: 'Rest' }, at('2026-03-12T09:00', 'following'))
    expect(await heard()).toEqual([])
  })

  test.each([
    ['end', { end_at: '2026-03-10T12:00' }],
    ['rule', { recurrence_rule: 'FREQ=DAILY;COUNT=3' }],
    ['zone of a series', { time_zone: 'Asia/Tokyo' }],
    ['kind of times', { all_day: true, start_date: '2026-03-10', end_date: '2026-03-10' }],
  ])('are told of another %s', async (_, body) => {
    const { ada, id, heard } = await invited(DAILY)
    await ada.change(id, body)
    expect(await heard()).toEqual(['event_changed'])
  })

  test('are told once of a new time of an occurrence, and once of one of the rest of a series', async () => {
    const { ada, id, heard } = await invited(DAILY)
    await ada.change(id, { start_at: '2026-03-11T12:00' }, at('2026-03-11T09:00'))
    expect(await heard()).toEqual(['event_changed'])
    await ada.change(id, { start_at: '2026-03-12T12:00' }, at('2026-03-12T09:00', 'following'))
    expect(await heard()).toEqual(['event_changed', 'event_changed'])
  })

  test('are told once of a deletion: of one occurrence, of the rest, of all', async () => {
    const { ada, id, heard } = await invited(DAILY)
    await ada.remove(id, at('2026-03-11T09:00'))
    expect(await heard()).toEqual(['event_cancelled'])
    await ada.remove(id, at('2026-03-13T09:00', 'following'))
    expect((await heard()).length).toBe(2)
    await ada.remove(id)
    expect(await heard()).toEqual(['event_cancelled', 'event_cancelled', 'event_cancelled'])
  })

  test('are told nothing of what they declined', async () => {
    const { ada, id, heard } = await invited(DAILY, 'Declined')
    await ada.change(id, { start_at: '2026-03-11T12:00' }, at('2026-03-11T09:00'))
    await ada.change(id, { start_at: '2026-03-10T08:00' })
    await ada.remove(id)
    expect(await heard()).toEqual([])
  })

  test('are told of an occurrence according to their answer to that one', async () => {
    const { ada, id, heard } = await invited(DAILY, 'Declined', { '2026-03-11T09:00': 'Going' })
    await ada.remove(id, at('2026-03-12T09:00'))
    expect(await heard()).toEqual([])
    await ada.change(id, { start_at: '2026-03-11T12:00' }, at('2026-03-11T09:00'))
    expect(await heard()).toEqual(['event_changed'])
    await ada.change(id, { start_at: '2026-03-10T08:00' })
    expect(await heard()).toEqual(['event_changed', 'event_changed'])
    const other = await invited(DAILY, 'Going', { '2026-03-11T09:00': 'Declined' })
    await other.ada.remove(other.id, at('2026-03-11T09:00'))
    expect(await other.heard()).toEqual([])
  })

  test('are told nothing of a refused change', async () => {
    const { ada, bob, id, heard } = await invited(SINGLE)
    await ada.change(id, { start_at: '2026-03-10T11:00' }, {}, { 'if-match': '"7"' })
    await ada.change(id, { end_at: '2026-03-10T08:00' })
    await bob.change(id, { start_at: '2026-03-10T11:00' })
    await bob.remove(id)
    expect(await heard()).toEqual([])
  })

  test('are told of the coming events of a calendar that is deleted', async () => {
    const [ada, bob] = [await organiser(h), await organiser(h)]
    const calendar = await ada.createCalendar('Band')
    const past = { start_at: '2026-02-10T09:00', end_at: '2026-02-10T10:00' }
    const day = { all_day: true, start_date: '2026-03-04', end_date: '2026-03-04' }
    for (const [title, body, response] of [
      ['past', past, null],
      ['single', SINGLE, null],
      ['declined', SINGLE, 'Declined'],
      ['series', { ...past, recurrence_rule: 'FREQ=DAILY' }, 'Going'],
      ['today', day, 'Tentative'],
    ] as const) {
      const { id } = await ada.create({ ...body, title, calendar_id: calendar.id })
      await invite(h, { eventId: id, userId: bob.row.id, response })
    }
    expect((await ada.deleteCalendar(calendar.id)).status).toBe(204)
    const rows = await h.db.select().from(notifications).where(eq(notifications.userId, bob.row.id))
    expect(rows.map(({ type, message }) => [type, message])).toEqual([
      ['event_cancelled', 'Cancelled: “single”.'],
      ['event_cancelled', 'Cancelled: “series”.'],
      ['event_cancelled', 'Cancelled: “today”.'],
    ])
  })
})

test('the deletion of a calendar tells of each of 2 100 events once', async () => {
  const [ada, bob] = [await organiser(h), await organiser(h)]
  const { id } = await ada.createCalendar('Work')
  await h.db.execute(sql`
    with created as (
      insert into events (calendar_id, title, all_day, start_date, end_date, last_end_date, created_at, updated_at)
      select ${id}, 'Event ' || n, true, '2026-03-10', '2026-03-10', '2026-03-10', now(), now()
      from generate_series(1, 2100) as n returning id
    )
    insert into event_invitations (event_id, user_id, created_at, updated_at)
    select id, ${bob.row.id}, now(), now() from created`)
  expect((await ada.deleteCalendar(id)).status).toBe(204)
  const told = await h.db.select().from(notifications).where(eq(notifications.userId, bob.row.id))
  expect(told.every(({ type }) => type === 'event_cancelled')).toBe(true)
  expect(new Set(told.map(({ message }) => message)).size).toBe(2100)
  expect(told).toHaveLength(2100)
})
