import { beforeAll, describe, expect, test } from 'bun:test'
import { and, eq, inArray } from 'drizzle-orm'
import {
  calendarMembers,
  calendars,
  eventInvitations,
  eventOccurrences,
  events,
  eventTemplates,
  sentInvitations,
} from '../../../../src/db/schema'
import { befriend, type Person } from '../../../support/inviting'
import { documentOf, operationsOf } from '../../../support/openapi'
import { type Sharer, sharer } from '../../../support/sharing'
import { CALENDAR_ROWS } from './permissions.calendars'
import { EVENT_ROWS } from './permissions.events'
import { TEMPLATE_ROWS } from './permissions.templates'
import { ROLES, RESOURCES, DAILY, type Resource, type Role, type Row, type Scene } from './permissions'
import { useHarness } from '../../../support/use-harness'

/*
 * Who may do what with a calendar that somebody shares: every operation of these tags has rows, each of them with what comes
 * of it for each role. A new operation needs rows in one of the lists, or a list in ROWS; those of another tag need it in TAGS.
 */

const TAGS = ['Calendars', 'Shared calendars', 'Events', 'Invitations', 'Event templates']

const ROWS: readonly Row[] = [...CALENDAR_ROWS, ...EVENT_ROWS, ...TEMPLATE_ROWS]

const h = useHarness()
let people: Record<Role | 'guest', Sharer>
let operations: ReadonlyMap<string, { method: string; path: string }>
beforeAll(async () => {
  const document = operationsOf(await documentOf(h.app.fetch))
  operations = new Map(
    document
      // What is open to everybody knows no roles.
      .filter(({ operation }) => TAGS.includes(String(operation.tags?.[0])) && operation.security?.length)
      .map(({ method, path, operation }) => [String(operation.operationId), { method, path }]),
  )
  const everyone = await Promise.all(
    [...ROLES, 'guest'].map(async (name) => [name, await sharer(h)] as const),
  )
  people = Object.fromEntries(everyone) as typeof people
  // The stranger is a friend with whom the calendar is just not shared.
  await befriend(
    h,
    people.owner,
    Object.values(people).filter((one) => one !== people.owner),
  )
})

/** A calendar of its own for one request of one role. */
async function setScene(role: Role, { member = 'writer' }: Row): Promise<Scene> {
  const { owner, guest } = people
  for (const one of Object.values(people)) await h.db.delete(calendars).where(isSpare(one))
  await h.db.delete(eventTemplates)
  // An owner invites nobody as often in a day as all scenes together would.
  await h.db.delete(sentInvitations)
  const shared = await owner.createCalendar('Shared')
  const memberships: Record<string, number> = {}
  for (const name of ['writer', 'reader', 'asked', 'former'] as const) {
    const permission = name === 'reader' ? 'read' : 'write'
    memberships[name] = (await owner.share(shared.id, people[name], permission)).body.id
    if (name !== 'asked') await people[name].accept(memberships[name] ?? 0)
  }
  await owner.dismiss(shared.id, memberships['former'] ?? 0)
  const { id } = await owner.create({ ...DAILY, calendar_id: shared.id })
  const invited = await owner.invite(id, guest)
  const template = await owner.request('POST', '/api/event-templates', {
    body: { name: 'Choir', title: 'Choir', calendar_id: shared.id },
  })
  const calendarId = (await people[role].createCalendar('Own')).id
  return {
    calendar: shared.id,
    event: id,
    invitation: invited.body.invitations[0].id,
    member: memberships[member] ?? 0,
    invite: memberships['asked'] ?? 0,
    template: template.body.id,
    guest: guest.row.id,
    own: {
      calendar: calendarId,
      event: (await people[role].create({ ...DAILY, calendar_id: calendarId })).id,
    },
  }
}

/** What earlier scenes left. */
const isSpare = ({ row }: Person) =>
  and(eq(calendars.userId, row.id), inArray(calendars.name, ['Shared', 'Own', 'New', 'Mine']))

const ABSENT = 2_147_483_647

/** What a client sees of an answer, but for what is each request's own. */
async function answer(role: Role, row: Row, ids: Scene) {
  const { method, path } = operations.get(row.operation) ?? {
    method: '',
    path: '',
  }
  const params = row.params?.(ids) ?? {}
  const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => String(params[name]))
  const query = new URLSearchParams(row.query?.(ids)).toString()
  const body = row.body && bodyOf(row.body(ids))
  const response = await h.app.fetch(
    new Request(`http://localhost${filled}${query && `?${query}`}`, {
      method,
      headers: {
        cookie: `session=${people[role].token}`,
        ...(body && { 'content-type': row.contentType ?? 'application/json' }),
      },
      ...(body && { body }),
    }),
  )
  const headers = [...response.headers].filter(([name]) => name !== 'x-request-id' && name !== 'date')
  return { status: response.status, headers, text: await response.text() }
}

const bodyOf = (body: unknown) => (typeof body === 'string' ? body : JSON.stringify(body))

/** All that the calendar is and holds. */
const contents = async ({ calendar: id }: Scene) => ({
  calendar: await h.db.select().from(calendars).where(eq(calendars.id, id)),
  members: await h.db
    .select()
    .from(calendarMembers)
    .where(eq(calendarMembers.calendarId, id))
    .orderBy(calendarMembers.id),
  events: await h.db
    .select()
    .from(events)
    .leftJoin(eventOccurrences, eq(eventOccurrences.eventId, events.id))
    .leftJoin(eventInvitations, eq(eventInvitations.eventId, events.id))
    .where(eq(events.calendarId, id)),
})

test('every operation has rows here', () => {
  const covered = new Set(ROWS.map(({ operation }) => operation))
  expect([...operations.keys()].filter((id) => !covered.has(id))).toEqual([])
  expect([...covered].filter((id) => !operations.has(id))).toEqual([])
})

const named = ROWS.map(
  (row) => [row.what === undefined ? row.operation : `${row.operation}, ${row.what}`, row] as const,
)

describe.each(named)('%s', (_, row) => {
  test.each(ROLES.map((role, place) => [role, row.outcomes[place]] as const))(
    '%s: %s',
    async (role, outcome) => {
      const ids = await setScene(role, row)
      const before = await contents(ids)
      const { status, headers, text } = await answer(role, row, ids)
      if (typeof outcome === 'number') expect([status, text]).toEqual([outcome, expect.any(String)])
      if (outcome === 'shown' || outcome === 'hidden') {
        expect(status).toBe(200)
        expect(row.shows?.(JSON.parse(text), ids) ? 'shown' : 'hidden').toBe(outcome)
      }
      if (outcome === 403)
        expect(JSON.parse(text)).toEqual({
          detail: 'Insufficient permissions',
        })
      if (status >= 400) expect(await contents(ids)).toEqual(before)
      if (typeof outcome === 'string' && outcome.startsWith('404')) {
        const resource = outcome.slice('404 '.length)
        expect([status, text]).toEqual([404, JSON.stringify({ detail: `${resource} not found` })])
        const absent = { ...ids, [RESOURCES[resource as Resource]]: ABSENT }
        expect(await answer(role, row, absent)).toEqual({
          status,
          headers,
          text,
        })
      }
    },
  )
})
