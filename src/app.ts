import { cors } from '@elysiajs/cors'
import { Elysia } from 'elysia'
import type { Deps } from './deps'
import { accountRoutes } from './features/identity/accounts/routes'
import { activeSessionRoutes } from './features/identity/active-sessions/routes'
import { adminDashboardRoutes } from './features/administration/dashboard/routes'
import { auditRoutes } from './features/administration/audit/routes'
import { batchRoutes } from './features/overview/batch/routes'
import { addressBookRoutes } from './features/people/address-books/routes'
import { birthdayRoutes } from './features/people/birthdays/routes'
import { calendarEventRoutes } from './features/calendars/events/routes'
import { calendarExportRoutes } from './features/calendars/export/routes'
import { calendarFeedRoutes } from './features/calendars/feeds/routes'
import { calendarImportRoutes } from './features/calendars/import/routes'
import { calendarInviteRoutes } from './features/calendars/invites/routes'
import { calendarMemberRoutes } from './features/calendars/members/routes'
import { calendarRoutes } from './features/calendars/calendars/routes'
import { changesRoutes } from './features/overview/changes/routes'
import { commentRoutes } from './features/tasks/comments/routes'
import { blockRoutes } from './features/people/blocks/routes'
import { connectionRequestRoutes } from './features/people/requests/routes'
import { connectionRoutes } from './features/people/connections/routes'
import { dashboardRoutes } from './features/overview/dashboard/routes'
import { disconnectionRoutes } from './features/people/disconnection/routes'
import { freeTimeRoutes } from './features/events/free-times/routes'
import { eventInvitationRoutes } from './features/events/invitations/routes'
import { eventSeriesRoutes } from './features/events/series/routes'
import { eventTemplateRoutes } from './features/events/templates/routes'
import { eventWindowRoutes } from './features/events/windows/routes'
import { eventRoutes } from './features/events/events/routes'
import { exportRoutes } from './features/overview/export/routes'
import { liveRoutes } from './features/overview/live/routes'
import { operationRoutes } from './features/overview/operations/routes'
import { identityRoutes } from './features/identity/identities/routes'
import { mfaSignInRoutes } from './features/identity/mfa-sign-in/routes'
import { notificationRoutes } from './features/notifications/notifications/routes'
import { oidcRoutes } from './features/identity/oidc/routes'
import { passkeySignInRoutes } from './features/identity/passkey-sign-in/routes'
import { passkeyRoutes } from './features/identity/passkeys/routes'
import { passwordlessRoutes } from './features/identity/passwordless/routes'
import { peopleVcardRoutes } from './features/people/vcards/routes'
import { peopleRoutes } from './features/people/people/routes'
import { projectRoutes } from './features/tasks/projects/routes'
import { pushDeliveryRoutes } from './features/notifications/push-deliveries/routes'
import { pushRoutes } from './features/notifications/push/routes'
import { reminderRoutes } from './features/tasks/reminders/routes'
import { searchRoutes } from './features/overview/search/routes'
import { sessionRoutes } from './features/identity/sessions/routes'
import { settingsRoutes } from './features/identity/settings/routes'
import { signInRoutes } from './features/identity/sign-in/routes'
import { systemConfigRoutes } from './features/administration/config/routes'
import { taskRoutes } from './features/tasks/tasks/routes'
import { todoListRoutes } from './features/tasks/todo-lists/routes'
import { todoRoutes } from './features/tasks/todos/routes'
import { tokenRoutes } from './features/identity/tokens/routes'
import { totpRoutes } from './features/identity/totp/routes'
import { trashRoutes } from './features/overview/trash/routes'
import { userAdministrationRoutes } from './features/administration/users/routes'
import { userDirectoryRoutes } from './features/administration/directory/routes'
import { weatherRoutes } from './features/overview/weather/routes'
import { createDavFront } from './dav/front'
import { createAssistantFront } from './mcp/front'
import { createAdmission } from './http/admission'
import { Bearers } from './http/bearers'
import { createDispatch, type Dispatch } from './http/dispatch'
import { EndedSessions } from './http/ended-sessions'
import { emptyAnswers } from './http/empty-answers'
import { errorHandling } from './http/errors'
import { Lines } from './http/lines'
import { longAnswers } from './http/long-answers'
import { apiDocumentation } from './http/openapi'
import { health } from './http/health'
import { createTurnstiles, type Queues } from './http/queues'
import { retries } from './http/retries'
import { RateLimit } from './http/rate-limit'
import { withLifecycle } from './http/request-lifecycle'
import { createRouteTable } from './http/route-table'
import { type SessionGuard, sessionGuard } from './http/session-guard'
import { createWebClient } from './http/web-client'

/**
 * Builds the whole HTTP API. Its `fetch` uses only Web standards and runs on any runtime that has `fetch`; `routes` is
 * for the tests and the typed client.
 */
export function createApp(deps: Deps) {
  const nowMs = () => deps.clock.monotonic()
  const limits = {
    authRateLimit: new RateLimit(nowMs),
    bearers: new Bearers(deps, new RateLimit(nowMs, WRONG_TOKENS)),
    lines: new Lines(nowMs),
    ended: new EndedSessions(deps),
    turnstiles: createTurnstiles(nowMs, Math.max(16, deps.config.database.pool)),
  }
  const listed = new Set(deps.config.http.corsOrigins)
  const routes = createRoutes(deps, limits, new Elysia())
  // The plugin would answer every preflight and send credential headers to every origin, so only listed origins reach it.
  const shared = listed.size === 0 ? routes : createRoutes(deps, limits, sharing([...listed]))
  const routesFor = (request: Request) => (listed.has(request.headers.get('origin') ?? '') ? shared : routes)
  const webClient = createWebClient(deps)
  const dav = createDavFront(deps, limits)
  const assistants = createAssistantFront(deps, limits)
  const handle = (request: Request) =>
    dav(request) ?? assistants(request) ?? webClient(request) ?? routesFor(request).fetch(request)
  return { routes, fetch: withLifecycle(deps, handle) }
}

/** How many wrong access tokens one address may send in a row. */
const WRONG_TOKENS = 20

/** Limits and state that all requests to this instance share. */
interface Limits extends Queues {
  readonly authRateLimit: RateLimit
  readonly ended: EndedSessions
  readonly bearers: Bearers
}

function createRoutes(deps: Deps, limits: Limits, crossOrigin: Elysia) {
  const table = createRouteTable(() => routes.routes)
  const admission = createAdmission({ deps, routes: table, ...limits })
  const guard = sessionGuard(deps, admission)
  const dispatch = createDispatch(deps, (request) => routes.fetch(request))
  const routes = new Elysia({ name: 'organiser', handler: { standardHostname: false } })
    .use(retries({ deps, admission, dispatch }))
    .use(errorHandling(deps, table))
    .use(emptyAnswers())
    .use(longAnswers(deps))
    .use(crossOrigin)
    .use(apiDocumentation(deps, guard, table))
    .use(health(deps, guard))
    .use(authentication(deps, guard, limits.ended))
    .use(ownSettings(deps, guard))
    .use(calendar(deps, guard))
    .use(tasks(deps, guard))
    .use(projects(deps, guard))
    .use(network(deps, guard))
    .use(overview(deps, guard, dispatch))
    .use(administration(deps, guard))
  return routes
}

// In groups, because TypeScript cannot infer the type of one long chain.

const authentication = (deps: Deps, guard: SessionGuard, ended: EndedSessions) =>
  new Elysia({ name: 'authentication' })
    .use(accountRoutes(deps, guard))
    .use(signInRoutes(deps, guard))
    .use(mfaSignInRoutes(deps, guard))
    .use(totpRoutes(deps, guard))
    .use(sessionRoutes(deps, guard, ended))
    .use(activeSessionRoutes(deps, guard))
    .use(passkeyRoutes(deps, guard))
    .use(passkeySignInRoutes(deps, guard))
    .use(passwordlessRoutes(deps, guard))
    .use(tokenRoutes(deps, guard))
    .use(oidcRoutes(deps, guard))
    .use(identityRoutes(deps, guard))

const ownSettings = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'own-settings' })
    .use(settingsRoutes(deps, guard))
    .use(pushRoutes(deps, guard))
    .use(pushDeliveryRoutes(deps, guard))
    .use(weatherRoutes(deps, guard))

const calendar = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'calendar' })
    .use(calendarRoutes(deps, guard))
    .use(calendarEventRoutes(deps, guard))
    .use(calendarMemberRoutes(deps, guard))
    .use(calendarInviteRoutes(deps, guard))
    .use(calendarImportRoutes(deps, guard))
    .use(calendarExportRoutes(deps, guard))
    .use(calendarFeedRoutes(deps, guard))
    .use(eventRoutes(deps, guard))
    .use(eventSeriesRoutes(deps, guard))
    .use(eventWindowRoutes(deps, guard))
    .use(freeTimeRoutes(deps, guard))
    .use(eventInvitationRoutes(deps, guard))
    .use(eventTemplateRoutes(deps, guard))

const tasks = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'tasks' })
    .use(todoListRoutes(deps, guard))
    .use(todoRoutes(deps, guard))
    .use(reminderRoutes(deps, guard))
    .use(searchRoutes(deps, guard))

const projects = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'projects' })
    .use(projectRoutes(deps, guard))
    .use(taskRoutes(deps, guard))
    .use(commentRoutes(deps, guard))

const network = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'network' })
    .use(peopleRoutes(deps, guard))
    .use(addressBookRoutes(deps, guard))
    .use(birthdayRoutes(deps, guard))
    .use(peopleVcardRoutes(deps, guard))
    .use(connectionRequestRoutes(deps, guard))
    .use(blockRoutes(deps, guard))
    .use(connectionRoutes(deps, guard))
    .use(disconnectionRoutes(deps, guard))
    .use(notificationRoutes(deps, guard))

const overview = (deps: Deps, guard: SessionGuard, dispatch: Dispatch) =>
  new Elysia({ name: 'overview' })
    .use(batchRoutes(deps, guard, dispatch))
    .use(dashboardRoutes(deps, guard))
    .use(exportRoutes(deps, guard))
    .use(changesRoutes(deps, guard))
    .use(liveRoutes(deps, guard))
    .use(operationRoutes(deps, guard))
    .use(trashRoutes(deps, guard))

const administration = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'administration' })
    .use(userDirectoryRoutes(deps, guard))
    .use(userAdministrationRoutes(deps, guard))
    .use(adminDashboardRoutes(deps, guard))
    .use(systemConfigRoutes(deps, guard))
    .use(auditRoutes(deps, guard))

/** CORS rules for pages of listed origins. */
const sharing = (origins: string[]) =>
  new Elysia().use(
    cors({
      origin: origins,
      credentials: true,
      maxAge: 600,
      methods: ['GET', 'POST', 'PUT', 'DELETE'],
      allowedHeaders: [
        'Content-Type',
        'If-Match',
        'X-Requested-With',
        'Authorization',
        'Idempotency-Key',
        'Last-Event-ID',
      ],
      exposeHeaders: [
        'ETag',
        'Retry-After',
        'X-Request-Id',
        'X-Operation-Id',
        'Idempotency-Replayed',
        'WWW-Authenticate',
      ],
    }),
  )
