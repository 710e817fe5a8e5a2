import { beforeAll, describe, expect, test } from 'bun:test'
import type { Scope } from '../../../../src/lib/scopes'
import { connect, set } from '../../../support/connecting'
import { organiser } from '../../../support/events'
import type { Actor } from '../../../support/harness'
import { createProject, createTask } from '../../../support/projects'
import { createPerson, createReminder, createTodo } from '../../../support/records'
import { createToken, programOf } from '../../../support/tokens'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

// It is Wednesday, 2026-03-04, 10:30 in Berlin.
const TODAY = '2026-03-04'

type Json = Record<string, unknown>

let ada: Actor
beforeAll(async () => {
  const organising = await organiser(h)
  ada = organising
  await organising.create({ title: 'Fern choir', start_at: `${TODAY}T19:00`, end_at: `${TODAY}T20:00` })
  await createTodo(ada, { title: 'Fern late', due_date: '2026-03-03' })
  await createTodo(ada, { title: 'Fern now', due_date: TODAY })
  await createReminder(ada, { title: 'Fern due', remind_at: `${TODAY}T10:30` })
  await createReminder(ada, { title: 'Fern soon', remind_at: `${TODAY}T10:31` })
  const project = await createProject(ada, { is_tracked: true, name: 'Fern house' })
  await createTask(ada, project.id, { title: 'Fern roof', due_date: '2026-03-11' })
  await createPerson(ada, { first_name: 'Fern', birthday: '1990-03-05' })
  await set(h, ada, { acceptConnections: true })
  await connect(await h.signedIn(), ada)
})

const read = async (path: string, scopes: readonly Scope[]): Promise<Json> => {
  const { token } = await createToken(ada, ['overview:read', ...scopes])
  const { status, body } = await programOf(h, token)('GET', path)
  if (status !== 200) throw new Error(JSON.stringify(body))
  return body
}
const bySession = async (path: string): Promise<Json> => (await ada.request('GET', path)).body

interface AreaLists {
  readonly scope: Scope
  readonly dashboard: readonly string[]
  readonly found: readonly string[]
  readonly exported: readonly string[]
}

const AREAS: Readonly<Record<string, AreaLists>> = {
  calendars: {
    scope: 'calendars:read',
    dashboard: ['events', 'birthdays'],
    found: ['event'],
    exported: ['calendars', 'calendar_members', 'events', 'event_templates', 'event_invitations'],
  },
  tasks: {
    scope: 'tasks:write',
    dashboard: ['todos', 'reminders', 'tasks'],
    found: ['todo', 'reminder', 'project', 'task'],
    exported: ['todo_lists', 'todos', 'reminders', 'projects', 'tasks', 'comments'],
  },
  people: {
    scope: 'people:read',
    dashboard: [],
    found: ['person'],
    exported: ['address_books', 'people', 'connections', 'connection_requests', 'blocks'],
  },
}

/** Every list within a value, by its path, without what is in it. */
const emptied = (value: unknown): unknown => {
  if (Array.isArray(value)) return []
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, emptied(one)]))
}

describe.each([...Object.keys(AREAS), 'no area'])('a token that may read the overview and %s', (name) => {
  const area = AREAS[name]
  const scopes = area ? [area.scope] : []

  test('sees of the dashboard what it may read', async () => {
    const whole = await bySession('/api/dashboard')
    const shown = await read('/api/dashboard', scopes)
    for (const [key, value] of Object.entries(shown)) {
      if (key === 'unread_count') continue
      const isOfArea = area?.dashboard.includes(key)
      expect([key, value]).toEqual([key, isOfArea ? whole[key] : emptied(whole[key])])
    }
    expect(Object.keys(shown)).toEqual(Object.keys(whole))
  })

  test('finds what it may read', async () => {
    const whole = (await bySession('/api/search?q=fern')).results as Json[]
    expect(new Set(whole.map(({ type }) => type)).size).toBe(6)
    const isOfArea = ({ type }: Json) => area?.found.includes(String(type))
    expect((await read('/api/search?q=fern', scopes)).results).toEqual(whole.filter(isOfArea))
    const events = (await read('/api/search?q=fern&types=events', scopes)).results as Json[]
    expect(events).toHaveLength(name === 'calendars' ? 1 : 0)
  })

  test('exports what it may read, and nothing of how its user signs in', async () => {
    const whole = await bySession('/api/export')
    const exported = await read('/api/export', scopes)
    expect(Object.keys(exported)).toEqual(Object.keys(whole))
    const lists = Object.entries(exported).filter(([, value]) => Array.isArray(value))
    for (const [key, value] of lists) {
      if (key === 'notifications') continue
      const isOfArea = area?.exported.includes(key)
      expect([key, value]).toEqual([key, isOfArea ? whole[key] : []])
    }
    expect(whole['sessions']).toHaveLength(1)
    expect(exported['notifications']).not.toEqual([])
  })
})
