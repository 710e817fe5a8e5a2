import { expect, test } from 'bun:test'
import { calendarOf, newCalendar } from '../../../support/calendar-files'
import { administer } from '../../../support/database'
import { organiser } from '../../../support/events'
import { type Harness, startHarness } from '../../../support/harness'

const TOO_MANY = { status: 429, body: { detail: 'Too many requests at once' } }

/** Two feeds of one user, the first of which is large. */
async function startFeeds() {
  const h = await startHarness({ env: { AUTH_RATE_LIMIT: 'off' } })
  const ada = await organiser(h)
  const [large, small] = [await calendarOf(ada), await newCalendar(ada)]
  const admin = administer(h.url)
  await admin`
    insert into events (calendar_id, title, description, all_day, start_date, end_date, last_end_date, created_at, updated_at)
    select ${large}, 'Event', repeat('x', 9000), true, '2026-03-10', '2026-03-10', '2026-03-10', now(), now()
    from generate_series(1, 100)`
  await admin.end({ timeout: 5 })
  const pathOf = async (id: number) =>
    new URL((await ada.request('POST', `/api/calendars/${id}/feed`)).body.url).pathname
  return { h, ada, large: await pathOf(large), small: await pathOf(small) }
}

/** Sign-ins whose bodies end once the test says so. */
function startSignIns(h: Harness, count: number) {
  const rest = Promise.withResolvers<void>()
  const body = () =>
    new ReadableStream({
      async pull(controller) {
        await rest.promise
        controller.close()
      },
    })
  const answers = Array.from({ length: count }, () =>
    h.request('POST', '/api/auth/login', { body: body(), headers: { 'content-length': '2' } }),
  )
  return async () => {
    rest.resolve()
    await Promise.all(answers)
  }
}

test('whoever fills the line of an address keeps no feed from being read there', async () => {
  const { h, small } = await startFeeds()
  await using _ = h
  const end = startSignIns(h, 8)
  const waiting = h.request('GET', '/api/auth/status')
  expect((await h.request('GET', small)).status).toBe(200)
  h.clock.advance({ ms: 2001 })
  expect(await waiting).toMatchObject(TOO_MANY)
  expect(await h.request('GET', `/api/feeds/${'A'.repeat(43)}.ics`).then(({ status }) => status)).toBe(404)
  await end()
})

test('a feed is read eight times at once, and who reads it keeps nobody from another, and its owner from nothing', async () => {
  const { h, ada, large, small } = await startFeeds()
  await using _ = h
  const ask = (path: string) => h.app.fetch(new Request(`http://localhost${path}`))
  const unread = await Promise.all(Array.from({ length: 8 }, () => ask(large)))
  h.peer.address = '203.0.113.8'
  const ninth = h.request('GET', large)
  expect((await h.request('GET', small)).status).toBe(200)
  expect((await ada.request('GET', '/api/todos')).status).toBe(200)
  h.clock.advance({ ms: 2001 })
  expect(await ninth).toMatchObject(TOO_MANY)
  await Promise.all(unread.map(({ body }) => body?.cancel()))
  expect((await h.request('GET', large)).status).toBe(200)
})

test('a feed is found by many of one address at once, also where it is not there', async () => {
  const { h, small } = await startFeeds()
  await using _ = h
  const paths = Array.from({ length: 25 }, () => [small, `/api/feeds/${'A'.repeat(43)}.ics`]).flat()
  const answers = await Promise.all(paths.map((path) => h.request('GET', path)))
  expect(answers.map(({ status }) => status)).toEqual(paths.map((path) => (path === small ? 200 : 404)))
})
