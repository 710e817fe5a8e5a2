import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendars } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const CALENDARS = '/api/calendars'
const h = useHarness({ per: 'test' })

interface Calendar {
  id: number
  name: string
  is_default: boolean
  [field: string]: unknown
}
const list = async (actor: Actor): Promise<Calendar[]> =>
  (await actor.request('GET', CALENDARS)).body.calendars
const named = async (actor: Actor, name: string): Promise<Calendar> => {
  const found = (await list(actor)).find((calendar) => calendar.name === name)
  if (!found) throw new Error('no such calendar')
  return found
}
const send = async (actor: Actor, method: string, path: string, body?: unknown) => {
  const answered = await actor.request(method, `${CALENDARS}${path}`, body === undefined ? {} : { body })
  return { status: answered.status, body: answered.body }
}
const create = async (actor: Actor, body: unknown) => (await send(actor, 'POST', '', body)).body
const refused = (status: number, detail: string) => ({ status, body: { detail } })
const rowsOf = (actor: Actor) =>
  h.db.select().from(calendars).where(eq(calendars.userId, actor.row.id)).orderBy(calendars.id)

describe('GET /api/calendars', () => {
  test('answers the two that every user has, by name, and nobody else’s', async () => {
    const ada = await h.signedIn({ username: 'Ada' })
    await create(await h.signedIn(), { name: 'Foreign' })
    for (const name of ['climbing', 'Ärzte']) await create(ada, { name })
    const names = (await list(ada)).map(({ name }) => name)
    expect(names).toEqual(['Ärzte', 'Birthdays', 'climbing', 'Personal'])
    expect(await named(ada, 'Personal')).toEqual({
      id: expect.any(Number),
      user_id: ada.row.id,
      name: 'Personal',
      color: '#3b82f6',
      is_default: true,
      is_system: false,
      is_visible: true,
      access: 'owner',
      owner_network_name: 'ada',
      feed_created_at: null,
      feed_last_read_at: null,
      created_at: '2026-03-04T10:30:00+01:00',
      updated_at: '2026-03-04T10:30:00+01:00',
    })
  })
})

describe('POST /api/calendars', () => {
  test('creates a calendar that is blue, visible and not the default unless told otherwise', async () => {
    const ada = await h.signedIn()
    expect(
      await send(ada, 'POST', '', { name: '  Work\u0301 ', id: 1, is_system: true, user_id: 1 }),
    ).toEqual({
      status: 201,
      body: expect.objectContaining({
        name: 'Worḱ',
        color: '#3b82f6',
        is_default: false,
        is_visible: true,
        is_system: false,
        user_id: ada.row.id,
      }),
    })
  })

  test('moves the default to a new calendar that asks for it', async () => {
    const ada = await h.signedIn()
    await create(ada, { name: 'Work', is_default: true, color: '#ABCdef', is_visible: false })
    expect((await list(ada)).filter(({ is_default }) => is_default)).toMatchObject([
      { name: 'Work', color: '#ABCdef', is_visible: false },
    ])
  })

  test('refuses a name that the owner has, and lets others have it', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    await create(ada, { name: 'Work' })
    const taken = refused(409, 'A calendar with this name exists')
    expect(await send(ada, 'POST', '', { name: 'Work', is_default: true })).toEqual(taken)
    expect(await named(ada, 'Personal')).toMatchObject({ is_default: true })
    expect((await send(eve, 'POST', '', { name: 'Work' })).status).toBe(201)
  })

  test.each([
    { body: {}, detail: 'name: is required' },
    { body: { name: ' ' }, detail: 'name: must not be empty' },
    { body: { name: 'x'.repeat(101) }, detail: 'name: must be at most 100 characters' },
    { body: { name: 'a\u{0}b' }, detail: 'name: must not contain U+0000 or lone surrogates' },
    { body: { name: 'a', color: 'red' }, detail: 'color: must be a colour as #rrggbb' },
    { body: { name: 'a', color: '#12345g' }, detail: 'color: must be a colour as #rrggbb' },
    { body: { name: 'a', color: '#123456\n' }, detail: 'color: must be a colour as #rrggbb' },
    { body: { name: 'a', is_default: 1 }, detail: 'is_default: must be true or false' },
    { body: { name: 'a', is_visible: null }, detail: 'is_visible: must be true or false' },
  ])('refuses a body with $detail', async ({ body, detail }) => {
    const ada = await h.signedIn()
    const answered = await send(ada, 'POST', '', body)
    expect([answered.status, answered.body.detail]).toEqual([422, detail])
    expect((await rowsOf(ada)).length).toBe(2)
  })

  test('creates one of 50 calendars of one name at once, and leaves one default of 50', async () => {
    for (let round = 0; round < 20; round++) {
      const ada = await h.signedIn()
      const same = await Promise.all(
        Array.from({ length: 50 }, () => send(ada, 'POST', '', { name: 'Work' })),
      )
      expect(same.filter(({ status }) => status === 201).length).toBe(1)
      expect(same.filter(({ status }) => status === 409).length).toBe(49)
      const defaults = await Promise.all(
        Array.from({ length: 50 }, (_, i) => send(ada, 'POST', '', { name: `c${i}`, is_default: true })),
      )
      expect(defaults.filter(({ status }) => status === 201).length).toBe(50)
      expect((await rowsOf(ada)).filter(({ isDefault }) => isDefault).length).toBe(1)
    }
  }, 60_000)
})

describe('PUT /api/calendars/{id}', () => {
  test('changes what is given and leaves the rest', async () => {
    const ada = await h.signedIn()
    const { id } = await create(ada, { name: 'Work', color: '#111111' })
    h.clock.advance({ minutes: 1 })
    const changed = await send(ada, 'PUT', `/${id}`, { is_visible: false })
    expect(changed).toMatchObject({
      status: 200,
      body: { id, name: 'Work', color: '#111111', is_visible: false, is_default: false },
    })
    expect(changed.body.updated_at > changed.body.created_at).toBe(true)
    expect((await send(ada, 'PUT', `/${id}`, { name: 'Office' })).body.name).toBe('Office')
    expect((await send(ada, 'PUT', `/${id}`, {})).status).toBe(200)
  })

  test('moves the default, which cannot be unset', async () => {
    const ada = await h.signedIn()
    const [{ id: personal }, { id: work }] = [
      await named(ada, 'Personal'),
      await create(ada, { name: 'Work' }),
    ]
    const unset = refused(409, 'The default calendar cannot be unset')
    expect(await send(ada, 'PUT', `/${personal}`, { is_default: false })).toEqual(unset)
    expect((await send(ada, 'PUT', `/${work}`, { is_default: false })).status).toBe(200)
    expect((await send(ada, 'PUT', `/${work}`, { is_default: true })).body.is_default).toBe(true)
    expect((await send(ada, 'PUT', `/${work}`, { is_default: true })).status).toBe(200)
    expect((await list(ada)).filter(({ is_default }) => is_default).map(({ id }) => id)).toEqual([work])
    expect((await send(ada, 'PUT', `/${personal}`, { is_default: false })).status).toBe(200)
  })

  test('refuses to rename the Birthdays calendar or make it the default, and changes its colour', async () => {
    const ada = await h.signedIn()
    const { id } = await named(ada, 'Birthdays')
    expect(await send(ada, 'PUT', `/${id}`, { name: 'Feasts', color: '#000000' })).toEqual(
      refused(409, 'System calendars cannot be renamed'),
    )
    expect(await send(ada, 'PUT', `/${id}`, { is_default: true })).toEqual(
      refused(409, 'The Birthdays calendar cannot be the default'),
    )
    expect(
      await send(ada, 'PUT', `/${id}`, { name: 'Birthdays', color: '#abcdef', is_visible: false }),
    ).toMatchObject({ status: 200, body: { name: 'Birthdays', color: '#abcdef', is_visible: false } })
  })

  test('refuses a name that the owner has, and keeps everything', async () => {
    const ada = await h.signedIn()
    const { id } = await create(ada, { name: 'Work' })
    const before = await rowsOf(ada)
    expect(await send(ada, 'PUT', `/${id}`, { name: 'Personal', is_default: true })).toEqual(
      refused(409, 'A calendar with this name exists'),
    )
    expect(await rowsOf(ada)).toEqual(before)
    expect((await send(ada, 'PUT', `/${id}`, { name: null })).status).toBe(422)
  })
})

describe('DELETE /api/calendars/{id}', () => {
  test('deletes a calendar, but neither the default nor the Birthdays calendar', async () => {
    const ada = await h.signedIn()
    const { id } = await create(ada, { name: 'Work' })
    expect(await send(ada, 'DELETE', `/${id}`)).toEqual({ status: 204, body: '' })
    expect(await send(ada, 'DELETE', `/${id}`)).toEqual(refused(404, 'Calendar not found'))
    expect(await send(ada, 'DELETE', `/${(await named(ada, 'Personal')).id}`)).toEqual(
      refused(409, 'The default calendar cannot be deleted'),
    )
    expect(await send(ada, 'DELETE', `/${(await named(ada, 'Birthdays')).id}`)).toEqual(
      refused(409, 'System calendars cannot be deleted'),
    )
    expect((await rowsOf(ada)).length).toBe(2)
  })

  test('leaves one default when the calendar is made the default at the same time', async () => {
    for (let round = 0; round < 20; round++) {
      const ada = await h.signedIn()
      const { id } = await create(ada, { name: 'Work' })
      const [deleted, moved] = await Promise.all([
        send(ada, 'DELETE', `/${id}`),
        send(ada, 'PUT', `/${id}`, { is_default: true }),
      ])
      expect([
        [204, 404],
        [409, 200],
      ]).toContainEqual([deleted.status, moved.status])
      expect((await rowsOf(ada)).filter(({ isDefault }) => isDefault).length).toBe(1)
    }
  })
})

describe('GET /api/calendars/{id}', () => {
  test('answers a calendar as the list does', async () => {
    const ada = await h.signedIn()
    const personal = await named(ada, 'Personal')
    expect(await send(ada, 'GET', `/${personal.id}`)).toEqual({ status: 200, body: personal })
  })
})

describe('a calendar of somebody else', () => {
  test('is answered with the same bytes as an absent one, and does not change', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const { id } = await create(ada, { name: 'Work' })
    const before = await rowsOf(ada)
    for (const segment of [id, 2_147_483_647, 2_147_483_648, 0, -1, '1e3', 'x', '1%20', '01']) {
      expect(await send(eve, 'PUT', `/${segment}`, { name: 'Mine' })).toEqual(
        refused(404, 'Calendar not found'),
      )
      expect(await send(eve, 'GET', `/${segment}`)).toEqual(refused(404, 'Calendar not found'))
      expect(await send(eve, 'DELETE', `/${segment}`)).toEqual(refused(404, 'Calendar not found'))
    }
    expect(await rowsOf(ada)).toEqual(before)
  })
})
