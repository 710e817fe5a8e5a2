import type { Actor } from './harness'

export interface Found {
  readonly type: string
  readonly id: number
  readonly title: string
  readonly snippet: string | null
  readonly parent_id: number | null
  readonly rank: number
}

export const search = (actor: Pick<Actor, 'request'>, q: string, query: Record<string, string> = {}) =>
  actor.request('GET', `/api/search?${new URLSearchParams({ q, ...query }).toString()}`)

/** What is found; anything but 200 is an error. */
export async function find(actor: Actor, q: string, query: Record<string, string> = {}): Promise<Found[]> {
  const answered = await search(actor, q, query)
  if (answered.status !== 200) throw new Error(JSON.stringify(answered.body))
  return answered.body.results
}

/** The titles of what is found. */
export const titles = async (
  actor: Actor,
  q: string,
  query: Record<string, string> = {},
): Promise<string[]> => (await find(actor, q, query)).map(({ title }) => title)
