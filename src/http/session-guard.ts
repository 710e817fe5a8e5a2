import { Elysia } from 'elysia'
import type { Deps } from '../deps'
import { renewSession } from '../access/sessions/service'
import type { Admission, PublicRules, SessionRules } from './admission'
import { cookies, writeSessionCookie } from './session-cookie'

/** A valid session and nothing more. Not a plain `{}`: from that, Elysia does not infer `session` in the handler. */
export const SIGNED_IN: SessionRules = {}

export type SessionGuard = ReturnType<typeof sessionGuard>

/**
 * Adds the route options `public` and `session`, one of which every route states. The checks run before the body is
 * parsed: in `parse`, and in `transform` for requests that skip it.
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
      detail: documented([{ session: [] }], rules),
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

/** Beside the security of an operation its rules, from which the OpenAPI document tells how it may refuse. */
const documented = (security: Array<Record<string, string[]>>, rules: PublicRules | SessionRules) => ({
  security,
  'x-guard': rules,
})
