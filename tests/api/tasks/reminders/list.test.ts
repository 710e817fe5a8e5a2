import { beforeAll, describe, expect, test } from 'bun:test'
import { reminders } from '../../../../src/db/schema'
import { addMinutes } from '../../../../src/lib/time/time'
import { type Actor } from '../../../support/harness'
import { createReminder } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

const REMINDERS = '/api/reminders'
const h = useHarness()

const titles = async (actor: Actor, query: string) =>
  (await actor.request('GET', `${REMINDERS}?${query}`)).body.reminders
    .map(({ title }: { title: string }) => title)
    .join('')

async function pages(actor: Actor, path: string, between = async (_ids: number[]) => {}) {
  const ids: number[] = []
  let cursor: string | null = ''
  while (cursor !== null) {
    const { status, body } = await actor.request('GET', `${path}${cursor && `&cursor=${cursor}`}`)
    expect(status).toBe(200)
    ids.push(...body.reminders.map(({ id }: { id: number }) => id))
    cursor = body.next_cursor
    if (cursor !== null) await between(ids)
  }
  return ids
}

describe('a list of reminders', () => {
  let ada: Actor
  beforeAll(async () => {
    ada = await h.signedIn()
    await ada.request('PUT', '/api/settings', { body: { time_zone: 'Asia/Tokyo' } })
    await createReminder(ada, { title: 'n' })
    await createReminder(ada, { title: 'c', remind_at: '2026-03-06T00:00:00+09:00' })
    await createReminder(ada, { title: 'b', remind_at: '2026-03-05T23:59:59.999+09:00' })
    await createReminder(ada, { title: 'a', remind_at: '2026-03-05T00:00:00+09:00' })
    const { id } = await createReminder(ada, { title: 's', remind_at: '2026-03-01T00:00:00Z' })
    await ada.request('PUT', `${REMINDERS}/${id}/snooze`, { body: { until: '2026-03-05T12:00:00+09:00' } })
    await createReminder(ada, { title: 'm' })
    await createReminder(await h.signedIn(), { title: 'x', remind_at: '2026-03-05T00:00:00Z' })
  })

  test.each([
    { query: '', found: 'asbcnm' },
    { query: 'state=all', found: 'asbcnm' },
    { query: 'state=upcoming', found: 'abc' },
    { query: 'state=snoozed', found: 's' },
    { query: 'state=due', found: '' },
    { query: 'from=2026-03-05&to=2026-03-05', found: 'asb' },
    { query: 'from=2026-03-06', found: 'c' },
    { query: 'to=2026-03-04', found: '' },
    { query: 'from=2026-03-06T00:00:00%2B09:00', found: 'c' },
    { query: 'from=2026-03-06T00:00:00.001%2B09:00', found: '' },
    { query: 'to=2026-03-06T00:00:00%2B09:00', found: 'asbc' },
    // Wall time of the server: 16:00 in Berlin is midnight in Tokyo.
    { query: 'from=2026-03-05T16:00', found: 'c' },
    { query: 'from=2026-03-05&to=2026-03-05&state=snoozed', found: 's' },
  ])('for $query holds $found', async ({ query, found }) => {
    expect(await titles(ada, query)).toBe(found)
  })

  test.each([
    { query: 'state=late', detail: 'state: must be one of upcoming, due, snoozed, dismissed, all' },
    { query: 'from=soon', detail: 'from: must be a day as YYYY-MM-DD, or a date-time (RFC 3339)' },
    { query: 'limit=201', detail: 'limit: must be a whole number from 1 to 200' },
    { query: 'cursor=x', detail: 'cursor: is not valid' },
    {
      query: `cursor=${Buffer.from('["infinity",0]').toString('base64url')}`,
      detail: 'cursor: is not valid',
    },
    { query: `cursor=${Buffer.from('["now",1]').toString('base64url')}`, detail: 'cursor: is not valid' },
    { query: `cursor=${Buffer.from('["infinity"]').toString('base64url')}`, detail: 'cursor: is not valid' },
  ])('$query is refused', async ({ query, detail }) => {
    const { status, body } = await ada.request('GET', `${REMINDERS}?${query}`)
    expect([status, body.detail]).toEqual([422, detail])
  })
})

test('what is inserted and deleted between pages repeats and skips nothing', async () => {
  const ada = await h.signedIn()
  const made: number[] = []
  for (let i = 0; i < 12; i++) {
    const remind_at = i % 4 === 3 ? null : addMinutes(h.clock.now(), (i % 3) * 10).toISOString()
    made.push((await createReminder(ada, { title: `${i}`, remind_at })).id)
  }
  const order = await pages(ada, `${REMINDERS}?limit=200`)
  const seen = await pages(ada, `${REMINDERS}?limit=2`, async (ids) => {
    await ada.request('DELETE', `${REMINDERS}/${ids.at(-1)}`)
    await createReminder(ada, { title: 'new', remind_at: '1999-01-01T00:00' })
  })
  expect(seen).toEqual(order)
  expect(seen.toSorted((a, b) => a - b)).toEqual(made)
})

test('five thousand reminders page whole, in every list', async () => {
  const ada = await h.signedIn()
  const now = h.clock.now()
  const rows = Array.from({ length: 5000 }, (_, i) => {
    const at = i % 5 === 0 ? null : addMinutes(now, (i % 100) - 50)
    return {
      userId: ada.row.id,
      title: `Reminder ${i}`,
      remindAt: at,
      seriesStart: at,
      seriesWall: at && at.toISOString().slice(0, -1),
      timeZone: 'UTC',
      createdAt: now,
      updatedAt: now,
    }
  })
  for (let from = 0; from < rows.length; from += 1000) {
    await h.db.insert(reminders).values(rows.slice(from, from + 1000))
  }
  const all = await pages(ada, `${REMINDERS}?limit=200`)
  const due = await pages(ada, `${REMINDERS}/due?limit=200`)
  const upcoming = await pages(ada, `${REMINDERS}?state=upcoming&limit=200`)
  expect([all.length, new Set(all).size]).toEqual([5000, 5000])
  expect(new Set([...due, ...upcoming]).size).toBe(4000)
  expect(due.length + upcoming.length).toBe(4000)
  expect(all.slice(0, 4000)).toEqual([...due, ...upcoming])
}, 30_000)
