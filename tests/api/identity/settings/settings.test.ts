import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { settings, users } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { documentOf } from '../../../support/openapi'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const SETTINGS = '/api/settings'
const rowOf = async (userId: number) =>
  (await h.db.select().from(settings).where(eq(settings.userId, userId)))[0]

const change = (actor: Actor, body: object) => actor.request('PUT', SETTINGS, { body })

const DEFAULTS = {
  preferred_name: null,
  first_name: null,
  last_name: null,
  email: null,
  date_of_birth: null,
  phone: null,
  mobile: null,
  address: null,
  company: null,
  job_title: null,
  first_day_of_week: 0,
  time_zone: null,
  weather_city: null,
  weather_lat: null,
  weather_lon: null,
  accept_connections: false,
  share_first_name: false,
  share_last_name: false,
  share_preferred_name: false,
  share_email: false,
  share_phone: false,
  share_mobile: false,
  share_birthday: false,
  share_address: false,
  share_company: false,
  share_job_title: false,
  ntfy_enabled: false,
  ntfy_server_url: null,
  ntfy_topic: null,
  ntfy_has_token: false,
  ntfy_events: true,
  ntfy_reminders: true,
  ntfy_todos: true,
  ntfy_projects: true,
  ntfy_connections: true,
  ntfy_event_lead_minutes: 15,
  ntfy_todo_lead_days: 1,
  ntfy_project_lead_days: 2,
  notify_day_at: '09:00',
  quiet_from: null,
  quiet_to: null,
  created_at: '2026-03-04T10:30:00+01:00',
  updated_at: '2026-03-04T10:30:00+01:00',
}

describe('GET /api/settings', () => {
  test('answers every setting of the caller, and nobody else’s', async () => {
    const [ada, bob] = [await h.signedIn({ username: 'Ada' }), await h.signedIn({ username: 'Bob' })]
    const answered = await ada.request('GET', SETTINGS)
    expect([answered.status, answered.body]).toEqual([
      200,
      { user_id: ada.row.id, network_name: 'ada', ...DEFAULTS },
    ])
    expect((await bob.request('GET', SETTINGS)).body).toMatchObject({
      user_id: bob.row.id,
      network_name: 'bob',
    })
  })

  test('answers the fields that the document names, and no others', async () => {
    const ada = await h.signedIn()
    const { components } = await documentOf(h.app.fetch)
    const documented = Object.keys(components.schemas['Settings']?.properties ?? {})
    for (const { body } of [await ada.request('GET', SETTINGS), await change(ada, {})]) {
      expect(Object.keys(body).toSorted()).toEqual(documented.toSorted())
    }
  })

  test('is 500 with the documented text for a user without settings, and so is a change', async () => {
    const ada = await h.signedIn()
    await h.db.delete(settings).where(eq(settings.userId, ada.row.id))
    for (const answered of [await ada.request('GET', SETTINGS), await change(ada, { company: 'x' })]) {
      expect([answered.status, answered.body]).toEqual([500, { detail: 'Settings not found for user' }])
    }
    expect((await ada.request('GET', '/api/auth/status')).status).toBe(200)
  })
})

describe('PUT /api/settings', () => {
  const ALL = {
    preferred_name: 'Countess',
    first_name: 'Ada',
    last_name: 'Lovelace',
    email: 'ada@example.com',
    date_of_birth: '1915-12-10',
    network_name: 'lovelace',
    phone: '+44 1',
    mobile: '+44 2',
    address: 'St James’s Square\nLondon',
    company: 'Analytical Engines',
    job_title: 'Programmer',
    first_day_of_week: 1,
    time_zone: 'Europe/Kiev',
    weather_city: 'London',
    weather_lat: 51.5,
    weather_lon: -0.13,
    accept_connections: true,
    share_first_name: true,
    share_last_name: true,
    share_preferred_name: true,
    share_email: true,
    share_phone: true,
    share_mobile: true,
    share_birthday: true,
    share_address: true,
    share_company: true,
    share_job_title: true,
    ntfy_enabled: true,
    ntfy_server_url: 'https://ntfy.example',
    ntfy_topic: 'ada-9',
    ntfy_events: false,
    ntfy_reminders: false,
    ntfy_todos: false,
    ntfy_projects: false,
    ntfy_connections: false,
    ntfy_event_lead_minutes: 0,
    ntfy_todo_lead_days: 30,
    ntfy_project_lead_days: 0,
    notify_day_at: '23:59',
    quiet_from: '22:00',
    quiet_to: '07:30',
  }
  test('changes every field, and reads it back', async () => {
    const ada = await h.signedIn()
    h.clock.advance({ minutes: 1 })
    const changed = await change(ada, { ...ALL, ntfy_auth_token: 'tk_secret' })
    expect(changed.status).toBe(200)
    expect(changed.body).toMatchObject({ ...ALL, ntfy_has_token: true })
    expect(changed.body.updated_at > changed.body.created_at).toBe(true)
    expect((await ada.request('GET', SETTINGS)).body).toEqual(changed.body)
    const sunday = await change(ada, { first_day_of_week: 0 })
    expect(sunday.body).toEqual({ ...changed.body, first_day_of_week: 0 })
  })

  test('leaves what is not given, and clears what is null', async () => {
    const ada = await h.signedIn()
    const body = { ...ALL, email: 'other@example.com', network_name: 'other-ada' }
    const all = (await change(ada, body)).body
    const one = await change(ada, { company: 'x' })
    expect(one.body).toEqual({ ...all, company: 'x' })
    const nullable = Object.entries(DEFAULTS).flatMap(([name, value]) => (value === null ? [name] : []))
    const cleared = await change(ada, Object.fromEntries(nullable.map((name) => [name, null])))
    expect(cleared.body).toEqual({
      ...all,
      ...Object.fromEntries(nullable.map((name) => [name, null])),
    })
  })

  test('an empty change changes nothing, and unknown fields are ignored', async () => {
    const ada = await h.signedIn()
    const before = (await ada.request('GET', SETTINGS)).body
    for (const body of [
      {},
      { user_id: null },
      { user_id: 1, role: 'admin', ntfy_has_token: true, passwordHash: 'x' },
    ]) {
      expect((await change(ada, body)).body).toEqual(before)
    }
    expect((await h.db.select().from(users).where(eq(users.id, ada.row.id)))[0]).toMatchObject({
      role: 'standard',
    })
  })

  test('never shows the push token, keeps it encrypted, and null clears it', async () => {
    const ada = await h.signedIn()
    const set = await change(ada, { ntfy_auth_token: 'tk_Zanzibar' })
    const read = await ada.request('GET', SETTINGS)
    for (const { body } of [set, read]) {
      expect(body).toMatchObject({ ntfy_has_token: true })
      expect(body).not.toHaveProperty('ntfy_auth_token')
    }
    const stored = (await rowOf(ada.row.id))?.ntfyAuthToken ?? ''
    expect(JSON.stringify([set.body, read.body, stored, h.log.entries])).not.toContain('Zanzibar')
    expect(await h.deps.cipher.decrypt(stored, `ntfy_auth_token:${ada.row.id}`)).toBe('tk_Zanzibar')
    await expect(h.deps.cipher.decrypt(stored, `ntfy_auth_token:${ada.row.id + 1}`)).rejects.toThrow()
    await change(ada, { company: 'x', ntfy_has_token: false })
    expect((await rowOf(ada.row.id))?.ntfyAuthToken).toBe(stored)
    expect((await change(ada, { ntfy_auth_token: null })).body.ntfy_has_token).toBe(false)
  })

  test.each([
    {
      field: 'email',
      mine: 'ada@taken.example',
      theirs: 'ADA@Taken.example',
      detail: 'That email is not available',
    },
    {
      field: 'network_name',
      mine: 'taken-name',
      theirs: 'Taken-Name',
      detail: 'That network name is not available',
    },
  ])(
    'refuses a $field that somebody else has, and changes nothing',
    async ({ field, mine, theirs, detail }) => {
      const [ada, bob] = [await h.signedIn(), await h.signedIn()]
      expect((await change(ada, { [field]: mine })).status).toBe(200)
      const refused = await change(bob, { [field]: theirs, company: 'lost?' })
      expect([refused.status, refused.body]).toEqual([409, { detail }])
      expect((await bob.request('GET', SETTINGS)).body).toMatchObject({ company: null })
      expect((await change(ada, { [field]: mine })).status).toBe(200)
    },
  )

  test('stores a network name in lower case', async () => {
    const ada = await h.signedIn()
    const changed = await change(ada, { network_name: 'Mixed.Case' })
    expect(changed.body).toMatchObject({ network_name: 'mixed.case' })
  })

  test('takes today for the day that it is where the user is', async () => {
    const ada = await h.signedIn()
    // 09:30 in UTC on the 4th: already the 5th in Kiritimati.
    const born = { date_of_birth: '2026-03-05' }
    expect((await change(ada, born)).status).toBe(422)
    const moved = await change(ada, { ...born, time_zone: 'Pacific/Kiritimati' })
    expect(moved.status).toBe(422)
    h.clock.advance({ hours: 1 })
    expect((await change(ada, { ...born, time_zone: 'Pacific/Kiritimati' })).status).toBe(200)
    expect((await change(ada, born)).status).toBe(200)
    expect((await change(ada, { ...born, time_zone: null })).status).toBe(422)
  })

  test('Each of 20 changes at once is made as a whole', async () => {
    const ada = await h.signedIn()
    const answers = await raceOf(20, (i) =>
      ada.request('PUT', SETTINGS, { body: { weather_lat: i, weather_lon: i, company: `c${i}` } }),
    )
    expect(answers.map(({ status }) => status)).toEqual(Array(20).fill(200))
    const { weather_lat, weather_lon, company } = (await ada.request('GET', SETTINGS)).body
    expect([weather_lon, company]).toEqual([weather_lat, `c${weather_lat}`])
  })
})
