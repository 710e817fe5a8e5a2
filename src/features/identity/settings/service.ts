import type { Tx } from '../../../db/client'
import { decideInTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { violatedUnique } from '../../../lib/database-failure'
import { type AppError, invalid, invalidField, OvertakenError } from '../../../lib/errors'
import { dayIn, formatInstant } from '../../../lib/time/time'
import { refusalOfFutureBirth } from '../accounts/rules'
import { refusalOfIdentity } from '../identity-changes/service'
import { emailChanged, pushTargetChanged, type SecurityNotice } from '../../../access/notices/rules.security'
import { notifyOfLast } from '../../../access/notices/service'
import { type Caller, lockUserOf, type Owner, type SessionKey } from '../../../access/sessions/service'
import { toToggleColumns, toToggleFields } from '../../people/sharing/rules'
import { settingsMissing } from '../../../access/reader/rules'
import type { SettingsChanges, SettingsView } from './model'
import * as q from './queries'
import { pairProblems, pushTokenOwner, serverUrlProblem } from './rules'

interface NewSettings {
  readonly userId: number
  readonly preferredName: string | null
  readonly now: Date
}

/** Creates the user's settings; every user has them from the start (contract: settings.row). */
export const createSettings = (tx: Tx, { userId, preferredName, now }: NewSettings): Promise<void> =>
  q.insert(tx, { userId, preferredName, createdAt: now, updatedAt: now })

/** @throws {AppError} 500 `Settings not found for user` (contract: sessions.checks). */
export function readSettings({ config }: Pick<Deps, 'config'>, owner: Owner | undefined): SettingsView {
  if (!owner?.settings) throw settingsMissing()
  return toView(config.timeZone, owner.settings, owner.profile)
}

/** Returns the user's settings and profile as they are now, whatever the session was loaded with. @throws {AppError} 500. */
export async function readOwner({ db }: Pick<Deps, 'db'>, userId: number): Promise<Owner> {
  const found = await q.find(db, userId)
  if (!found) throw settingsMissing()
  return found
}

interface Changer {
  readonly session: SessionKey
  readonly caller: Caller
}

/**
 * Changes the given fields (contract: settings.rules), and notifies the user of a new e-mail address or push target.
 * @throws {AppError} 422, 409 when another user has the e-mail or network name, 429 after ten such refusals within an
 * hour, and 401 when the session has ended.
 */
export async function changeSettings(
  deps: Deps,
  changer: Changer,
  changes: SettingsChanges,
): Promise<SettingsView> {
  refuseServerUrl(deps, changes.ntfy_server_url)
  const token = changes.ntfy_auth_token
  const sealed =
    token == null ? token : await deps.cipher.encrypt(token, pushTokenOwner(changer.session.userId))
  return decideInTransaction(deps.db, (tx) =>
    write(tx, deps, changer, { ...changes, ntfy_auth_token: sealed }),
  )
}

/** @throws {AppError} 422. */
function refuseServerUrl({ config, ipRanges }: Deps, url: string | null | undefined): void {
  if (url == null) return
  const allowsIp = (ip: string) => config.ntfyAllowPrivate || ipRanges.isGlobal(ip)
  const problem = serverUrlProblem(url, allowsIp)
  if (problem !== undefined) throw invalidField('ntfy_server_url', problem)
}

/** A change with an encrypted push token; undefined leaves the token, null clears it. */
type Sealed = Omit<SettingsChanges, 'ntfy_auth_token'> & {
  readonly ntfy_auth_token: string | null | undefined
}

async function write(
  tx: Tx,
  { clock, config }: Deps,
  { session, caller }: Changer,
  changes: Sealed,
): Promise<SettingsView | AppError> {
  const { userId } = session
  const now = clock.now()
  const user = await lockUserOf(tx, session, now)
  const stored = await q.lock(tx, userId)
  if (!stored) throw settingsMissing()
  const columns = toColumns(changes)
  refuseUnfit(stored, changes, (zone) => dayIn(zone ?? config.timeZone, now))
  const networkName = changes.network_name?.toLowerCase()
  const refusal = await refusalOfIdentity(tx, user, { email: changes.email, networkName }, { ...caller, now })
  if (refusal) return refusal
  const settings = await q.update(tx, userId, { ...columns, updatedAt: now })
  const profile = await q
    .updateProfile(tx, userId, {
      email: changes.email,
      dateOfBirth: changes.date_of_birth,
      networkName,
      updatedAt: now,
    })
    .catch(throwOvertaken)
  const tell = (notice: SecurityNotice) => notifyOfLast(tx, { userId, at: now, ...notice })
  if (profile.email !== user.email) await tell(emailChanged(caller))
  if (isOtherTarget(stored, settings)) await tell(pushTargetChanged(caller))
  return toView(config.timeZone, settings, profile)
}

/** Whether messages go elsewhere now. The same token counts as another one, as each is encrypted differently. */
const isOtherTarget = (before: q.SettingsRow, after: q.SettingsRow): boolean =>
  before.ntfyServerUrl !== after.ntfyServerUrl ||
  before.ntfyTopic !== after.ntfyTopic ||
  before.ntfyAuthToken !== after.ntfyAuthToken

/** Another user took the e-mail or network name a moment ago: run again, and the check sees it. */
function throwOvertaken(error: unknown): never {
  throw violatedUnique(error) === undefined ? error : new OvertakenError()
}

/** Makes the checks that depend on stored values. `todayIn(null)` uses the server's zone. @throws {AppError} 422. */
function refuseUnfit(stored: q.SettingsRow, changes: Sealed, todayIn: (zone: string | null) => string): void {
  const today = todayIn(afterwards(changes.time_zone, stored.timeZone))
  const unborn = refusalOfFutureBirth(changes.date_of_birth, today)
  if (unborn) throw unborn
  const problems = pairProblems({
    weatherLat: afterwards(changes.weather_lat, stored.weatherLat),
    weatherLon: afterwards(changes.weather_lon, stored.weatherLon),
    quietFrom: afterwards(changes.quiet_from, stored.quietFrom),
    quietTo: afterwards(changes.quiet_to, stored.quietTo),
  })
  if (problems.length > 0) throw invalid(problems)
}

/** The value of a field after the change; undefined leaves it. */
const afterwards = <T>(given: T | undefined, stored: T): T => (given === undefined ? stored : given)

/** Undefined leaves a column unchanged. */
const toColumns = (changes: Sealed) => ({
  preferredName: changes.preferred_name,
  firstName: changes.first_name,
  lastName: changes.last_name,
  phone: changes.phone,
  mobile: changes.mobile,
  address: changes.address,
  company: changes.company,
  jobTitle: changes.job_title,
  firstDayOfWeek: changes.first_day_of_week,
  timeZone: changes.time_zone,
  weatherCity: changes.weather_city,
  weatherLat: changes.weather_lat,
  weatherLon: changes.weather_lon,
  acceptConnections: changes.accept_connections,
  ...toToggleColumns(changes),
  ntfyEnabled: changes.ntfy_enabled,
  ntfyServerUrl: changes.ntfy_server_url,
  ntfyTopic: changes.ntfy_topic,
  ntfyAuthToken: changes.ntfy_auth_token,
  ntfyEvents: changes.ntfy_events,
  ntfyReminders: changes.ntfy_reminders,
  ntfyTodos: changes.ntfy_todos,
  ntfyProjects: changes.ntfy_projects,
  ntfyConnections: changes.ntfy_connections,
  ntfyEventLeadMinutes: changes.ntfy_event_lead_minutes,
  ntfyTodoLeadDays: changes.ntfy_todo_lead_days,
  ntfyProjectLeadDays: changes.ntfy_project_lead_days,
  notifyDayAt: changes.notify_day_at,
  quietFrom: changes.quiet_from,
  quietTo: changes.quiet_to,
})

/** The database returns `HH:MM:SS`. */
const toTimeOfDay = (time: string) => time.slice(0, 5)

const toView = (zone: string, row: q.SettingsRow, profile: q.ProfileRow): SettingsView => ({
  user_id: row.userId,
  preferred_name: row.preferredName,
  first_name: row.firstName,
  last_name: row.lastName,
  email: profile.email,
  date_of_birth: profile.dateOfBirth,
  network_name: profile.networkName,
  phone: row.phone,
  mobile: row.mobile,
  address: row.address,
  company: row.company,
  job_title: row.jobTitle,
  first_day_of_week: row.firstDayOfWeek,
  time_zone: row.timeZone,
  weather_city: row.weatherCity,
  weather_lat: row.weatherLat,
  weather_lon: row.weatherLon,
  accept_connections: row.acceptConnections,
  ...toToggleFields(row),
  ntfy_enabled: row.ntfyEnabled,
  ntfy_server_url: row.ntfyServerUrl,
  ntfy_topic: row.ntfyTopic,
  ntfy_has_token: row.ntfyAuthToken !== null,
  ntfy_events: row.ntfyEvents,
  ntfy_reminders: row.ntfyReminders,
  ntfy_todos: row.ntfyTodos,
  ntfy_projects: row.ntfyProjects,
  ntfy_connections: row.ntfyConnections,
  ntfy_event_lead_minutes: row.ntfyEventLeadMinutes,
  ntfy_todo_lead_days: row.ntfyTodoLeadDays,
  ntfy_project_lead_days: row.ntfyProjectLeadDays,
  notify_day_at: toTimeOfDay(row.notifyDayAt),
  quiet_from: row.quietFrom && toTimeOfDay(row.quietFrom),
  quiet_to: row.quietTo && toTimeOfDay(row.quietTo),
  created_at: formatInstant(zone, row.createdAt),
  updated_at: formatInstant(zone, row.updatedAt),
})
