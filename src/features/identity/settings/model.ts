import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import {
  day,
  email,
  line,
  lines,
  optionalNullable,
  timeOfDay,
  timeZone,
  verbatim,
} from '../../../lib/wire/schema'
import { handle } from '../accounts/model'
import { shareFields } from '../../people/sharing/model'

const text = (max = 200) => optionalNullable(line({ max }))
const toggle = () => Type.Optional(Type.Boolean())
const integer = (minimum: number, maximum: number) => Type.Optional(Type.Integer({ minimum, maximum }))
const degrees = (limit: number) => optionalNullable(Type.Number({ minimum: -limit, maximum: limit }))

const nullable = <T extends Parameters<typeof t.Nullable>[0]>(schema: T) => t.Nullable(schema)
const maybeText = () => nullable(t.String())

export const SettingsView = t.Object(
  {
    user_id: Type.Integer(),
    preferred_name: maybeText(),
    first_name: maybeText(),
    last_name: maybeText(),
    email: maybeText(),
    date_of_birth: nullable(t.String({ format: 'date' })),
    network_name: t.String({ description: 'The public handle.' }),
    phone: maybeText(),
    mobile: maybeText(),
    address: maybeText(),
    company: maybeText(),
    job_title: maybeText(),
    first_day_of_week: Type.Integer({ description: '0 = Sunday, 1 = Monday.' }),
    time_zone: nullable(t.String({ description: "IANA name; null for the server's time zone." })),
    weather_city: maybeText(),
    weather_lat: nullable(Type.Number()),
    weather_lon: nullable(Type.Number()),
    accept_connections: t.Boolean(),
    ...shareFields(() => t.Boolean()),
    ntfy_enabled: t.Boolean(),
    ntfy_server_url: maybeText(),
    ntfy_topic: maybeText(),
    ntfy_has_token: t.Boolean({ description: 'Whether a token is stored; the token itself is never shown.' }),
    ntfy_events: t.Boolean(),
    ntfy_reminders: t.Boolean(),
    ntfy_todos: t.Boolean(),
    ntfy_projects: t.Boolean(),
    ntfy_connections: t.Boolean(),
    ntfy_event_lead_minutes: Type.Integer(),
    ntfy_todo_lead_days: Type.Integer(),
    ntfy_project_lead_days: Type.Integer(),
    notify_day_at: t.String({ description: 'When messages about whole days are sent, as `HH:MM`.' }),
    quiet_from: maybeText(),
    quiet_to: maybeText(),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'Settings' },
)
export type SettingsView = typeof SettingsView.static

export const SettingsChanges = t.Object({
  preferred_name: text(),
  first_name: text(),
  last_name: text(),
  email: optionalNullable(email()),
  date_of_birth: optionalNullable(day()),
  network_name: Type.Optional(handle('The public handle.')),
  phone: text(),
  mobile: text(),
  address: optionalNullable(lines({ max: 500 })),
  company: text(),
  job_title: text(),
  first_day_of_week: integer(0, 1),
  time_zone: optionalNullable(timeZone()),
  weather_city: text(),
  weather_lat: degrees(90),
  weather_lon: degrees(180),
  accept_connections: toggle(),
  ...shareFields(toggle),
  ntfy_enabled: toggle(),
  ntfy_server_url: optionalNullable(
    line({
      max: 200,
      description: 'The ntfy server without a path; the topic is a separate field.',
    }),
  ),
  ntfy_topic: optionalNullable(
    verbatim({
      max: 64,
      pattern: '^[\\-_A-Za-z0-9]{1,64}$',
      problem: 'must be letters, digits, underscores and hyphens',
      examples: ['my-topic'],
    }),
  ),
  ntfy_auth_token: optionalNullable(
    verbatim({
      max: 200,
      pattern: '^[\\x21-\\x7e]+$',
      problem: 'must be visible ASCII characters',
      description: 'Write-only; null clears it.',
      examples: ['tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'],
    }),
  ),
  ntfy_events: toggle(),
  ntfy_reminders: toggle(),
  ntfy_todos: toggle(),
  ntfy_projects: toggle(),
  ntfy_connections: toggle(),
  ntfy_event_lead_minutes: integer(0, 10_080),
  ntfy_todo_lead_days: integer(0, 30),
  ntfy_project_lead_days: integer(0, 30),
  notify_day_at: Type.Optional(timeOfDay()),
  quiet_from: optionalNullable(timeOfDay()),
  quiet_to: optionalNullable(timeOfDay()),
})
export type SettingsChanges = typeof SettingsChanges.static
