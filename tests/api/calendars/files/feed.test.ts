import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { expandRecurringEvent, sync } from 'node-ical'
import { calendarFeeds, users } from '../../../../src/db/schema'
import { calendarOf, happenings } from '../../../support/calendar-files'
import { at, birthdaysOf, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const NOT_FOUND = { status: 404, body: { detail: 'Feed not found' } }
const MAY = { start_at: '2026-05-01T10:00', end_at: '2026-05-01T11:00', time_zone: 'Europe/Berlin' }

async function subscribed() {
  const ada = await organiser(h, 'Europe/Berlin')
  const id = await calendarOf(ada)
  const feed = async () => {
    const { status, body } = await ada.makeFeed(id)
    expect(status).toBe(200)
    return new URL(body.url)
  }
  return { ada, id, feed }
}
const get = (url: URL, headers: Record<string, string> = {}) => h.request('GET', url.pathname, { headers })

describe('a feed', () => {
  test('is read without a session, by an address that nobody guesses and that is stored nowhere', async () => {
    const { ada, id, feed } = await subscribed()
    await ada.create({ title: 'Choir', ...MAY })
    const url = await feed()
    expect(url.href).toMatch(/^http:\/\/localhost:3000\/api\/feeds\/[\w-]{43}\.ics$/)
    const { status, headers, body } = await get(url)
    expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
      200,
      'text/calendar; charset=utf-8',
      'private, no-cache',
    ])
    expect(body).toContain('SUMMARY:Choir\r\n')
    const [stored] = await h.db.select().from(calendarFeeds).where(eq(calendarFeeds.calendarId, id))
    expect(JSON.stringify(stored)).not.toContain(url.pathname.split('/')[3]?.slice(0, 43) ?? '')
    const head = await h.request('HEAD', url.pathname)
    expect([head.status, head.headers.get('etag')]).toEqual([200, headers.get('etag')])
  })

  test('stays out of the log, also where it is wrong', async () => {
    const { feed } = await subscribed()
    const url = await feed()
    await get(url)
    await get(new URL(url.href.replace('.ics', 'x.ics')))
    const token = /feeds\/([\w-]{43})/.exec(url.href)?.[1] ?? ''
    expect(JSON.stringify(h.log.entries)).not.toContain(token)
    expect(h.log.entries.at(-1)?.fields).toMatchObject({ route: '/api/feeds/:file', status: 404 })
  })

  test('is sent again only when something has changed: an event, an occurrence, a deletion, the name', async () => {
    const { ada, id, feed } = await subscribed()
    const [one, series] = [
      await ada.create(MAY),
      await ada.create({ ...MAY, recurrence_rule: 'FREQ=WEEKLY;COUNT=9' }),
    ]
    const url = await feed()
    const changes = [
      () => ada.create(MAY),
      () => ada.change(one.id, { title: 'Other' }),
      () => ada.remove(series.id, at('2026-05-08T10:00')),
      () => ada.change(series.id, { title: 'X' }, at('2026-05-15T10:00')),
      () => ada.change(series.id, { title: 'Y' }, at('2026-05-22T10:00', 'following')),
      () => ada.remove(one.id),
      () => ada.changeCalendar(id, { name: 'Renamed' }),
    ]
    const seen = new Set<string>()
    for (const change of changes) {
      const etag = (await get(url)).headers.get('etag') ?? ''
      seen.add(etag)
      for (const header of [etag, `"other", ${etag}`, etag.replace('W/', ''), '*']) {
        const again = await get(url, { 'if-none-match': header })
        expect([again.status, again.body, again.headers.get('etag')]).toEqual([304, '', etag])
      }
      await change()
      const answered = await get(url, { 'if-none-match': etag })
      expect([answered.status, answered.headers.get('etag') === etag]).toEqual([200, false])
    }
    expect(seen.size).toBe(changes.length)
  })

  test('is gone at once when it is replaced, ended, or its owner is deactivated', async () => {
    const { ada, id, feed } = await subscribed()
    const first = await feed()
    const second = await feed()
    expect(await get(first)).toMatchObject(NOT_FOUND)
    expect((await get(second)).status).toBe(200)
    await h.db.update(users).set({ isActive: false }).where(eq(users.id, ada.row.id))
    expect(await get(second)).toMatchObject(NOT_FOUND)
    await h.db.update(users).set({ isActive: true }).where(eq(users.id, ada.row.id))
    for (let time = 0; time < 2; time++) {
      expect((await ada.endFeed(id)).status).toBe(204)
      expect(await get(second)).toMatchObject(NOT_FOUND)
    }
    for (const name of ['x', `${'A'.repeat(43)}.ics`, 'A'.repeat(43), '%00.ics', `${'A'.repeat(5000)}.ics`]) {
      expect(await h.request('GET', `/api/feeds/${name}`)).toMatchObject(NOT_FOUND)
    }
  })

  test('can be made and ended by the owner alone, and not for the Birthdays calendar', async () => {
    const { ada, id } = await subscribed()
    const eve = await organiser(h)
    const birthdays = await birthdaysOf(h, ada.row.id)
    for (const method of ['POST', 'DELETE']) {
      expect(await eve.request(method, `/api/calendars/${id}/feed`)).toMatchObject({
        status: 404,
        body: { detail: 'Calendar not found' },
      })
      expect(await ada.request(method, `/api/calendars/${birthdays.id}/feed`)).toMatchObject({
        status: 409,
        body: { detail: 'The Birthdays calendar has no feed' },
      })
    }
  })

  test('has one address after 20 were made at once', async () => {
    const { feed } = await subscribed()
    const urls = await Promise.all(Array.from({ length: 20 }, feed))
    const answers = await Promise.all(urls.map((url) => get(url)))
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1)
  })

  test('says to another reader of calendars what the service shows', async () => {
    const { ada, id, feed } = await subscribed()
    await ada.create({ ...MAY, title: 'Single' })
    await ada.create({ all_day: true, title: 'Days', start_date: '2026-06-01', end_date: '2026-06-03' })
    for (const [n, recurrence_rule] of [
      'FREQ=WEEKLY;BYDAY=FR;COUNT=8',
      'FREQ=DAILY;INTERVAL=2;UNTIL=20260520',
      'FREQ=MONTHLY;BYDAY=1FR;COUNT=5',
    ].entries()) {
      for (const time_zone of ['Europe/Berlin', 'America/New_York', 'Australia/Sydney']) {
        const { id: series } = await ada.create({ ...MAY, time_zone, title: `Series ${n}`, recurrence_rule })
        const { occurrences } = (await ada.occurrences(series, '2026-05-01', '2026-12-01')).body
        const nth = (index: number) => at(occurrences[index].occurrence_start)
        await ada.remove(series, nth(1))
        await ada.change(series, { title: `Moved ${n}`, start_at: '2026-07-07T07:07:00Z' }, nth(2))
      }
    }
    const read = sync.parseICS((await get(await feed())).body)
    const [from, to] = [new Date('2026-04-01T00:00:00Z'), new Date('2026-12-31T00:00:00Z')]
    const theirs = Object.values(read).flatMap((one) =>
      one?.type === 'VEVENT'
        ? expandRecurringEvent(one, { from, to }).map(
            ({ summary, start, isFullDay }) =>
              `${typeof summary === 'string' ? summary : summary.val} ${isFullDay ? 'day' : +start}`,
          )
        : [],
    )
    const ours = (await happenings(ada, id, '2026-04-01', '2026-12-31')).map(
      (one: { title: string; start_at: string | null }) =>
        `${one.title} ${one.start_at === null ? 'day' : Date.parse(one.start_at)}`,
    )
    expect(ours.length).toBeGreaterThan(60)
    expect(theirs.toSorted()).toEqual(ours.toSorted())
  })
})
