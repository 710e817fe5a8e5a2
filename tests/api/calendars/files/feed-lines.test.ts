import { expect, test } from 'bun:test'
import { calendarOf, fillCalendar, newCalendar } from '../../../support/calendar-files'
import { organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test', env: { AUTH_RATE_LIMIT: 'off' } })

const TOO_MANY = { status: 429, body: { detail: 'Too many requests at once' } }

/** Two feeds of one user, the first of which is large. */
async function startFeeds() {
  const ada = await organiser(h)
  const [large, small] = [await calendarOf(ada), await newCalendar(ada)]
  await fillCalendar(h, large, 100, 9000)
  return { ada, large: await ada.feedOf(large), small: await ada.feedOf(small) }
}

/** Sign-ins whose bodies end once the test says so. */
function startSignIns(count: number) {
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

/** The answer to a request that waits in a line for two seconds, which may begin after the clock was moved on. */
async function answerInTime<T>(asked: Promise<T>): Promise<T> {
  h.clock.advance({ ms: 2001 })
  const late = setTimeout(() => h.clock.advance({ ms: 2001 }), 3000)
  return asked.finally(() => clearTimeout(late))
}

test('a client that fills the line of its address keeps no feed from being read there', async () => {
  const { small } = await startFeeds()
  const end = startSignIns(8)
  const waiting = h.request('GET', '/api/auth/status')
  expect((await h.request('GET', small)).status).toBe(200)
  expect(await answerInTime(waiting)).toMatchObject(TOO_MANY)
  expect(await h.request('GET', `/api/feeds/${'A'.repeat(43)}.ics`).then(({ status }) => status)).toBe(404)
  await end()
})

test('a feed may be read eight times at once, and its readers hold up neither another feed nor its owner', async () => {
  const { ada, large, small } = await startFeeds()
  const ask = (path: string) => h.app.fetch(new Request(`http://localhost${path}`))
  const unread = await Promise.all(Array.from({ length: 8 }, () => ask(large)))
  h.peer.address = '203.0.113.8'
  const ninth = h.request('GET', large)
  expect((await h.request('GET', small)).status).toBe(200)
  expect((await ada.request('GET', '/api/todos')).status).toBe(200)
  expect(await answerInTime(ninth)).toMatchObject(TOO_MANY)
  await Promise.all(unread.map(({ body }) => body?.cancel()))
  expect((await h.request('GET', large)).status).toBe(200)
})

test('many clients of one address find feeds at once, and miss absent ones', async () => {
  const { small } = await startFeeds()
  const paths = Array.from({ length: 25 }, () => [small, `/api/feeds/${'A'.repeat(43)}.ics`]).flat()
  const answers = await Promise.all(paths.map((path) => h.request('GET', path)))
  expect(answers.map(({ status }) => status)).toEqual(paths.map((path) => (path === small ? 200 : 404)))
})
