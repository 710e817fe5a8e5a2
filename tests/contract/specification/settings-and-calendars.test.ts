import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { calendars, settings } from '../../../src/db/schema'
import { type Actor, type Harness, PASSWORD } from '../../support/harness'
import { sharedWith } from '../../support/sharing'
import { configure, newcomer, register, startUnlimited } from './acting'

let h: Harness
beforeAll(async () => void (h = await startUnlimited()))
afterAll(() => h[Symbol.asyncDispose]())

/** Users who came in each of the ways in which there can be one: setup, registration, an administrator. */
async function everyNewUser(fresh: Harness): Promise<number[]> {
  await fresh.request('POST', '/api/auth/setup', { body: newcomer('root') })
  await configure(fresh, { allow_registration: true })
  await register(fresh, 'registered')
  const admin = await fresh.signedIn({ role: 'admin' })
  const body = { username: 'created', password: PASSWORD }
  await admin.request('POST', '/api/admin/users', { body })
  const rows = await fresh.db.query.users.findMany()
  const ids = ['root', 'registered', 'created'].map((name) => rows.find((row) => row.username === name)?.id)
  return ids.filter((id) => id !== undefined)
}

const readSettings = async (actor: Actor) => (await actor.request('GET', '/api/settings')).body
const change = (actor: Actor, body: Record<string, unknown>) =>
  actor.request('PUT', '/api/settings', { body })

/** Changes `fields` and expects to read just these back. */
async function expectKept(actor: Actor, fields: Record<string, unknown>) {
  const before = await readSettings(actor)
  expect((await change(actor, fields)).status).toBe(200)
  expect(await readSettings(actor)).toEqual({ ...before, ...fields })
}

const refusals = async (actor: Actor, bodies: ReadonlyArray<Record<string, unknown>>) =>
  Promise.all(bodies.map(async (body) => (await change(actor, body)).status))

describe('2.4 Settings (one per user)', () => {
  test('always created together with the user', async () => {
    await using fresh = await startUnlimited()
    const ids = await everyNewUser(fresh)
    expect(ids).toHaveLength(3)
    for (const id of ids) expect(await fresh.db.$count(settings, eq(settings.userId, id))).toBe(1)
    const again = { userId: ids[0] ?? 0, createdAt: fresh.clock.now(), updatedAt: fresh.clock.now() }
    const second = fresh.db.insert(settings).values(again)
    expect(await second.then(undefined, () => 'refused')).toBe('refused')
  })

  test('user_id (not null)', async () => {
    const ada = await h.signedIn()
    await change(ada, { user_id: null })
    await change(ada, { user_id: 1 })
    expect((await readSettings(ada)).user_id).toBe(ada.row.id)
  })

  test('preferred_name (nullable)', async () => {
    const ada = await h.signedIn()
    expect((await readSettings(ada)).preferred_name).toBeNull()
    for (const preferred_name of ['Countess', null]) await expectKept(ada, { preferred_name })
  })

  test('first_day_of_week (0 = Sunday, 1 = Monday)', async () => {
    const ada = await h.signedIn()
    for (const first_day_of_week of [1, 0]) await expectKept(ada, { first_day_of_week })
    expect(await refusals(ada, [{ first_day_of_week: 2 }, { first_day_of_week: null }])).toEqual([422, 422])
  })

  test('weather_lat and weather_lon', async () => {
    const ada = await h.signedIn()
    await expectKept(ada, { weather_lat: -90, weather_lon: 180 })
    await expectKept(ada, { weather_lat: null, weather_lon: null })
  })

  test('profile fields (phone, mobile, address, company, job_title)', async () => {
    const ada = await h.signedIn()
    await expectKept(ada, { phone: '1', mobile: '2', address: 'A', company: 'C', job_title: 'J' })
  })

  test('accept_connections toggle', async () => {
    const ada = await h.signedIn()
    const eve = await h.signedIn()
    const isFound = async () => {
      const body = { network_name: ada.row.networkName }
      return (await eve.request('POST', '/api/connections/search', { body })).body.found
    }
    expect(await isFound()).toBe(false)
    for (const accept_connections of [true, false]) {
      await expectKept(ada, { accept_connections })
      expect(await isFound()).toBe(accept_connections)
    }
  })

  test('per-field sharing toggles including share_first_name and share_last_name', async () => {
    const ada = await h.signedIn()
    const toggles = Object.keys(await readSettings(ada)).filter((name) => name.startsWith('share_'))
    expect(toggles).toEqual(expect.arrayContaining(['share_first_name', 'share_last_name']))
    for (const toggle of toggles) await expectKept(ada, { [toggle]: true })
  })

  test('push-notification fields (server URL, topic, auth token, enabled flag, per-type toggles, lead times)', async () => {
    const ada = await h.signedIn()
    await expectKept(ada, {
      ntfy_server_url: 'https://ntfy.example',
      ntfy_topic: 'ada',
      ntfy_enabled: true,
      ntfy_events: false,
      ntfy_reminders: false,
      ntfy_todos: false,
      ntfy_projects: false,
      ntfy_connections: false,
      ntfy_event_lead_minutes: 30,
      ntfy_todo_lead_days: 3,
      ntfy_project_lead_days: 4,
    })
  })

  test('the push auth token is never returned; the response carries a computed boolean ntfy_has_token instead', async () => {
    const ada = await h.signedIn()
    expect((await readSettings(ada)).ntfy_has_token).toBe(false)
    const changed = await change(ada, { ntfy_auth_token: 'tk_Xanadu' })
    for (const view of [changed.body, await readSettings(ada)]) {
      expect(view).toMatchObject({ ntfy_has_token: true })
      expect(view).not.toHaveProperty('ntfy_auth_token')
      expect(JSON.stringify(view)).not.toContain('Xanadu')
    }
    expect((await change(ada, { ntfy_has_token: false })).body.ntfy_has_token).toBe(true)
    expect((await change(ada, { ntfy_auth_token: null })).body.ntfy_has_token).toBe(false)
  })
})

describe('2.5 Calendar', () => {
  const listOf = async (actor: Actor): Promise<Array<Record<string, unknown>>> =>
    (await actor.request('GET', '/api/calendars')).body.calendars
  const birthdaysOf = async (actor: Actor) =>
    (await listOf(actor)).find(({ is_system }) => is_system === true) ?? {}

  test('name, color (hex), is_default, is_system, is_visible, user_id', async () => {
    const ada = await h.signedIn()
    const body = { name: 'Work', color: '#012abc', is_default: false, is_visible: false }
    const created = await ada.request('POST', '/api/calendars', { body })
    expect([created.status, created.body]).toMatchObject([
      201,
      { ...body, is_system: false, user_id: ada.row.id },
    ])
    for (const color of ['red', '#12345', '#1234567', '#12345g', null]) {
      const refused = await ada.request('POST', '/api/calendars', { body: { name: 'Other', color } })
      expect([color, refused.status]).toEqual([color, 422])
    }
  })

  test('every new user receives Personal (#3b82f6, default) and Birthdays (#f59e0b, system), both visible', async () => {
    await using fresh = await startUnlimited()
    const ids = await everyNewUser(fresh)
    expect(ids).toHaveLength(3)
    for (const id of ids) {
      const ofUser = eq(calendars.userId, id)
      const rows = await fresh.db.select().from(calendars).where(ofUser).orderBy(calendars.name)
      const table = rows.map((row) => [row.name, row.color, row.isDefault, row.isSystem, row.isVisible])
      expect(table).toEqual([
        ['Birthdays', '#f59e0b', false, true, true],
        ['Personal', '#3b82f6', true, false, true],
      ])
    }
  })

  test('user_id is the owner, whom a shared calendar keeps for everybody who sees it', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    for (const actor of [ada, bob]) {
      expect((await actor.calendar(calendar.id)).body).toMatchObject({ user_id: ada.row.id, name: 'Choir' })
    }
  })

  test('events carry calendar_id and expose calendar_name and calendar_color, those of a shared one as its member sees it', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    await bob.changeCalendar(calendar.id, { color: '#123456' })
    const times = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
    const { id } = await ada.create({ ...times, calendar_id: calendar.id })
    const [own, theirs] = [(await ada.read(id)).body, (await bob.read(id)).body]
    const expected = { calendar_id: calendar.id, calendar_name: 'Choir' }
    expect(own).toMatchObject({ ...expected, calendar_color: '#3b82f6' })
    expect(theirs).toMatchObject({ ...expected, calendar_color: '#123456' })
  })

  test('system calendars cannot be deleted or renamed; their colour can be edited', async () => {
    const ada = await h.signedIn()
    const before = await birthdaysOf(ada)
    const path = `/api/calendars/${String(before['id'])}`
    expect((await ada.request('DELETE', path)).status).toBe(409)
    expect((await ada.request('PUT', path, { body: { name: 'Feasts' } })).status).toBe(409)
    expect(await birthdaysOf(ada)).toEqual(before)
    expect((await ada.request('PUT', path, { body: { color: '#000000' } })).status).toBe(200)
    expect(await birthdaysOf(ada)).toEqual({ ...before, color: '#000000' })
  })
})
