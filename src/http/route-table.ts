import type { InternalRoute } from 'elysia'
import { AppError } from '../lib/errors'
import { type BodyRule, fileBody, FORM_BODY, JSON_BODY } from './body'

export type Route = Pick<InternalRoute, 'method' | 'path' | 'hooks'>

/** The app's routes, complete once all of them are registered. */
export interface RouteTable {
  /** The rule for the body of an operation; undefined when it takes none. */
  bodyRule(method: string, pattern: string): BodyRule | undefined
  all(): readonly Route[]
  /** Returns 405 with `Allow` when the path exists under other methods, else 404. */
  missing(request: Request): AppError
}

/** Reads `routes` at first use, when the app is complete. */
export function createRouteTable(routes: () => readonly Route[]): RouteTable {
  let table: ReturnType<typeof build> | undefined
  const built = () => (table ??= build(routes()))
  return {
    all: routes,
    bodyRule: (method, pattern) => built().bodies.get(`${method} ${pattern}`),
    missing: (request) => {
      const pathname = pathOf(request.url)
      const allowed = built().patterns.filter(({ matches }) => matches.test(pathname))
      if (allowed.length === 0) return new AppError('not_found', 'Not found')
      const methods = new Set(
        allowed.flatMap(({ method }) => (method === 'GET' ? ['GET', 'HEAD'] : [method])),
      )
      return new AppError('method_not_allowed', 'Method not allowed', {
        headers: { allow: [...methods].toSorted().join(', ') },
      })
    },
  }
}

const build = (routes: readonly Route[]) => ({
  bodies: new Map(
    routes
      .filter(({ hooks }) => hooks.body !== undefined)
      .map(({ method, path, hooks }) => [`${method} ${path}`, ruleOf(hooks.body)]),
  ),
  patterns: routes
    // Preflights are answered on every path, so they must not make a path known.
    .filter(({ method }) => method !== 'OPTIONS')
    .map(({ method, path }) => ({ method, matches: toRegExp(path) })),
})

/** A schema with a `contentMediaType` describes an uploaded file. */
function ruleOf(schema: unknown): BodyRule {
  const keyword = (name: string): unknown =>
    typeof schema === 'object' && schema !== null ? Reflect.get(schema, name) : undefined
  const mediaType = keyword('contentMediaType')
  if (mediaType === FORM_BODY.mediaType) return FORM_BODY
  if (typeof mediaType === 'string') return fileBody(mediaType)
  return keyword('x-omittable') === true ? { ...JSON_BODY, mayBeOmitted: true } : JSON_BODY
}

/** Returns the path as the router sees it: the router counts a `#` as part of the path. */
const pathOf = (url: string) => url.replace(/^[a-z]+:\/\/[^/?#]*/i, '').replace(/\?.*$/s, '')

function toRegExp(pattern: string): RegExp {
  const segments = pattern.split('/').map((segment) => {
    if (segment === '*') return '.*'
    return segment.startsWith(':') ? '[^/]+' : RegExp.escape(segment)
  })
  return new RegExp(`^${segments.join('/')}/?$`)
}
