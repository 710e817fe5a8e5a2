import { describe, expect, test } from 'bun:test'
import { calendar as calendarFile, importInto } from '../support/calendar-files'
import { type Actor, PASSWORD } from '../support/harness'
import { sharedWith } from '../support/sharing'
import { expectTrueTallies } from '../support/tallies'
import { useHarness } from '../support/use-harness'
import { useSql } from '../support/use-sql'

const ROUNDS = 20

const h = useHarness()
const sql = useSql(h)

const DAY = { all_day: true, start_date: '2026-05-01', end_date: '2026-05-01' }

const occurrence = (id: number | undefined, day: string, scope = 'this') =>
  `/api/events/${id}?scope=${scope}&occurrence_start=${day}`

/** Two of everything that a user has beside lists that are arranged by hand. */
async function stocked(ada: Actor) {
  const post = async (path: string, body: object = {}) => {
    const { status, body: answered } = await ada.request('POST', path, { body })
    if (status >= 300) throw new Error(`${path} answered ${status}`)
    return answered
  }
  const calendars: number[] = []
  const events: number[] = []
  for (const name of ['First', 'Second']) {
    const { id } = await post('/api/calendars', { name })
    calendars.push(id)
    await post(`/api/calendars/${id}/feed`)
    await post('/api/event-templates', { name, title: 'T', calendar_id: id })
    await post('/api/reminders', { title: 'T' })
  }
  for (const calendar_id of [...calendars, ...calendars])
    events.push((await post('/api/events', { title: 'T', calendar_id, ...DAY })).id)
  const series: number[] = []
  for (const calendar_id of calendars) {
    const { id } = await post('/api/events', {
      title: 'S',
      calendar_id,
      ...DAY,
      recurrence_rule: 'FREQ=DAILY',
    })
    series.push(id)
    for (const day of ['2026-05-02', '2026-05-05']) await ada.request('DELETE', occurrence(id, day))
  }
  const book: number = (await post('/api/address-books', { name: 'Work' })).id
  const people = [
    await post('/api/people', { nickname: 'A' }),
    await post('/api/people', { nickname: 'B', book_id: book }),
  ]
  return { calendars, events, series, book, people: people.map(({ id }) => Number(id)) }
}

describe('the tally of a kind', () => {
  test('is the number of records of a user, whatever is created, moved and deleted at once', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const ada = await h.signedIn()
      const { calendars, events, series, book, people } = await stocked(ada)
      const [from, to] = calendars
      const ask = (method: string, path: string, body?: object) =>
        ada.request(method, `/api/${path}`, body === undefined ? {} : { body })
      const answers = await Promise.all([
        ask('PUT', `events/${events[0]}`, { calendar_id: to }),
        ask('DELETE', `calendars/${round % 2 === 0 ? from : to}`),
        ask('DELETE', `events/${events[1]}`),
        ask('POST', 'events', { title: 'N', ...DAY, calendar_id: to }),
        ask('POST', 'events', { title: 'N', ...DAY }),
        ask('PUT', `events/${series[0]}`, { calendar_id: to }),
        ada.request('PUT', occurrence(series[0], '2026-05-04', 'following'), { body: { title: 'F' } }),
        ada.request('PUT', occurrence(series[1], '2026-05-03'), { body: { title: 'T' } }),
        ada.request('DELETE', occurrence(series[1], '2026-05-04', 'following')),
        ask('DELETE', `calendars/${from}/feed`),
        ask('POST', `calendars/${to}/feed`),
        ask('POST', 'calendars', { name: 'New' }),
        ask('POST', 'people', { nickname: 'N' }),
        ask('DELETE', `people/${people[0]}`),
        ask('POST', 'address-books', { name: 'New' }),
        ask('DELETE', `address-books/${book}`),
        ask('PUT', `people/${people[0]}`, { book_id: book }),
        ask('POST', 'reminders', { title: 'N' }),
        ada.request('POST', '/api/people/import', {
          body: 'BEGIN:VCARD\r\nVERSION:4.0\r\nUID:a\r\nFN:A\r\nN:A;;;;\r\nEND:VCARD\r\n',
          headers: { 'content-type': 'text/vcard' },
        }),
      ])
      expect(answers.filter(({ status }) => status >= 500)).toEqual([])
      await expectTrueTallies(sql)
      const removed = await ada.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
      expect(removed.status).toBe(204)
      await expectTrueTallies(sql)
      expect(
        await sql`select from tallies where owner_id = ${ada.row.id} and kind not in ('tasks', 'subtasks')`,
      ).toHaveLength(0)
    }
  }, 60_000)

  test('follows what differs in a series to another owner, and what invitees answer ends with the invitation', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const series = { title: 'S', ...DAY, recurrence_rule: 'FREQ=DAILY' }
    const { id } = (await bob.request('POST', '/api/events', { body: series })).body
    for (const day of ['2026-05-02', '2026-05-03']) await bob.request('DELETE', occurrence(id, day))
    const [invitation] = (await bob.invite(id, ada)).body.invitations
    await ada.respond(invitation.id, 'Going', '2026-05-04')
    const counts = async () => {
      const rows =
        await sql`select kind, owner_id, count from tallies where kind in ('occurrences', 'responses')
        and owner_id in (${ada.row.id}, ${bob.row.id}) order by 1, 2`
      return rows.map(({ kind, owner_id: owner, count }) => [
        kind,
        owner === ada.row.id ? 'ada' : 'bob',
        count,
      ])
    }
    expect(await counts()).toEqual([
      ['occurrences', 'bob', 2],
      ['responses', 'ada', 1],
    ])
    await bob.request('PUT', `/api/events/${id}`, { body: { calendar_id: calendar.id } })
    expect(await counts()).toEqual([['occurrences', 'ada', 2]])
    await expectTrueTallies(sql)
    await bob.request('DELETE', `/api/events/${id}`)
    expect(await counts()).toEqual([])
  })

  test('follows an event from one owner to another, and a file that is imported twice counts once', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    for (let time = 0; time < 2; time++) {
      const lines = ['UID:once', 'DTSTART:20260501T100000Z', 'DTEND:20260501T110000Z', `SUMMARY:${time}`]
      const imported = await importInto(bob, calendar.id, calendarFile(lines))
      expect(imported.body).toMatchObject(time === 0 ? { created: 1 } : { updated: 1 })
    }
    await expectTrueTallies(sql)
    const made = await bob.request('POST', '/api/events', { body: { title: 'T', ...DAY } })
    const eventsOf = async (userId: number) =>
      (await sql`select count from tallies where kind = 'events' and owner_id = ${userId}`)[0]?.count ?? 0
    expect([await eventsOf(ada.row.id), await eventsOf(bob.row.id)]).toEqual([1, 1])
    const moved = await bob.request('PUT', `/api/events/${made.body.id}`, {
      body: { calendar_id: calendar.id },
    })
    expect(moved.status).toBe(200)
    expect([await eventsOf(ada.row.id), await eventsOf(bob.row.id)]).toEqual([2, 0])
    await expectTrueTallies(sql)
  })
})
