import { cors } from '@elysiajs/cors'
import { Elysia } from 'elysia'
import type { Deps } from './deps'
import { accountRoutes } from './features/accounts/routes'
import { auditRoutes } from './features/audit/routes'
import { sessionRoutes } from './features/sessions/routes'
import { settingsRoutes } from './features/settings/routes'
import { signInRoutes } from './features/sign-in/routes'
import { systemConfigRoutes } from './features/system-config/routes'
import { createAdmission } from './http/admission'
import { errorHandling } from './http/errors'
import { apiDocumentation } from './http/openapi'
import { operations } from './http/operations'
import { RateLimit } from './http/rate-limit'
import { withLifecycle } from './http/request-lifecycle'
import { createRouteTable } from './http/route-table'
import { sessionGuard } from './http/session-guard'

/**
 * The whole HTTP surface. Its `fetch` is Web-standard only and runs anywhere `fetch` does; `routes` is what the tests and
 * the typed client look at.
 */
export function createApp(deps: Deps) {
  const table = createRouteTable(() => routes.routes)
  const authRateLimit = new RateLimit(() => deps.clock.monotonic())
  const guard = sessionGuard(deps, createAdmission({ deps, routes: table, authRateLimit }))
  const routes = new Elysia({ name: 'organiser', aot: true, handler: { standardHostname: false } })
    .use(errorHandling(deps, table))
    .use(crossOriginSharing(deps))
    .use(apiDocumentation(deps, guard, table))
    .use(operations(deps, guard))
    .use(accountRoutes(deps, guard))
    .use(signInRoutes(deps, guard))
    .use(sessionRoutes(deps, guard))
    .use(settingsRoutes(deps, guard))
    .use(systemConfigRoutes(deps, guard))
    .use(auditRoutes(deps, guard))
  return { routes, fetch: withLifecycle(deps, (request) => routes.fetch(request)) }
}

/** Answers listed origins only. The plugin's own default reflects any, so without a list it stays out. */
function crossOriginSharing({ config }: Deps) {
  const listed = new Set(config.http.corsOrigins)
  if (listed.size === 0) return new Elysia()
  return cors({
    origin: (request) => listed.has(request.headers.get('origin') ?? ''),
    credentials: true,
    methods: ['GET', 'POST', 'PUT', 'DELETE'],
    allowedHeaders: ['Content-Type', 'If-Match', 'X-Requested-With'],
    exposeHeaders: ['ETag', 'Retry-After', 'X-Request-Id'],
  })
}
