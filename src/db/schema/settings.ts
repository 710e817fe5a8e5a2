import { sql } from 'drizzle-orm'
import { boolean, check, doublePrecision, integer, pgTable, text, time } from 'drizzle-orm/pg-core'
import { timestamps } from './columns'
import { users } from './users'

const toggle = (on: boolean) => boolean().notNull().default(on)

/** Settings (contract: settings.row): one row per user, inserted together with the user. */
export const settings = pgTable(
  'settings',
  {
    userId: integer()
      .primaryKey()
      .references(() => users.id, { onDelete: 'cascade' }),
    preferredName: text(),
    firstName: text(),
    lastName: text(),
    phone: text(),
    mobile: text(),
    address: text(),
    company: text(),
    jobTitle: text(),
    /** 0 = Sunday, 1 = Monday. */
    firstDayOfWeek: integer().notNull().default(0),
    /** IANA name; null means the server's time zone. */
    timeZone: text(),
    weatherCity: text(),
    weatherLat: doublePrecision(),
    weatherLon: doublePrecision(),
    acceptConnections: toggle(false),
    shareFirstName: toggle(false),
    shareLastName: toggle(false),
    sharePreferredName: toggle(false),
    shareEmail: toggle(false),
    sharePhone: toggle(false),
    shareMobile: toggle(false),
    shareBirthday: toggle(false),
    shareAddress: toggle(false),
    shareCompany: toggle(false),
    shareJobTitle: toggle(false),
    ntfyEnabled: toggle(false),
    ntfyServerUrl: text(),
    ntfyTopic: text(),
    /** Encrypted; never returned. */
    ntfyAuthToken: text(),
    ntfyEvents: toggle(true),
    ntfyReminders: toggle(true),
    ntfyTodos: toggle(true),
    ntfyProjects: toggle(true),
    ntfyConnections: toggle(true),
    ntfyEventLeadMinutes: integer().notNull().default(15),
    ntfyTodoLeadDays: integer().notNull().default(1),
    ntfyProjectLeadDays: integer().notNull().default(2),
    notifyDayAt: time({ precision: 0 }).notNull().default('09:00'),
    quietFrom: time({ precision: 0 }),
    quietTo: time({ precision: 0 }),
    ...timestamps(),
  },
  (t) => [
    check('settings_first_day_of_week_check', sql`${t.firstDayOfWeek} in (0, 1)`),
    check('settings_weather_lat_check', sql`${t.weatherLat} between -90 and 90`),
    check('settings_weather_lon_check', sql`${t.weatherLon} between -180 and 180`),
    check('settings_weather_pair_check', sql`(${t.weatherLat} is null) = (${t.weatherLon} is null)`),
    check('settings_quiet_pair_check', sql`(${t.quietFrom} is null) = (${t.quietTo} is null)`),
    check('settings_ntfy_event_lead_minutes_check', sql`${t.ntfyEventLeadMinutes} between 0 and 10080`),
    check('settings_ntfy_todo_lead_days_check', sql`${t.ntfyTodoLeadDays} between 0 and 30`),
    check('settings_ntfy_project_lead_days_check', sql`${t.ntfyProjectLeadDays} between 0 and 30`),
  ],
)
