import type { Actor } from './harness'

export const PROJECTS = '/api/projects'

export interface Item {
  readonly id: number
  readonly position: number
  readonly version: number
  readonly subtasks?: readonly Item[]
  readonly [field: string]: unknown
}

/** Who sends requests: an actor, or one who names a version. */
type Sender = Pick<Actor, 'request'>

/** Status and body of what a sender is answered below `/api/projects`. */
export async function send(sender: Sender, method: string, path: string, body?: unknown) {
  const sent = body === undefined ? {} : { body }
  const answered = await sender.request(method, `${PROJECTS}${path}`, sent)
  return { status: answered.status, body: answered.body }
}

/** The actor, with `If-Match` in every request. */
export const expecting = (actor: Actor, tag: string): Sender => ({
  request: (method, path, sent) => actor.request(method, path, { ...sent, headers: { 'if-match': tag } }),
})

export const refused = (status: number, detail: string) => ({ status, body: { detail } })
export const NO_PROJECT = refused(404, 'Project not found')
export const NO_TASK = refused(404, 'Task not found')
export const TWO_LEVELS = refused(409, 'Only top-level tasks can have subtasks')

async function created(actor: Actor, path: string, body: unknown): Promise<Item> {
  const answered = await send(actor, 'POST', path, body)
  if (answered.status !== 201) throw new Error(`${answered.status} ${JSON.stringify(answered.body)}`)
  return answered.body
}

let serial = 0
export const createProject = (actor: Actor, fields: Record<string, unknown> = {}) =>
  created(actor, '', { name: `Project ${++serial}`, ...fields })

export const createTask = (actor: Actor, projectId: number, fields: Record<string, unknown> = {}) =>
  created(actor, `/${projectId}/tasks`, { title: `Task ${++serial}`, ...fields })

export const idsOf = (items: readonly Item[]): number[] => items.map(({ id }) => id)
export const positionsOf = (items: readonly Item[]): number[] => items.map(({ position }) => position)
export const sorted = (numbers: readonly number[]): number[] => numbers.toSorted((a, b) => a - b)
export const upTo = (count: number): number[] => Array.from({ length: count }, (_, i) => i + 1)

export const projectsOf = async (actor: Actor, query = '?limit=200'): Promise<Item[]> =>
  (await send(actor, 'GET', query)).body.projects

export const tasksOf = async (actor: Actor, projectId: number): Promise<Item[]> =>
  (await send(actor, 'GET', `/${projectId}/tasks?limit=200`)).body.tasks

/** The pages of a list, followed by their cursors; `between` happens after each. */
export async function pagesOf(
  actor: Actor,
  path: string,
  name: string,
  between: (page: Item[], number: number) => unknown = () => {},
): Promise<Item[][]> {
  const pages: Item[][] = []
  for (let cursor: string | null = ''; cursor !== null;) {
    const separator = path.includes('?') ? '&' : '?'
    const { status, body } = await send(
      actor,
      'GET',
      `${path}${cursor === '' ? '' : `${separator}cursor=${cursor}`}`,
    )
    if (status !== 200) throw new Error(`${status} ${JSON.stringify(body)}`)
    pages.push(body[name])
    cursor = body.next_cursor
    await between(body[name], pages.length)
  }
  return pages
}
