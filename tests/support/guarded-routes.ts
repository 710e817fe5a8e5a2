import { Elysia, t } from 'elysia'
import type { Deps } from '../../src/deps'
import { Bearers } from '../../src/http/bearers'
import { createAdmission, type SessionRules } from '../../src/http/admission'
import { errorHandling } from '../../src/http/errors'
import { RateLimit } from '../../src/http/rate-limit'
import { Lines } from '../../src/http/lines'
import { EndedSessions } from '../../src/http/ended-sessions'
import { createTurnstiles } from '../../src/http/queues'
import { withLifecycle } from '../../src/http/request-lifecycle'
import { createRouteTable } from '../../src/http/route-table'
import { sessionGuard, SIGNED_IN } from '../../src/http/session-guard'

/** Every combination of rules, on routes that do nothing. */
export function guardedRoutes(deps: Deps) {
  const table = createRouteTable(() => routes.routes)
  const guard = sessionGuard(
    deps,
    createAdmission({
      deps: deps,
      routes: table,
      authRateLimit: new RateLimit(() => 0),
      bearers: new Bearers(deps, new RateLimit(() => 0)),
      lines: new Lines(() => 0),
      ended: new EndedSessions(deps),
      turnstiles: createTurnstiles(() => 0, 16),
    }),
  )
  const body = t.Object({ name: t.String() })
  const answer = ({ session }: { session: { userId: number } }) => ({ user: session.userId })
  const route = (path: string, rules: SessionRules) =>
    new Elysia().use(guard).post(path, answer, { session: rules, body })
  const routes = new Elysia()
    .use(errorHandling(deps, table))
    .use(guard)
    .use(route('/plain', {}))
    .use(route('/while-locked', { whileLocked: true }))
    .use(route('/while-due', { whilePasswordIsDue: true }))
    .use(route('/admin', { role: 'admin' }))
    .use(route('/recent', { recent: true }))
    .use(route('/all', { role: 'admin', recent: true }))
    .get('/read', ({ session }) => ({ user: session.userId }), { session: SIGNED_IN })
    .post('/no-body', ({ session }) => ({ user: session.userId }), { session: SIGNED_IN })
  const fetch = withLifecycle(deps, (request) => routes.fetch(request))
  return async (path: string, cookie?: string, init: RequestInit = {}) => {
    const isRead = path === '/read'
    const response = await fetch(
      new Request(`http://localhost${path}`, {
        method: isRead ? 'GET' : 'POST',
        ...(!isRead && path !== '/no-body' && { body: '{"name":"x"}' }),
        ...init,
        headers: {
          'content-type': 'application/json',
          ...(typeof init.body === 'string' && { 'content-length': String(Buffer.byteLength(init.body)) }),
          ...(cookie !== undefined && { cookie }),
          ...(init.headers as Record<string, string> | undefined),
        },
      }),
    )
    const parsed: unknown = await response.json()
    return { status: response.status, body: parsed, headers: response.headers }
  }
}
