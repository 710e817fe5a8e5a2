import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { eventTemplates } from '../../../../src/db/schema'
import { newCalendar } from '../../../support/calendar-files'
import { birthdaysOf, organiser } from '../../../support/events'
import { type Actor } from '../../../support/harness'
import { expecting } from '../../../support/projects'
import { useHarness } from '../../../support/use-harness'

const TEMPLATES = '/api/event-templates'
const NOW = '2026-03-04T10:30:00+01:00'
const h = useHarness({ per: 'test' })

const send = async (actor: Pick<Actor, 'request'>, method: string, path: string, body?: unknown) => {
  const answered = await actor.request(method, `${TEMPLATES}${path}`, body === undefined ? {} : { body })
  return { status: answered.status, body: answered.body, etag: answered.headers.get('etag') }
}
const create = async (actor: Actor, body: Record<string, unknown> = {}) => {
  const answered = await send(actor, 'POST', '', { name: 'Lesson', title: 'Violin', ...body })
  if (answered.status !== 201) throw new Error(JSON.stringify(answered.body))
  return answered.body
}
const refused = (status: number, detail: string) => ({ status, body: { detail }, etag: null })
const MISSING = refused(404, 'Event template not found')
const NO_CALENDAR = refused(404, 'Calendar not found')
const TAKEN = refused(409, 'An event template with this name exists')
const STALE = refused(412, 'This item has changed since you read it')

const storedOf = (actor: Actor) =>
  h.db.select().from(eventTemplates).where(eq(eventTemplates.userId, actor.row.id))
const namesOf = async (actor: Actor, query = ''): Promise<string[]> =>
  (await send(actor, 'GET', query)).body.event_templates.map(({ name }: { name: string }) => name)

describe('POST /api/event-templates', () => {
  test('creates a template with what is given, tidied, and answers it under its version', async () => {
    const ada = await h.signedIn()
    const body = {
      name: '  Lec\u0327on ',
      title: ' t'.repeat(2),
      description: ' two\n lines ',
      location: 'x'.repeat(500),
      calendar_id: await newCalendar(ada),
      all_day: true,
      recurrence_rule: 'RRULE:FREQ=WEEKLY;BYDAY=MO',
      reminder_minutes: 40_320,
      visibility: 'private',
      duration: 60,
      user_id: 1,
      version: 7,
    }
    const { duration: _, user_id: __, ...given } = body
    const created = await send(ada, 'POST', '', body)
    expect(created).toEqual({
      status: 201,
      etag: '"1"',
      body: {
        ...given,
        name: 'Leçon',
        title: 't t',
        recurrence_rule: 'FREQ=WEEKLY;BYDAY=MO',
        id: expect.any(Number),
        version: 1,
        created_at: NOW,
        updated_at: NOW,
      },
    })
    expect(await send(ada, 'GET', `/${created.body.id}`)).toEqual({ ...created, status: 200 })
    expect((await storedOf(ada)).length).toBe(1)
  })

  test('needs a name and a title only', async () => {
    const ada = await h.signedIn()
    expect(await create(ada)).toEqual({
      id: expect.any(Number),
      name: 'Lesson',
      title: 'Violin',
      description: null,
      location: null,
      calendar_id: null,
      all_day: false,
      recurrence_rule: null,
      reminder_minutes: null,
      visibility: 'public',
      version: 1,
      created_at: NOW,
      updated_at: NOW,
    })
  })

  test.each([
    { body: { name: undefined }, detail: 'name: is required' },
    { body: { name: ' ' }, detail: 'name: must not be empty' },
    { body: { name: 'x'.repeat(101) }, detail: 'name: must be at most 100 characters' },
    { body: { name: null }, detail: 'name: must be a string' },
    { body: { title: undefined }, detail: 'title: is required' },
    { body: { title: 'x'.repeat(201) }, detail: 'title: must be at most 200 characters' },
    { body: { title: 'a\0b' }, detail: 'title: must not contain U+0000 or lone surrogates' },
    { body: { description: 'x'.repeat(10_001) }, detail: 'description: must be at most 10000 characters' },
    { body: { location: 'x'.repeat(501) }, detail: 'location: must be at most 500 characters' },
    { body: { all_day: 'yes' }, detail: 'all_day: must be true or false' },
    { body: { reminder_minutes: -1 }, detail: 'reminder_minutes: must be at least 0' },
    { body: { visibility: 'secret' }, detail: 'visibility: must be one of public, private' },
    { body: { reminder_minutes: 40_321 }, detail: 'reminder_minutes: must be at most 40320' },
    {
      body: { recurrence_rule: 'FREQ=HOURLY' },
      detail: 'recurrence_rule: must have DAILY, WEEKLY, MONTHLY or YEARLY as FREQ',
    },
    {
      body: { recurrence_rule: 'FREQ=DAILY;COUNT=1;UNTIL=20260101' },
      detail: 'recurrence_rule: must not have both COUNT and UNTIL',
    },
    {
      body: { recurrence_rule: 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=30' },
      detail: 'recurrence_rule: must match at least one day',
    },
    {
      body: { recurrence_rule: 'FREQ=DAILY;BYHOUR=9', all_day: true },
      detail: 'recurrence_rule: must not have BYHOUR, BYMINUTE or BYSECOND in an all-day series',
    },
  ])('refuses a body with $detail', async ({ body, detail }) => {
    const ada = await h.signedIn()
    const answered = await send(ada, 'POST', '', { name: 'A', title: 'B', ...body })
    expect([answered.status, answered.body.detail]).toEqual([422, detail])
    expect(await storedOf(ada)).toEqual([])
  })

  test('takes own calendars only, and not that of the birthdays', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const others = [await newCalendar(eve), (await birthdaysOf(h, ada.row.id)).id, 2_147_483_647, 9e15, -1]
    const mine = await create(ada, { name: 'Mine' })
    for (const calendar_id of others) {
      expect(await send(ada, 'POST', '', { name: 'A', title: 'B', calendar_id })).toEqual(NO_CALENDAR)
      expect(await send(ada, 'PUT', `/${mine.id}`, { calendar_id })).toEqual(NO_CALENDAR)
    }
    expect(await storedOf(ada)).toMatchObject([{ name: 'Mine', calendarId: null, version: 1 }])
  })

  test('refuses a name that the user has, and lets others have it', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    await create(ada)
    expect(await send(ada, 'POST', '', { name: ' Lesson', title: 'B' })).toEqual(TAKEN)
    expect((await create(ada, { name: 'lesson' })).name).toBe('lesson')
    expect((await create(eve)).name).toBe('Lesson')
  })

  test('creates one of two templates of one name at once', async () => {
    for (let round = 0; round < 20; round++) {
      const ada = await h.signedIn()
      const sent = { name: 'Lesson', title: 'Violin' }
      const answers = await Promise.all([1, 2].map(() => send(ada, 'POST', '', sent)))
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([201, 409])
      expect(answers).toContainEqual(TAKEN)
      expect((await storedOf(ada)).length).toBe(1)
    }
  })
})

describe('GET /api/event-templates', () => {
  test('answers own templates by name, without regard to case, and nobody else’s', async () => {
    const ada = await h.signedIn()
    await create(await h.signedIn(), { name: 'Foreign' })
    for (const name of ['b', 'Ärzte', 'C', 'a', 'B']) await create(ada, { name })
    expect(await namesOf(ada)).toEqual(['a', 'Ärzte', 'b', 'B', 'C'])
  })

  test('comes in pages, each template once, whatever comes and goes between them', async () => {
    const ada = await h.signedIn()
    for (const name of ['a', 'b', 'B', 'c', 'd']) await create(ada, { name })
    const first = (await send(ada, 'GET', '?limit=2')).body
    expect(first.event_templates.map(({ name }: { name: string }) => name)).toEqual(['a', 'b'])
    await send(ada, 'DELETE', `/${first.event_templates[1].id}`)
    await create(ada, { name: 'aa' })
    const second = (await send(ada, 'GET', `?limit=2&cursor=${first.next_cursor}`)).body
    expect(second.event_templates.map(({ name }: { name: string }) => name)).toEqual(['B', 'c'])
    const last = (await send(ada, 'GET', `?limit=2&cursor=${second.next_cursor}`)).body
    expect([last.event_templates.length, last.next_cursor]).toEqual([1, null])
  })

  test.each([
    'limit=0',
    'limit=201',
    'cursor=x',
    `cursor=${btoa('["a\\u0000",1]')}`,
    `cursor=${btoa('[1]')}`,
  ])('refuses %s', async (query) => {
    const { status } = await send(await h.signedIn(), 'GET', `?${query}`)
    expect(status).toBe(422)
  })
})

describe('PUT /api/event-templates/{id}', () => {
  test('changes what is given, clears what is null, and makes a new version', async () => {
    const ada = await h.signedIn()
    const template = await create(ada, {
      description: 'D',
      location: 'L',
      calendar_id: await newCalendar(ada),
      recurrence_rule: 'FREQ=DAILY',
      reminder_minutes: 0,
    })
    h.clock.advance({ minutes: 1 })
    const changed = await send(expecting(ada, '"1"'), 'PUT', `/${template.id}`, {
      location: null,
      calendar_id: null,
    })
    expect([changed.status, changed.etag]).toEqual([200, '"2"'])
    expect(changed.body).toEqual({
      ...template,
      location: null,
      calendar_id: null,
      version: 2,
      updated_at: '2026-03-04T10:31:00+01:00',
    })
    const next = (await send(ada, 'PUT', `/${template.id}`, { recurrence_rule: null, all_day: true })).body
    expect(next).toMatchObject({ description: 'D', recurrence_rule: null, all_day: true, version: 3 })
  })

  test('refuses a stale version, also to delete, and changes nothing', async () => {
    const ada = await h.signedIn()
    const { id } = await create(ada)
    const { body } = await send(ada, 'PUT', `/${id}`, { title: 'Cello' })
    expect(await send(expecting(ada, '"1"'), 'PUT', `/${id}`, { title: 'Flute' })).toEqual(STALE)
    expect(await send(expecting(ada, '"1"'), 'DELETE', `/${id}`)).toEqual(STALE)
    expect((await send(ada, 'GET', `/${id}`)).body).toEqual(body)
  })

  test('refuses the name of another template, and takes its own', async () => {
    const ada = await h.signedIn()
    await create(ada)
    const { id } = await create(ada, { name: 'Other' })
    expect(await send(ada, 'PUT', `/${id}`, { name: 'Lesson' })).toEqual(TAKEN)
    expect((await send(ada, 'PUT', `/${id}`, { name: 'Other' })).status).toBe(200)
  })

  test('judges the rule beside whether it is all-day', async () => {
    const ada = await h.signedIn()
    const { id } = await create(ada, { recurrence_rule: 'FREQ=DAILY;BYHOUR=9' })
    expect((await send(ada, 'PUT', `/${id}`, { all_day: true })).status).toBe(422)
    expect((await send(ada, 'PUT', `/${id}`, { all_day: true, recurrence_rule: null })).status).toBe(200)
  })

  test('makes one of two changes of one version at once', async () => {
    const ada = await h.signedIn()
    for (let round = 0; round < 20; round++) {
      const { id } = await create(ada, { name: `Race ${round}` })
      const answers = await Promise.all(
        ['A', 'B'].map((title) => send(expecting(ada, '"1"'), 'PUT', `/${id}`, { title })),
      )
      expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 412])
    }
  })
})

test('a template that is deleted is gone, and its name free', async () => {
  const ada = await h.signedIn()
  const { id } = await create(ada)
  expect((await send(expecting(ada, '"1"'), 'DELETE', `/${id}`)).status).toBe(204)
  expect(await send(ada, 'GET', `/${id}`)).toEqual(MISSING)
  expect(await send(ada, 'DELETE', `/${id}`)).toEqual(MISSING)
  await create(ada)
})

test('somebody else’s template is as absent as one that never was', async () => {
  const [ada, eve] = [await h.signedIn(), await h.signedIn()]
  const { id } = await create(ada)
  for (const path of [`/${id}`, '/2147483647', '/0', '/x', '/1.5']) {
    expect(await send(eve, 'GET', path)).toEqual(MISSING)
    expect(await send(eve, 'PUT', path, { title: 'Mine' })).toEqual(MISSING)
    expect(await send(eve, 'DELETE', path)).toEqual(MISSING)
  }
  expect(await storedOf(ada)).toMatchObject([{ title: 'Violin', version: 1 }])
})

test('a template outlives its calendar, in a new version without one', async () => {
  const ada = await organiser(h)
  const calendar_id = await newCalendar(ada)
  const { id } = await create(ada, { calendar_id })
  await create(ada, { name: 'Other' })
  expect((await ada.deleteCalendar(calendar_id)).status).toBe(204)
  expect((await send(ada, 'GET', `/${id}`)).body).toMatchObject({ calendar_id: null, version: 2 })
  expect(await storedOf(ada)).toContainEqual(expect.objectContaining({ name: 'Other', version: 1 }))
})

test('a calendar that is deleted while a template takes it leaves either none or a template without it', async () => {
  const ada = await organiser(h)
  for (let round = 0; round < 20; round++) {
    const calendar_id = await newCalendar(ada, `Race ${round}`)
    const [created, deleted] = await Promise.all([
      send(ada, 'POST', '', { name: `Race ${round}`, title: 'T', calendar_id }),
      ada.deleteCalendar(calendar_id),
    ])
    expect(deleted.status).toBe(204)
    if (created.status === 201) {
      expect((await send(ada, 'GET', `/${created.body.id}`)).body.calendar_id).toBeNull()
    } else expect(created).toEqual(NO_CALENDAR)
  }
})
