import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { renewSession } from '../access/sessions/service.checks'
import type { Admission, PublicRules, SessionRules } from './admission'
import { cookies, writeSessionCookie } from './session-cookie'

/** Requires only a valid session. Not a plain `{}`, because Elysia would not infer `session` in the handler from it. */
export const SIGNED_IN: SessionRules = {}

export type SessionGuard = ReturnType<typeof sessionGuard>

/**
 * Adds the route options `public` and `session`; every route has exactly one of them. The checks run before the body is
 * parsed: in `parse`, and in `transform` for requests that skip `parse`.
 */
export const sessionGuard = (deps: Deps, { admitAnyone, admitSession, sessionOf, bodyOf }: Admission) =>
  new Elysia({ name: 'http.session-guard' }).use(cookies()).macro({
    public: (rules: PublicRules) => ({
      detail: documented([], rules),
      async parse({ request, route, params }) {
        await admitAnyone({ request, route, params }, rules)
        return bodyOf(request)
      },
      transform: ({ request, route, params }) => admitAnyone({ request, route, params }, rules),
    }),
    session: (rules: SessionRules) => ({
      detail: documented([{ session: [] }, ...(rules.scope ? [{ bearer: [] }] : [])], rules),
      async parse({ request, route, params }) {
        await admitSession({ request, route, params }, rules)
        return bodyOf(request)
      },
      async transform({ request, route, params, set, setCookie }) {
        await admitSession({ request, route, params }, rules)
        const renewing = renewSession(deps, sessionOf(request))
        const token = renewing && (await renewing)
        if (token !== undefined) writeSessionCookie({ set, setCookie }, deps.config, token)
      },
      resolve: ({ request }) => ({ session: sessionOf(request) }),
    }),
  })

/** Adds the rules to the security of an operation, because the OpenAPI document derives its error statuses from them. */
const documented = (security: Array<Record<string, string[]>>, rules: PublicRules | SessionRules) => ({
  security,
  'x-guard': rules,
})
