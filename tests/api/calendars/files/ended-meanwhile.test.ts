import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../../../src/db/schema'
import { fillCalendar } from '../../../support/calendar-files'
import { type Sharer, sharedWith, sharer } from '../../../support/sharing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const EVENTS = 3000

/** Reads on until the text says so, or all that is left; answers whether it ended as it should. */
async function open(path: string, token?: string) {
  const headers: Record<string, string> = token === undefined ? {} : { cookie: `session=${token}` }
  const answer = await h.app.fetch(new Request(`http://localhost${path}`, { headers }))
  expect(answer.status).toBe(200)
  const reader = answer.body?.getReader()
  let text = ''
  const read = async () => {
    const piece = await reader?.read()
    text += new TextDecoder().decode(piece?.value)
    return piece?.done ?? true
  }
  return {
    begin: async () => {
      while (!text.includes('SUMMARY:Event 1\r\n') && !text.includes('FN:Person 1\r\n')) await read()
    },
    finish: async () => {
      while (!(await read()));
      return 'ended'
    },
    count: () => text.split(/SUMMARY:Event |FN:Person /).length - 1,
  }
}
type Reading = Awaited<ReturnType<typeof open>>

async function expectBrokenOff({ begin, finish, count }: Reading, end: () => Promise<unknown>) {
  await begin()
  await end()
  expect(await finish().catch(() => 'broke off')).toBe('broke off')
  expect(count()).toBeLessThan(EVENTS / 2)
}

async function shared() {
  const { ada, bob, calendar, member } = await sharedWith(h, 'read')
  await fillCalendar(h, calendar.id, EVENTS, 1000)
  return { ada, bob, calendar, member, path: `/api/calendars/${calendar.id}/export` }
}

test('an export of a shared calendar breaks off once its reader is no member any more', async () => {
  const { ada, bob, calendar, member, path } = await shared()
  await expectBrokenOff(await open(path, bob.token), () => ada.dismiss(calendar.id, member.id))
})

test('an export of a calendar breaks off once its session has ended', async () => {
  const { ada, path } = await shared()
  const { token: stolen } = await h.session(ada.row.id)
  await expectBrokenOff(await open(path, stolen), () => ada.request('DELETE', '/api/auth/sessions'))
})

test('an export of an address book breaks off once its session has ended', async () => {
  const ada = await sharer(h)
  await h.db.$client`
    insert into people (user_id, first_name, notes, created_at, updated_at)
    select ${ada.row.id}, 'Person ' || n, repeat('x', 1000), now(), now() from generate_series(1, ${EVENTS}) as n`
  const { token: stolen } = await h.session(ada.row.id)
  const reading = await open('/api/people/export', stolen)
  await expectBrokenOff(reading, () => ada.request('DELETE', '/api/auth/sessions'))
})

test.each([
  ['ended', (ada: Sharer, id: number) => ada.endFeed(id)],
  ['replaced', (ada: Sharer, id: number) => ada.makeFeed(id)],
  [
    'that of somebody who was deactivated',
    (ada: Sharer) => h.db.update(users).set({ isActive: false }).where(eq(users.id, ada.row.id)),
  ],
] as const)('a feed breaks off once it is %s', async (_, end) => {
  const { ada, calendar } = await shared()
  const path = await ada.feedOf(calendar.id)
  await expectBrokenOff(await open(path), () => Promise.resolve(end(ada, calendar.id)))
})

test('an export that nobody ends is read whole', async () => {
  const { bob, path } = await shared()
  const { finish, count } = await open(path, bob.token)
  expect([await finish(), count()]).toEqual(['ended', EVENTS])
})
