import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../../../src/db/schema'
import { administer } from '../../../support/database'
import { type Harness, startHarness } from '../../../support/harness'
import { sharedWith, sharer } from '../../../support/sharing'

const EVENTS = 3000

/** Three thousand events of a kilobyte each. */
async function fill(h: Harness, calendarId: number) {
  // Without the service's time-outs, as indexing so much may take longer on a busy machine.
  const admin = administer(h.url)
  await admin`
    insert into events (calendar_id, title, description, all_day, start_date, end_date, last_end_date, created_at, updated_at)
    select ${calendarId}, 'Event ' || n, repeat('x', 1000), true, '2026-03-10', '2026-03-10', '2026-03-10', now(), now()
    from generate_series(1, ${EVENTS}) as n`
  await admin.end({ timeout: 5 })
}

/** Reads on until the text says so, or all that is left; answers whether it ended as it should. */
async function open(h: Harness, path: string, token?: string) {
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

async function shared(h: Harness) {
  const { ada, bob, calendar, member } = await sharedWith(h, 'read')
  await fill(h, calendar.id)
  return { ada, bob, calendar, member, path: `/api/calendars/${calendar.id}/export` }
}

test('an export of a shared calendar breaks off once its reader is no member any more', async () => {
  await using h = await startHarness()
  const { ada, bob, calendar, member, path } = await shared(h)
  await expectBrokenOff(await open(h, path, bob.token), () => ada.dismiss(calendar.id, member.id))
})

test('an export of a calendar breaks off once its session has ended', async () => {
  await using h = await startHarness()
  const { ada, path } = await shared(h)
  const { token: stolen } = await h.session(ada.row.id)
  await expectBrokenOff(await open(h, path, stolen), () => ada.request('DELETE', '/api/auth/sessions'))
})

test('an export of an address book breaks off once its session has ended', async () => {
  await using h = await startHarness()
  const ada = await sharer(h)
  await h.db.$client`
    insert into people (user_id, first_name, notes, created_at, updated_at)
    select ${ada.row.id}, 'Person ' || n, repeat('x', 1000), now(), now() from generate_series(1, ${EVENTS}) as n`
  const { token: stolen } = await h.session(ada.row.id)
  const reading = await open(h, '/api/people/export', stolen)
  await expectBrokenOff(reading, () => ada.request('DELETE', '/api/auth/sessions'))
})

test.each([
  [
    'ended',
    (_: Harness, id: number, ada: Awaited<ReturnType<typeof sharer>>) =>
      ada.request('DELETE', `/api/calendars/${id}/feed`),
  ],
  [
    'replaced',
    (_: Harness, id: number, ada: Awaited<ReturnType<typeof sharer>>) =>
      ada.request('POST', `/api/calendars/${id}/feed`),
  ],
  [
    'that of somebody who was deactivated',
    (h: Harness, _: number, ada: Awaited<ReturnType<typeof sharer>>) =>
      h.db.update(users).set({ isActive: false }).where(eq(users.id, ada.row.id)),
  ],
] as const)('a feed breaks off once it is %s', async (_, end) => {
  await using h = await startHarness()
  const { ada, calendar } = await shared(h)
  const { body } = await ada.request('POST', `/api/calendars/${calendar.id}/feed`)
  await expectBrokenOff(await open(h, new URL(body.url).pathname), () =>
    Promise.resolve(end(h, calendar.id, ada)),
  )
})

test('an export that nobody ends is read whole', async () => {
  await using h = await startHarness()
  const { bob, path } = await shared(h)
  const { finish, count } = await open(h, path, bob.token)
  expect([await finish(), count()]).toEqual(['ended', EVENTS])
})
