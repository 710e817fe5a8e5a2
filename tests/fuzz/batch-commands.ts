import type { Schema } from './schemas'
import { type Draw, drawing, seedOf } from './draw'
import { collectionsOf, shapeOf } from './pool'
import { type Operation, pathWith, requestFor, type Sent, type Setting } from './requests'

/** A command of a batch, and the request that it stands for. */
export interface Drafted {
  readonly sent: Sent
  readonly command: Readonly<Record<string, unknown>>
}

/** What commands of a batch know of those before them. */
interface Known {
  readonly draw: Draw
  readonly at: number
  /** The names of records that earlier commands make, by the collection in which they are. */
  readonly made: ReadonlyArray<readonly [name: string, collection: string]>
  /** Keys of this batch and of those before it. */
  readonly keys: readonly string[]
}

const MOST_PATH = 2000
const IMPOSSIBLE = /^\/api\/(?:auth|admin|batch|export|changes\/stream|feeds)|\/(?:import|export)$/

/** Operations that a batch may hold. */
export const isBatched = ({ path, method }: Operation): boolean =>
  path.startsWith('/api/') && !IMPOSSIBLE.test(path) && !(method === 'POST' && path.endsWith('/feed'))

const NAMES = ['ref', '{ref:a0}', 'a.b-c_d', '0', '__proto__', 'constructor', 'x'.repeat(64)] as const

/** One command for the operation. Most are good; references stand for ids where an earlier command makes such a record. */
export async function draftCommand(operation: Operation, setting: Setting, known: Known): Promise<Drafted> {
  const { draw, at } = known
  const sent = await requestFor(operation, { ...setting, isHonest: draw.percent(80) })
  const body = bodyOf(sent)
  const command = {
    key: keyOf(known, setting.seed),
    method: draw.percent(97) ? operation.method : draw.pick(['get', 'PATCH', 'HEAD', 'x']),
    path: pathOf(sent, known),
    ...(body !== undefined && { body: withReferences(body, known) }),
    ...(draw.percent(8) && { if_match: draw.pick(['"1"', '"2"', '*', '"99"', 'W/"1"', 'x', '"']) }),
    ...(draw.percent(operation.method === 'POST' ? 80 : 10) && {
      as: draw.percent(96) ? `a${at}` : draw.pick(NAMES),
    }),
  }
  return { sent, command }
}

function bodyOf({ body, operation }: Sent): unknown {
  if (typeof body !== 'string' || operation.method === 'GET') return undefined
  try {
    return JSON.parse(body)
  } catch {
    return body
  }
}

function keyOf({ draw, keys, at }: Known, seed: number): string {
  const fresh = `key ${seedOf(seed, 'key', at)}`
  if (draw.percent(88)) return fresh
  return draw.pick([
    draw.oneOf(keys) ?? fresh,
    draw.oneOf(keys) ?? fresh,
    `"${fresh}"`,
    `\\${fresh}`,
    'k'.repeat(128),
    fresh.slice(0, 1),
  ])
}

/** With references where an earlier command makes a record of the collection. */
function pathOf({ operation, ids, query }: Sent, { draw, made }: Known): string {
  const collections = collectionsOf(operation.path)
  const named = ids.map((id, index) => {
    const names = made.filter(([, collection]) => collection === collections[index])
    const [name] = (draw.percent(70) && draw.oneOf(names)) || []
    if (name !== undefined) return `{ref:${name}}`
    return draw.percent(3) ? oddReference(draw) : id
  })
  const path = pathWith(operation.path, named) + query
  return path.length > MOST_PATH && draw.percent(95) ? pathWith(operation.path, named) : path
}

/** To itself, to later commands, to none. */
const oddReference = (draw: Draw): string =>
  `{ref:${draw.pick([`a${draw.nat(30)}`, 'nobody', '', '{ref:a0}', 'a0}{ref:a0', '__proto__'])}}`

/** Fields that name records by what earlier commands make; the noun of a field is that of its collection. */
function withReferences(body: unknown, known: Known): unknown {
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return body
  const fields = Object.entries(body).map(([name, value]): [string, unknown] => {
    const noun = /([a-z]+)_id$/.exec(name)?.[1]
    const [found] = known.made.findLast(([, collection]) => collection.endsWith(`${noun}s`)) ?? []
    if (found !== undefined && known.draw.percent(60)) return [name, `{ref:${found}}`]
    return [name, known.draw.percent(2) ? oddReference(known.draw) : value]
  })
  return Object.fromEntries(fields)
}

/** The name and collection of what the command makes, for those after it. */
export function madeBy({ sent: { operation }, command }: Drafted): readonly [string, string] | undefined {
  const { as } = command
  if (operation.method !== 'POST' || typeof as !== 'string') return undefined
  return [as, shapeOf(operation.path)]
}

/** Whether the command refers to another one. */
export const isReferring = ({ command: { path, body } }: Drafted): boolean =>
  `${String(path)}${JSON.stringify(body) ?? ''}`.includes('{ref:')

/** A new draw for each command, so that the length of one does not change the next. */
export const commandSeed = (seed: number, at: number) => seedOf(seed, 'command', at)
export const drawOf = (seed: number, at: number) => drawing(seedOf(seed, 'draw', at))

export const schemaOf = ({ operation }: Operation): Schema =>
  operation.requestBody?.content['application/json']?.schema ?? {}
