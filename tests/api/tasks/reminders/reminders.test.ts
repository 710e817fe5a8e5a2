import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { reminders } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { createReminder } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

const REMINDERS = '/api/reminders'
const h = useHarness()
let ada: Actor
beforeAll(async () => {
  ada = await h.signedIn()
})

const rowOf = async (id: number) => (await h.db.select().from(reminders).where(eq(reminders.id, id)))[0]

const FULL = {
  title: 'Pills',
  description: 'With water.\nTwice.',
  remind_at: '2026-03-05T09:00:00+01:00',
  is_active: true,
  recurrence_rule: 'FREQ=DAILY;COUNT=10',
  time_zone: 'Europe/Berlin',
}

describe('POST /api/reminders', () => {
  test('creates a reminder with every field and answers it under its ETag', async () => {
    const { status, body, headers } = await ada.request('POST', REMINDERS, { body: FULL })
    expect([status, headers.get('etag')]).toEqual([201, '"1"'])
    expect(body).toEqual({
      ...FULL,
      id: expect.any(Number),
      is_dismissed: false,
      recurrence_unsupported: false,
      snoozed_until: null,
      version: 1,
      created_at: '2026-03-04T10:30:00+01:00',
      updated_at: '2026-03-04T10:30:00+01:00',
    })
    const read = await ada.request('GET', `${REMINDERS}/${body.id}`)
    expect([read.body, read.headers.get('etag')]).toEqual([body, '"1"'])
  })

  test('needs a title only; what it sets itself and what nobody knows is ignored', async () => {
    const given = { id: 7, user_id: 1, version: 9, is_dismissed: true, snoozed_until: FULL.remind_at, x: 1 }
    expect(await createReminder(ada, { title: ' A\u0301 ', ...given })).toMatchObject({
      title: 'Á',
      description: null,
      remind_at: null,
      is_active: true,
      is_dismissed: false,
      recurrence_unsupported: false,
      snoozed_until: null,
      recurrence_rule: null,
      time_zone: 'Europe/Berlin',
      version: 1,
    })
  })

  test('has the zone of the user, else that of the server, and keeps an alias', async () => {
    const eve = await h.signedIn()
    expect((await createReminder(eve)).time_zone).toBe('Europe/Berlin')
    await eve.request('PUT', '/api/settings', { body: { time_zone: 'America/New_York' } })
    const body = await createReminder(eve, { title: 'T', remind_at: '2026-03-05T09:00' })
    expect([body.time_zone, body.remind_at]).toEqual(['America/New_York', '2026-03-05T15:00:00+01:00'])
    expect((await createReminder(eve, { title: 'T', time_zone: 'Europe/Kiev' })).time_zone).toBe(
      'Europe/Kiev',
    )
  })

  test.each([
    { remind_at: '2026-03-05T09:00', at: '2026-03-05T01:00:00+01:00' },
    { remind_at: '2026-03-05T09:00Z', at: '2026-03-05T10:00:00+01:00' },
    { remind_at: '2026-03-05T09:00:00-05:00', at: '2026-03-05T15:00:00+01:00' },
  ])('reads $remind_at in the zone of the reminder unless it names an offset', async ({ remind_at, at }) => {
    expect((await createReminder(ada, { title: 'T', remind_at, time_zone: 'Asia/Tokyo' })).remind_at).toBe(at)
  })

  test('takes texts up to their limits, in code points', async () => {
    const longest = { title: '𝒯'.repeat(200), description: '𝒯'.repeat(10_000) }
    expect(await createReminder(ada, longest)).toMatchObject(longest)
  })

  test.each([
    { field: 'title', value: undefined, problem: 'is required' },
    { field: 'title', value: '', problem: 'must not be empty' },
    { field: 'title', value: 'T'.repeat(201), problem: 'must be at most 200 characters' },
    { field: 'description', value: 'a\0b', problem: 'must not contain U+0000 or lone surrogates' },
    { field: 'remind_at', value: '2026-03-05', problem: 'must be a date-time (RFC 3339)' },
    { field: 'remind_at', value: '2201-01-01T00:00', problem: 'must be a date-time (RFC 3339)' },
    { field: 'remind_at', value: '1900-01-01T00:00+14:00', problem: 'must be in the years 1900 to 2200' },
    { field: 'remind_at', value: '2200-12-31T23:59-12:00', problem: 'must be in the years 1900 to 2200' },
    { field: 'is_active', value: 'yes', problem: 'must be true or false' },
    { field: 'time_zone', value: 'Mars/Base', problem: 'must be an IANA time zone' },
    { field: 'recurrence_rule', value: 'T'.repeat(1001), problem: 'must be at most 1000 characters' },
    { field: 'recurrence_rule', value: 'FREQ=DAILY;COUNT=0', problem: expect.stringMatching(/^must /) },
    { field: 'recurrence_rule', value: 'FREQ=HOURLY', problem: expect.stringMatching(/^must /) },
    {
      field: 'recurrence_rule',
      value: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30',
      problem: expect.stringMatching(/^must /),
    },
  ])('refuses $field as $value', async ({ field, value, problem }) => {
    const body = { title: 'T', remind_at: '2026-03-05T09:00', [field]: value }
    const answered = await ada.request('POST', REMINDERS, { body })
    expect([answered.status, answered.body.errors]).toEqual([
      422,
      [{ field: `body.${field}`, message: problem }],
    ])
  })

  test('refuses a rule that has nothing to repeat', async () => {
    const { status, body } = await ada.request('POST', REMINDERS, {
      body: { title: 'T', recurrence_rule: 'FREQ=DAILY' },
    })
    expect([status, body.detail]).toEqual([422, 'recurrence_rule: must be given together with remind_at'])
  })
})

describe('PUT /api/reminders/{id}', () => {
  test('changes what is given and leaves the rest, and null clears', async () => {
    const { id, ...created } = await createReminder(ada, FULL)
    h.clock.advance({ seconds: 1 })
    const changed = await ada.request('PUT', `${REMINDERS}/${id}`, {
      body: { title: 'P', description: null },
    })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
    expect(changed.body).toEqual({
      ...created,
      id,
      title: 'P',
      description: null,
      version: 2,
      updated_at: expect.not.stringContaining(created.updated_at),
    })
    const cleared = { remind_at: null, recurrence_rule: null, is_active: false }
    expect((await ada.request('PUT', `${REMINDERS}/${id}`, { body: cleared })).body).toMatchObject(cleared)
    expect((await ada.request('GET', `${REMINDERS}/${id}`)).body).toMatchObject({
      title: 'P',
      ...cleared,
      version: 3,
    })
  })

  test('takes a reminder back as it was read', async () => {
    const created = await createReminder(ada, FULL)
    const { body } = await ada.request('PUT', `${REMINDERS}/${created.id}`, { body: created })
    expect(body).toEqual({ ...created, version: 2, updated_at: expect.any(String) })
  })

  test('does not leave a rule without its first time, nor sets one', async () => {
    const { id } = await createReminder(ada, FULL)
    const put = (body: object) => ada.request('PUT', `${REMINDERS}/${id}`, { body })
    const refused = await put({ remind_at: null, title: 'Other' })
    expect([refused.status, refused.body.detail]).toEqual([
      422,
      'recurrence_rule: must be given together with remind_at',
    ])
    expect((await put({ remind_at: null, recurrence_rule: null })).status).toBe(200)
    expect((await put({ recurrence_rule: 'FREQ=DAILY' })).status).toBe(422)
    expect((await put({ recurrence_rule: 'FREQ=DAILY', remind_at: '2026-03-07T08:00' })).body).toMatchObject({
      title: FULL.title,
      recurrence_rule: 'FREQ=DAILY',
      remind_at: '2026-03-07T08:00:00+01:00',
    })
  })

  test('A change of the zone alone leaves the instant, and wall time is read in the new zone', async () => {
    const { id } = await createReminder(ada, { ...FULL, recurrence_rule: null })
    const put = async (body: object) => (await ada.request('PUT', `${REMINDERS}/${id}`, { body })).body
    expect(await put({ time_zone: 'Asia/Tokyo' })).toMatchObject({
      remind_at: FULL.remind_at,
      time_zone: 'Asia/Tokyo',
    })
    expect((await put({ remind_at: '2026-03-05T09:00' })).remind_at).toBe('2026-03-05T01:00:00+01:00')
    expect((await put({ remind_at: '2026-03-05T09:00', time_zone: 'UTC' })).remind_at).toBe(
      '2026-03-05T10:00:00+01:00',
    )
  })

  test('Of changes of one version of a reminder at once one is made, and the others are 412', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await createReminder(ada)
      const sent = Array.from({ length: 5 }, (_, i) =>
        ada.request('PUT', `${REMINDERS}/${id}`, {
          body: { title: `T${i}` },
          headers: { 'if-match': '"1"' },
        }),
      )
      const answers = await Promise.all(sent)
      expect(answers.filter(({ status }) => status === 412).length).toBe(4)
      const winner = answers.findIndex(({ status }) => status === 200)
      expect((await ada.request('GET', `${REMINDERS}/${id}`)).body).toMatchObject({
        title: `T${winner}`,
        version: 2,
      })
    }
  }, 30_000)
})

test('a stale version stops every change and deletion', async () => {
  const { id } = await createReminder(ada, { ...FULL, remind_at: '2026-03-01T09:00' })
  await ada.request('PUT', `${REMINDERS}/${id}`, { body: { title: 'U' } })
  const headers = { 'if-match': '"1"' }
  const before = await rowOf(id)
  const answers = [
    await ada.request('PUT', `${REMINDERS}/${id}`, { body: { title: 'V' }, headers }),
    await ada.request('PUT', `${REMINDERS}/${id}/snooze`, { body: { minutes: 5 }, headers }),
    await ada.request('PUT', `${REMINDERS}/${id}/dismiss`, { headers }),
    await ada.request('DELETE', `${REMINDERS}/${id}`, { headers }),
  ]
  for (const { status, body } of answers) {
    expect([status, body]).toEqual([412, { detail: 'This item has changed since you read it' }])
  }
  expect(await rowOf(id)).toEqual(before)
  expect((await ada.request('DELETE', `${REMINDERS}/${id}`, { headers: { 'if-match': '"2"' } })).status).toBe(
    204,
  )
  expect(await rowOf(id)).toBeUndefined()
})

test('somebody else’s reminder is as absent as one that is none, byte for byte, and stays as it is', async () => {
  const eve = await h.signedIn()
  const { id } = await createReminder(ada, FULL)
  const before = await rowOf(id)
  for (const named of [id, 2147483647, 2147483648, 0, -1, 'x', '%00', '01']) {
    const answers = [
      await eve.request('GET', `${REMINDERS}/${named}`),
      await eve.request('PUT', `${REMINDERS}/${named}`, { body: { title: 'Mine' } }),
      await eve.request('PUT', `${REMINDERS}/${named}`, {
        body: { title: 'Mine' },
        headers: { 'if-match': '"9"' },
      }),
      await eve.request('PUT', `${REMINDERS}/${named}/snooze`, { body: { minutes: 5 } }),
      await eve.request('PUT', `${REMINDERS}/${named}/dismiss`),
      await eve.request('DELETE', `${REMINDERS}/${named}`),
    ]
    for (const { status, body } of answers) {
      expect([named, status, body]).toEqual([named, 404, { detail: 'Reminder not found' }])
    }
  }
  expect(await rowOf(id)).toEqual(before)
  for (const path of [REMINDERS, `${REMINDERS}/due`]) {
    expect((await eve.request('GET', path)).body).toEqual({ reminders: [], next_cursor: null })
  }
})
