import type { Route, RouteTable } from './route-table'

/** Where the answer to a repeated request comes from, unless its route says it (contract: retries.keys). */
type Source =
  /** The operation answers 204. */
  | { readonly kind: 'none' }
  /** The record of its answer is read at this path. */
  | { readonly kind: 'record'; readonly path: string }
  /** Its first answer is kept. It must hold nothing but counts and fixed texts. */
  | { readonly kind: 'answer' }

/** An operation that may change something. */
export interface Changing {
  /** Its id in the OpenAPI document. */
  readonly name: string
  /** The status of its success. */
  readonly status: number
  readonly source: Source
}

/** Finds the operations of the routes, which are complete at first use. */
export function createSources(routes: RouteTable) {
  let known: ReadonlyMap<string, Changing> | undefined
  return (method: string, path: string): Changing | undefined => {
    known ??= new Map(
      routes.all().flatMap((route) => {
        const changing = READS.has(route.method) ? undefined : toChanging(route, routes.all())
        return changing ? [[`${route.method} ${route.path}`, changing] as const] : []
      }),
    )
    return known.get(`${method} ${path}`)
  }
}

const READS = new Set(['GET', 'OPTIONS'])

function toChanging(route: Route, all: readonly Route[]): Changing | undefined {
  const name = route.hooks.detail?.operationId
  const success = successOf(route)
  if (name === undefined || !success) return undefined
  return { name, status: success.status, source: sourceOf(route, success, all) }
}

interface Success {
  readonly status: number
  readonly schema: unknown
}

function successOf({ hooks }: Route): Success | undefined {
  const response: unknown = hooks.response
  if (typeof response !== 'object' || response === null) return undefined
  const found = Object.entries(response).find(([status]) => status.startsWith('2'))
  return found && { status: Number(found[0]), schema: found[1] }
}

/** A record is read where a route answers the same schema: at the path, above it, or below it by id. */
function sourceOf({ path }: Route, { status, schema }: Success, all: readonly Route[]): Source {
  if (status === 204) return { kind: 'none' }
  const wanted = JSON.stringify(schema)
  const record = all.find(
    (one) =>
      one.method === 'GET' &&
      (`${path}/`.startsWith(`${one.path}/`) || one.path.startsWith(`${path}/:`)) &&
      JSON.stringify(successOf(one)?.schema) === wanted,
  )
  return record ? { kind: 'record', path: record.path } : { kind: 'answer' }
}
