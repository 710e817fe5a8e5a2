import type { Cast, Person } from './cast'
import { seedOf } from './draw'
import { collectionsOf, type Ids, shapeOf } from './pool'
import { corrected, type Operation, requestFor, type Setting } from './requests'
import { settle } from './sending'

/** Makes the records that an operation needs, by the operations that the document has for making them. */

export interface Supplies {
  readonly cast: Cast
  readonly operations: readonly Operation[]
  readonly schemas: Setting['schemas']
  readonly seed: number
  /** How often making a record is tried, once for each request that needs it. */
  readonly attempts: number
}

/** How often a list is read that shows nothing, as the filters of each attempt are drawn. */
const LOOKS = 5

/** So that no attempt repeats one before. */
const counted = new WeakMap<Cast, number>()

const find = (operations: readonly Operation[], method: string, shape: string) =>
  operations.find((operation) => operation.method === method && shapeOf(operation.path) === shape)

/** Ids for all parameters of a path of the person's own: those of known records, else of new ones; undefined if none can be made. */
export async function supplied(supplies: Supplies, person: Person, path: string): Promise<Ids | undefined> {
  const collections = collectionsOf(path)
  for (const collection of collections) {
    if (person.pool.records(collection).length > 0) continue
    await list(supplies, person, collection)
    if (person.pool.records(collection).length === 0) await make(supplies, person, collection)
  }
  const deepest = collections.at(-1)
  return deepest === undefined ? [] : person.pool.records(deepest).at(-1)
}

async function list(supplies: Supplies, person: Person, collection: string): Promise<void> {
  const operation = find(supplies.operations, 'GET', collection)
  if (!operation) return
  for (let at = 0; at < LOOKS && person.pool.records(collection).length === 0; at++) {
    await attempt(supplies, person, operation)
  }
}

/** No operation makes an entry of the trash by itself. */
async function discard({ cast }: Supplies, { token, pool }: Person): Promise<void> {
  const sent = { cookie: token }
  const made = await cast.h.request('POST', '/api/todos', { ...sent, body: { title: 'Discarded' } })
  await cast.h.request('DELETE', `/api/todos/${made.body.id}`, sent)
  const { body } = await cast.h.request('GET', '/api/trash', sent)
  for (const { id } of body.items ?? []) pool.add(TRASH, [String(id)])
}
const TRASH = '/api/trash'

async function make(supplies: Supplies, person: Person, collection: string): Promise<void> {
  if (collection === TRASH) return discard(supplies, person)
  const operation = find(supplies.operations, 'POST', collection)
  if (!operation) return
  for (let at = 0; at < supplies.attempts && person.pool.records(collection).length === 0; at++) {
    await attempt(supplies, person, operation)
  }
}

/** Lists whatever can be listed, so that the person knows their calendars, connections and the like. */
export async function lookAround(supplies: Supplies, person: Person): Promise<void> {
  for (const operation of supplies.operations) {
    const isList = operation.method === 'GET' && !operation.path.includes('{')
    if (isList && operation.path.startsWith('/api/admin') === (person.role === 'admin')) {
      await attempt(supplies, person, operation)
    }
  }
}

/** One good request, from which the person learns, put right as often as the service says what is wrong with it. */
export async function attempt(
  { cast, schemas, seed }: Supplies,
  person: Person,
  operation: Operation,
): Promise<number> {
  const at = (counted.get(cast) ?? 0) + 1
  counted.set(cast, at)
  const setting = { cast, person, schemas, seed: seedOf(seed, 'supply', at), isHonest: true }
  let sent = await requestFor(operation, setting)
  for (let correction = 0; ; correction++) {
    const answer = await settle(cast, sent)
    if (answer.status !== 422 || correction === 3) return answer.status
    sent = corrected(setting, answer)
  }
}
