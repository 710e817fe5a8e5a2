import { seedUsers } from './accounts'
import { DASHBOARD, FEW, MANY, seedAccount } from './dashboard'
import { MONTH, seedEvents } from './events'

/** What is loaded, and the users who have it; shared by the measures that compare. */

const CONNECTIONS = [1, 32, 256]

/** What is loaded, as whom of the seeded users, and with how many connections. */
export const ENDPOINTS = [
  { path: '/api/auth/status', as: 0, at: CONNECTIONS },
  { path: '/api/settings', as: 0, at: CONNECTIONS },
  { path: '/api/todos', as: 3, at: [1, 32] },
  { path: `/api/events?from=${MONTH.from}&to=${MONTH.to}`, as: 0, at: [1, 8] },
  { path: DASHBOARD, as: 1, at: [1, 8] },
  { path: '/api/search?q=todo', as: 1, at: [1, 8] },
  { path: '/api/todos', as: 4, at: [1, 8], body: { title: 'Bins', due_date: '2026-11-21' } },
]
type Endpoint = (typeof ENDPOINTS)[number]

export const nameOf = ({ path, body }: Endpoint) => `${body ? 'POST' : 'GET'} ${path.split('?')[0]}`

export const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

export const fixed = (value: number, digits = 0) => value.toFixed(digits)
export const table = (header: readonly string[], rows: ReadonlyArray<readonly string[]>) =>
  [header, header.map((_, i) => (i === 0 ? '---' : '--:')), ...rows]
    .map((row) => `| ${row.join(' | ')} |`)
    .join('\n')

/** Users with a session each, and what they have. */
export async function seed(url: string) {
  const users = await seedUsers(url)
  const [session, light, heavy, todoist] = users
  await seedEvents(url, session.userId)
  await seedAccount(url, light.userId, FEW)
  await seedAccount(url, heavy.userId, MANY)
  await seedAccount(url, todoist?.userId ?? 0, { ...FEW, todos: 50 })
  return users
}
