import type { Route, RouteTable } from './route-table'

/** Where the answer to a repeated request comes from (contract: retries.keys). */
type Source =
  /** The operation answers 204. */
  | { readonly kind: 'none' }
  /** The record of its answer is read at this path, or found in the list at this path. */
  | { readonly kind: 'record' | 'list'; readonly path: string }
  /** Its first answer, of this schema, is kept. */
  | { readonly kind: 'answer'; readonly schema: unknown }

/** An operation that changes something. */
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
  const near = all.filter(
    (one) =>
      one.method === 'GET' && (`${path}/`.startsWith(`${one.path}/`) || one.path.startsWith(`${path}/:`)),
  )
  const wanted = JSON.stringify(schema)
  const record = near.find((one) => JSON.stringify(successOf(one)?.schema) === wanted)
  if (record) return { kind: 'record', path: record.path }
  const list = near.find((one) => itemsOf(successOf(one)?.schema).includes(wanted))
  return list ? { kind: 'list', path: list.path } : { kind: 'answer', schema }
}

/** The schemas of what the lists of an answer hold. */
const itemsOf = (schema: unknown): string[] =>
  propertiesOf(schema).flatMap(([, property]) =>
    property['type'] === 'array' ? [JSON.stringify(property['items'])] : [],
  )

type Property = readonly [name: string, schema: Readonly<Record<string, unknown>>]

function propertiesOf(schema: unknown): Property[] {
  const properties: unknown =
    typeof schema === 'object' && schema !== null ? Reflect.get(schema, 'properties') : undefined
  return typeof properties === 'object' && properties !== null ? Object.entries(properties) : []
}

/**
 * The answer of this schema to which a transaction came: its result is the answer, or the only member of it that is not always
 * the same.
 */
export function answerOf(schema: unknown, result: unknown): unknown {
  const properties = propertiesOf(schema)
  if (properties.length === 0) return result
  if (isRecord(result) && properties.some(([name]) => name in result)) return result
  const [open] = properties.filter(([, { const: constant }]) => constant === undefined)
  const members = properties.map(([name, { const: constant = null }]) => [
    name,
    name === open?.[0] ? result : constant,
  ])
  return Object.fromEntries(members)
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
