import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { settings } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const change = (actor: Actor, body: object) => actor.request('PUT', '/api/settings', { body })
const rowOf = async (userId: number) =>
  (await h.db.select().from(settings).where(eq(settings.userId, userId)))[0]

test.each([
  { body: { first_day_of_week: 2 }, detail: 'first_day_of_week: must be at most 1' },
  { body: { first_day_of_week: null }, detail: 'first_day_of_week: must be a whole number' },
  { body: { first_day_of_week: '1' }, detail: 'first_day_of_week: must be a whole number' },
  { body: { time_zone: 'Mars/Base' }, detail: 'time_zone: must be an IANA time zone' },
  ...['+02:00', '12:30+01:00', '20200101T00Z', '1201[Europe/Berlin]', ' '].map((time_zone) => ({
    body: { time_zone },
    detail: 'time_zone: must be an IANA time zone',
  })),
  { body: { weather_lat: 1 }, detail: 'weather_lon: must be given together with weather_lat' },
  {
    body: { weather_lat: null, weather_lon: 1 },
    detail: 'weather_lat: must be given together with weather_lon',
  },
  { body: { weather_lat: 90.1, weather_lon: 0 }, detail: 'weather_lat: must be at most 90' },
  { body: { weather_lat: 0, weather_lon: -180.1 }, detail: 'weather_lon: must be at least -180' },
  { body: { quiet_from: '22:00' }, detail: 'quiet_to: must be given together with quiet_from' },
  {
    body: { quiet_from: '24:00', quiet_to: '07:00' },
    detail: 'quiet_from: must be a time of day as HH:MM',
  },
  { body: { notify_day_at: null }, detail: 'notify_day_at: must be a string' },
  { body: { notify_day_at: '9:00' }, detail: 'notify_day_at: must be a time of day as HH:MM' },
  { body: { email: 'x' }, detail: 'email: must be an email address' },
  { body: { date_of_birth: '2026-03-05' }, detail: 'date_of_birth: must not be in the future' },
  { body: { network_name: null }, detail: 'network_name: must be a string' },
  { body: { network_name: 'a' }, detail: 'network_name: must be at least 3 characters' },
  { body: { company: 'x'.repeat(201) }, detail: 'company: must be at most 200 characters' },
  { body: { address: 'x'.repeat(501) }, detail: 'address: must be at most 500 characters' },
  { body: { company: ' ' }, detail: 'company: must not be empty' },
  { body: { company: 'a\0' }, detail: 'company: must not contain U+0000 or lone surrogates' },
  { body: { accept_connections: null }, detail: 'accept_connections: must be true or false' },
  { body: { ntfy_event_lead_minutes: 10_081 }, detail: 'ntfy_event_lead_minutes: must be at most 10080' },
  { body: { ntfy_todo_lead_days: 1.5 }, detail: 'ntfy_todo_lead_days: must be a whole number' },
  { body: { ntfy_project_lead_days: 31 }, detail: 'ntfy_project_lead_days: must be at most 30' },
  { body: { ntfy_topic: 'a b' }, detail: 'ntfy_topic: must be letters, digits, underscores and hyphens' },
  { body: { ntfy_topic: 'x'.repeat(65) }, detail: 'ntfy_topic: must be at most 64 characters' },
  { body: { ntfy_server_url: 'ftp://x' }, detail: 'ntfy_server_url: must be an http or https URL' },
  {
    body: { ntfy_server_url: 'http:/\t/x.example' },
    detail: 'ntfy_server_url: must be an http or https URL',
  },
  {
    body: { ntfy_server_url: 'http://u:p@x.example' },
    detail: 'ntfy_server_url: must not hold a user name or password',
  },
  { body: { ntfy_auth_token: 'a\r\nb' }, detail: 'ntfy_auth_token: must be visible ASCII characters' },
  { body: { ntfy_server_url: 'ntfy.sh' }, detail: 'ntfy_server_url: must be an http or https URL' },
])('A change of settings is refused, and changes nothing: $detail', async ({ body, detail }) => {
  const ada = await h.signedIn()
  const before = await rowOf(ada.row.id)
  const refused = await change(ada, body)
  expect([refused.status, refused.body.detail]).toEqual([422, detail])
  expect(await rowOf(ada.row.id)).toEqual(before)
})

test('The poles and the date line are places', async () => {
  const ada = await h.signedIn()
  for (const [weather_lat, weather_lon] of [
    [-90, 180],
    [90, -180],
  ]) {
    const { body } = await change(ada, { weather_lat, weather_lon })
    expect(body).toMatchObject({ weather_lat, weather_lon })
  }
})

test('A pair of settings is judged by what is stored beside what is given', async () => {
  const ada = await h.signedIn()
  await change(ada, { weather_lat: 1, weather_lon: 2, quiet_from: '22:00', quiet_to: '06:00' })
  const moved = await change(ada, { weather_lat: 3, quiet_to: '07:00' })
  expect(moved.body).toMatchObject({
    weather_lat: 3,
    weather_lon: 2,
    quiet_from: '22:00',
    quiet_to: '07:00',
  })
  const halved = await change(ada, { weather_lat: null })
  expect(halved.status).toBe(422)
})
