import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import type { Scope } from '../../src/lib/scopes'
import { assistantWith } from '../support/assistants'
import { createEvent } from '../support/events'
import { friends, type Person } from '../support/inviting'
import { ALL_SCOPES, insertToken } from '../support/tokens'
import { useHarness } from '../support/use-harness'

setDefaultTimeout(60_000)
const h = useHarness()

let owner: Person
let stranger: Awaited<ReturnType<typeof h.signedIn>>
/** A record of each kind. */
let items: Record<string, { readonly id: number; readonly version: number }>
let invitation: number
beforeAll(async () => {
  const { ada, bob } = await friends(h)
  owner = bob
  stranger = await h.signedIn()
  const make = async (path: string, body: Record<string, unknown>) =>
    (await owner.request('POST', path, { body })).body
  const project = await make('/api/projects', { name: 'House' })
  const times = { start_at: '2026-03-04T19:00', end_at: '2026-03-04T20:00' }
  items = {
    event: await make('/api/events', { title: 'Mine', ...times }),
    todo: await make('/api/todos', { title: 'Mine', due_date: '2026-03-04' }),
    reminder: await make('/api/reminders', { title: 'Mine', remind_at: '2026-03-04T12:00' }),
    task: await make(`/api/projects/${project.id}/tasks`, { title: 'Mine', due_date: '2026-03-04' }),
    person: await make('/api/people', { first_name: 'Mine', birthday: '--03-04' }),
  }
  news['task'] = { title: 'New', project_id: project.id }
  const event = await createEvent(ada, times)
  invitation = (await ada.invite(event.id, bob)).body.invitations[0].id
})

const news: Record<string, Record<string, unknown>> = {
  event: { title: 'New', start_at: '2026-03-04T19:00', end_at: '2026-03-04T20:00' },
  todo: { title: 'New' },
  reminder: { title: 'New' },
  person: { first_name: 'New' },
}

const AREA_OF: Record<string, string> = {
  event: 'calendars',
  todo: 'tasks',
  reminder: 'tasks',
  task: 'tasks',
  person: 'people',
}
const KINDS = Object.keys(AREA_OF)

const DENIED = 'This access token may not do that'

/** What becomes of each call by a token of the owner: what it did, or why not. */
async function outcomes(userId: number, scopes: readonly Scope[]) {
  const { token } = await insertToken(h, userId, { scopes: [...scopes] })
  const assistant = await assistantWith(h, token, { says: 'yes' })
  const told = async (tool: string, args: Record<string, unknown>) => {
    const { isError, text, body } = await assistant.call(tool, args)
    return isError ? (body.results?.[0].detail ?? text) : 'done'
  }
  const perKind = async (tool: string, argsOf: (kind: string) => Record<string, unknown>) => {
    const entries = []
    for (const kind of KINDS)
      entries.push([kind, await told(tool, { items: [{ type: kind, ...argsOf(kind) }] })])
    return Object.fromEntries(entries)
  }
  const seen = async (tool: string, args: Record<string, unknown> = {}) => {
    const { isError, text, body } = await assistant.call(tool, args)
    return isError
      ? text
      : [...new Set(body.items.map(({ type }: { type: string }) => type))].map(String).toSorted().join()
  }
  return {
    names: (await assistant.names()).join(),
    overview: await seen('overview'),
    find: await seen('find', { query: 'mine' }),
    add: await perKind('add', (kind) => news[kind] ?? {}),
    // A version that never is: nothing changes, so the matrix can go on.
    change: await perKind('change', (kind) => ({ id: items[kind]?.id, version: 1_000_000 })),
    delete: await perKind('delete', (kind) => ({ id: items[kind]?.id, version: 1_000_000 })),
    answer: await told('answer_invitation', { id: invitation, response: 'Going' }),
    free: await told('find_time', { from: '2026-03-05', to: '2026-03-06', minutes: 60 }),
    undo: await told('undo', { operation_id: 'none' }),
  }
}

const STALE = 'This item has changed since you read it'

const AREAS = ['calendars', 'tasks', 'people'] as const

/** What is found of the areas; birthdays belong to calendars. */
const FOUND = {
  calendars: ['birthday', 'event'],
  tasks: ['reminder', 'task', 'todo'],
  people: ['person'],
} as const

/** What section 21 of the contract says of a token with these scopes. */
function expected(scopes: readonly Scope[]) {
  const written = AREAS.filter((area) => scopes.includes(`${area}:write`))
  const read = AREAS.filter((area) => written.includes(area) || scopes.includes(`${area}:read`))
  const dated = read.filter((area) => area !== 'people')
  const list = (areas: ReadonlyArray<(typeof AREAS)[number]>) =>
    areas.length === 0
      ? DENIED
      : areas
          .flatMap((area) => FOUND[area])
          .toSorted()
          .join()
  const kinds = (outcome: string) =>
    Object.fromEntries(
      KINDS.map((kind) => [kind, written.some((area) => area === AREA_OF[kind]) ? outcome : DENIED]),
    )
  const answers = written.includes('calendars')
  const names = {
    overview: dated.length > 0,
    find: read.length > 0,
    add: written.length > 0,
    change: written.length > 0,
    delete: written.length > 0,
    answer_invitation: answers,
    find_time: read.includes('calendars'),
    undo: written.length > 0,
  }
  return {
    names: Object.entries(names)
      .flatMap(([name, isThere]) => (isThere ? [name] : []))
      .join(),
    overview: list(dated),
    find: list(read),
    add: kinds('done'),
    change: kinds(STALE),
    delete: kinds(STALE),
    answer: answers ? 'done' : DENIED,
    free: names.find_time ? 'done' : DENIED,
    undo: names.undo ? 'Operation not found' : DENIED,
  }
}

describe('a token does with each tool what its scopes allow, and sees no other tool:', () => {
  const sets: ReadonlyArray<readonly Scope[]> = [
    ...ALL_SCOPES.filter((scope) => scope !== 'mcp').map((scope) => ['mcp', scope] as const),
    ALL_SCOPES,
    ALL_SCOPES.filter((scope) => scope === 'mcp' || scope.endsWith(':read')),
    ['mcp', 'calendars:read', 'tasks:write'],
  ]

  test.each(sets.map((scopes) => [scopes.join(' '), scopes] as const))('%s', async (_, scopes) => {
    expect(await outcomes(owner.row.id, scopes)).toEqual(expected(scopes))
  })
})

test('a token of somebody else finds nothing of the owner, and changes nothing', async () => {
  const found = await outcomes(stranger.row.id, ALL_SCOPES)
  const missing = {
    event: 'Event not found',
    todo: 'Todo not found',
    reminder: 'Reminder not found',
    task: 'Task not found',
    person: 'Person not found',
  }
  expect(found).toMatchObject({ find: '', change: missing, delete: missing, answer: 'Invitation not found' })
  expect(found.add['task']).toBe('Project not found')
})

test('an undo needs the scope of all that it would change', async () => {
  const full = await assistantWith(h, (await insertToken(h, owner.row.id)).token)
  const { body } = await full.call('add', {
    items: [
      { type: 'todo', title: 'T' },
      { type: 'person', first_name: 'P' },
    ],
  })
  const { token } = await insertToken(h, owner.row.id, { scopes: ['mcp', 'tasks:write'] })
  const narrow = await assistantWith(h, token)
  expect((await narrow.call('undo', { operation_id: body.operation_id })).text).toContain(DENIED)
  expect((await full.call('undo', { operation_id: body.operation_id })).isError).toBe(false)
})
