import { Elysia, t } from 'elysia'
import type { Deps } from '../../src/deps'
import { EndedSessions } from '../../src/http/ended-sessions'
import { Bearers } from '../../src/http/bearers'
import { createAdmission } from '../../src/http/admission'
import { ErrorBody, errorHandling } from '../../src/http/errors'
import { Lines } from '../../src/http/lines'
import { apiDocumentation } from '../../src/http/openapi'
import { RateLimit } from '../../src/http/rate-limit'
import { createTurnstiles } from '../../src/http/queues'
import { withLifecycle } from '../../src/http/request-lifecycle'
import { createRouteTable } from '../../src/http/route-table'
import { sessionGuard } from '../../src/http/session-guard'
import { line, optionalNullable } from '../../src/lib/wire/schema'

const view = { id: 1, title: null }
const detail = (operationId: string, summary: string) => ({ operationId, summary, tags: ['Operations'] })

/** A small app behind the real guard, with one operation of each kind that the document must get right. */
export function guardedProbe(deps: Deps) {
  const ProbeView = t.Object({ id: t.Number(), title: t.Nullable(t.String()) }, { title: 'Probe' })
  const ProbeList = t.Object({ probes: t.Array(ProbeView), state: t.Union([t.Literal('a'), t.Literal('b')]) })
  const ProbeBody = t.Object(
    { title: optionalNullable(line({ max: 5, pattern: '^a', problem: 'must start with a' })) },
    { additionalProperties: t.Never() },
  )
  const table = createRouteTable(() => routes.routes)
  const admission = createAdmission({
    deps,
    routes: table,
    authRateLimit: new RateLimit(() => 0),
    bearers: new Bearers(deps, new RateLimit(() => 0)),
    lines: new Lines(() => 0),
    ended: new EndedSessions(deps),
    turnstiles: createTurnstiles(() => 0, 16),
  })
  const guard = sessionGuard(deps, admission)
  const routes = new Elysia()
    .use(errorHandling(deps, table))
    .use(apiDocumentation(deps, guard, table))
    .use(guard)
    .get('/probes', () => ({ probes: [view], state: 'a' as const }), {
      session: { scope: 'tasks:read', whileLocked: true, whilePasswordIsDue: true },
      query: t.Object({ limit: t.Optional(t.String({ pattern: '^[0-9]{1,3}$', description: 'How many.' })) }),
      response: { 200: ProbeList },
      detail: detail('listProbes', 'List the probes'),
    })
    .post('/probes', ({ status }) => status(201, view), {
      session: {},
      body: ProbeBody,
      response: { 201: ProbeView },
      detail: detail('createProbe', 'Create a probe'),
    })
    .put('/probes/:id', () => view, {
      session: { role: 'admin', recent: true },
      body: ProbeBody,
      response: { 200: ProbeView, 404: ErrorBody },
      detail: detail('changeProbe', 'Change a probe'),
    })
    .delete('/probes/:id', ({ status }) => status(204, undefined), {
      session: {},
      response: { 204: t.Void(), 404: ErrorBody },
      detail: detail('deleteProbe', 'Delete a probe'),
    })
    .get('/probes/export.ics', () => new Response('BEGIN:VCALENDAR'), {
      public: {},
      response: { 200: t.String({ contentMediaType: 'text/calendar' }) },
      detail: detail('exportProbes', 'Export the probes'),
    })
  return { routes, fetch: withLifecycle(deps, (request) => routes.fetch(request)) }
}
