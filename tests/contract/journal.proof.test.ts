import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { eq, sql } from 'drizzle-orm'
import { users } from '../../src/db/schema'
import { purge } from '../../src/jobs/purge'
import { dispatchPushes } from '../../src/jobs/push-dispatch'
import { type Cast, heal, keepUp, type Person, startCast } from '../fuzz/cast'
import { isRisky } from '../fuzz/sending'
import { attempt, type Supplies, supplied } from '../fuzz/supply'
import { BLOCKS, block, connect, connectionsOf, send, settle, sociable } from '../support/connecting'
import { type Harness, PASSWORD } from '../support/harness'
import { invitedTo } from '../support/inviting'
import { type JournalView, SILENT, unnoted, viewJournal, WATCHED } from '../support/journal'
import { documentOf, operationsOf } from '../support/openapi'
import { linkIdentity } from '../support/identities'
import { begin, complete, PASSKEYS, register } from '../support/passkeys'
import { lent, sharedWith } from '../support/sharing'
import { isAdministration } from './authorisation.callers'
import { furnish } from './authorisation.records'

setDefaultTimeout(240_000)

let cast: Cast
let supplies: Supplies
beforeAll(async () => {
  cast = await startCast()
  const document = await documentOf(cast.h.app.fetch)
  supplies = {
    cast,
    operations: operationsOf(document),
    schemas: document.components.schemas,
    seed: 24,
    attempts: 40,
  }
  await furnish(supplies)
})
afterAll(() => cast.h[Symbol.asyncDispose]())

test('every table is watched by the journal, or there is a reason why not', async () => {
  // What only wakes live updates is no item.
  const tables = await cast.h.db.execute<{ name: string; triggers: number }>(sql`
    select relname as name, (select count(*)::integer from pg_trigger where tgrelid = pg_class.oid and tgname ~ '_sync_'
      and tgfoid <> 'sync_credential'::regproc) as triggers
    from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'`)
  const names = (filter: (table: { triggers: number }) => boolean) =>
    tables.filter(filter).map(({ name }) => name)
  expect(names(({ triggers }) => triggers > 0).toSorted()).toEqual(WATCHED.toSorted())
  expect(names(({ triggers }) => triggers === 0).toSorted()).toEqual(Object.keys(SILENT).toSorted())
})

/** Expects that the journal names whatever `act` changes. */
async function expectNoted(title: string, act: () => Promise<unknown>): Promise<JournalView> {
  const { db } = cast.h
  const before = await viewJournal(db)
  await act()
  const after = await viewJournal(db)
  expect({ title, unnoted: await unnoted(db, before, after) }).toEqual({ title, unnoted: [] })
  return after
}

const ATTEMPTS = 40

/** Tries until the operation succeeds. Returns whether it did. */
async function succeeds(person: Person, operation: Supplies['operations'][number]): Promise<boolean> {
  for (let at = 0; at < ATTEMPTS; at++) {
    await supplied(supplies, person, operation.path)
    const status = await attempt(supplies, person, operation)
    if (status < 300) return true
    if (status === 401 || status === 403) await heal(cast, person)
  }
  return false
}

function peopleFor(operation: Supplies['operations'][number]): readonly Person[] {
  const { admin, user, friend } = cast.people
  if (isAdministration(operation)) return [admin]
  return isRisky(operation) ? [...cast.expendable] : [user, friend]
}

/** Somebody with an entry in the trash. */
async function discarded(h: Harness) {
  const ada = await sociable(h)
  const { body } = await ada.request('POST', '/api/todos', { body: { title: 'Discarded' } })
  await ada.request('DELETE', `/api/todos/${body.id}`)
  const [item] = (await ada.request('GET', '/api/trash')).body.items
  return [`/api/trash/${item.id}`, ada] as const
}

test('the journal names whatever any operation changes', async () => {
  const changing = supplies.operations.filter(({ method }) => method !== 'GET')
  const missed = new Set<string>()
  for (const operation of changing) {
    let hasSucceeded = false
    for (const person of peopleFor(operation)) {
      await expectNoted(operation.title, async () => {
        hasSucceeded = (await succeeds(person, operation)) || hasSucceeded
      })
      await keepUp(cast)
    }
    if (!hasSucceeded) missed.add(operation.title)
  }
  for (const [title, prepare] of Object.entries(DELIBERATE)) {
    const act = await prepare(cast.h)
    await expectNoted(title, async () => {
      const { status } = await act()
      expect({ title, status }).toEqual({ title, status: [201, 204].includes(status) ? status : 200 })
    })
    missed.delete(title)
  }
  // It makes the very first account.
  expect([...missed]).toEqual(['POST /api/auth/setup'])
})

const CHOIR = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

type Act = () => Promise<{ status: number }>

/** What requests at random rarely succeed at, and what reaches furthest. */
const DELIBERATE: Readonly<Record<string, (h: Harness) => Promise<Act>>> = {
  'POST /api/calendars/{id}/members': async (h) => {
    const { ada, bob } = await sharedWith(h, 'read')
    const { id } = await ada.createCalendar('Band')
    return () => ada.share(id, bob)
  },
  'POST /api/auth/passkeys/login/complete': async (h) => {
    const ada = await h.signedIn()
    const { authenticator } = await register(ada)
    const credential = await authenticator.get(await begin(ada))
    return () => complete(ada, { credential })
  },
  'PUT /api/auth/passkeys/passwordless/disable': async (h) => {
    const ada = await h.signedIn()
    const { authenticator } = await register(ada)
    await h.db.update(users).set({ passwordlessEnabled: true }).where(eq(users.id, ada.row.id))
    const credential = await authenticator.get(await begin(ada, 'passwordless/disable'))
    return () => ada.request('PUT', `${PASSKEYS}/passwordless/disable`, { body: { credential } })
  },
  'DELETE /api/auth/identities/{id}': async (h) => {
    const ada = await h.signedIn()
    const id = await linkIdentity(h, ada.row.id)
    return () => ada.request('DELETE', `/api/auth/identities/${id}`)
  },
  'PUT /api/calendars/invites/{id}/reject': async (h) => {
    const { ada, bob } = await sharedWith(h, 'read')
    await ada.share((await ada.createCalendar('Band')).id, bob)
    const [invite] = (await bob.invites()).body.invites
    return () => bob.reject(invite.id)
  },
  'PUT /api/event-invitations/{id}': async (h) => {
    const { bob, invitation } = await invitedTo(h, CHOIR)
    return () => bob.respond(invitation.id, 'Going')
  },
  'PUT /api/event-invitations/{id}/display-calendar': async (h) => {
    const { bob, invitation } = await invitedTo(h, CHOIR)
    const { id } = await bob.createCalendar('Band')
    return () => bob.display(invitation.id, id)
  },
  'DELETE /api/todo-lists/{id}': async (h) => {
    const ada = await sociable(h)
    const { id } = (await ada.request('POST', '/api/todo-lists', { body: { name: 'Shops' } })).body
    await ada.request('POST', '/api/todos', { body: { title: 'Milk', list_id: id } })
    return () => ada.request('DELETE', `/api/todo-lists/${id}`)
  },
  'PUT /api/connections/requests/{id}/accept': async (h) => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { id } = (await send(ada, bob)).body
    return () => settle(bob, 'accept', id)
  },
  'POST /api/connections/requests': async (h) => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    return () => send(ada, bob)
  },
  'PUT /api/connections/requests/{id}/reject': async (h) => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { id } = (await send(ada, bob)).body
    return () => settle(bob, 'reject', id)
  },
  'POST /api/operations/{id}/undo': async (h) => {
    const { ada, bob } = await sharedWith(h, 'write')
    const { id } = await ada.createCalendar('Band')
    const event = await ada.create({
      title: 'Choir',
      start_date: '2026-03-10',
      end_date: '2026-03-10',
      all_day: true,
      calendar_id: id,
    })
    await ada.invite(event.id, bob)
    const { headers } = await ada.request('DELETE', `/api/calendars/${id}`)
    return () => ada.request('POST', `/api/operations/${headers.get('x-operation-id')}/undo`)
  },
  'POST /api/trash/{id}/restore': async (h) => {
    const [entry, ada] = await discarded(h)
    return () => ada.request('POST', `${entry}/restore`)
  },
  'DELETE /api/trash/{id}': async (h) => {
    const [entry, ada] = await discarded(h)
    return () => ada.request('DELETE', entry)
  },
  'PUT /api/connections/{id}/sharing': async (h) => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { own } = await connect(ada, bob)
    return () => ada.request('PUT', `/api/connections/${own}/sharing`, { body: { share_phone: true } })
  },
  'DELETE /api/connections/blocks/{id}': async (h) => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { id } = (await block(ada, bob)).body
    return () => ada.request('DELETE', `${BLOCKS}/${id}`)
  },
  'DELETE /api/auth/account': async (h) => {
    const { ada } = await entangled(h)
    return () => ada.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
  },
  'PUT /api/settings': async (h) => {
    const { ada } = await entangled(h)
    return () => ada.request('PUT', '/api/settings', { body: { network_name: 'renamed', share_phone: true } })
  },
  'DELETE /api/connections/{id}': async (h) => {
    const { ada } = await entangled(h)
    const [connection] = await connectionsOf(ada)
    return () => ada.request('DELETE', `/api/connections/${connection?.id}`)
  },
  ...Object.fromEntries(
    (
      [
        ['DELETE /api/admin/users/{id}/sessions', {}],
        ['DELETE /api/admin/users/{id}/tokens', {}],
        ['PUT /api/admin/users/{id}/role', { role: 'admin' }],
        ['PUT /api/admin/users/{id}/active', { is_active: false }],
        ['POST /api/admin/users/{id}/reset-password', {}],
        ['POST /api/admin/users/{id}/unlock', {}],
        ['PUT /api/admin/users/{id}/enforce-mfa', { enforce: true }],
        ['POST /api/admin/users/{id}/disable-mfa', {}],
        ['PUT /api/admin/users/{id}/passwordless', { enabled: false }],
      ] as const
    ).map(([title, body]) => [title, (h: Harness) => administering(h, title, body)]),
  ),
}

async function administering(h: Harness, title: string, body: object): Promise<Act> {
  const { ada } = await entangled(h)
  const [method = '', path = ''] = title.split(' ')
  const { token } = cast.people.admin
  const hasBody = Object.keys(body).length > 0
  return () =>
    h.request(method, path.replace('{id}', String(ada.row.id)), { cookie: token, ...(hasBody && { body }) })
}

/** Two connected users: each has invited the other to an event, and shares a calendar with the other. */
async function entangled(h: Harness) {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  await lent(bob, ada)
  await ada.invite((await ada.create({ ...CHOIR, calendar_id: calendar.id })).id, bob)
  await bob.invite((await bob.create(CHOIR)).id, ada)
  return { ada, bob }
}

test('the journal names whatever the jobs change', async () => {
  const { h } = cast
  h.clock.advance({ hours: 24 * 200 })
  await expectNoted('push', () => dispatchPushes(h.deps, () => false))
  await expectNoted('purge', () => purge(h.deps, () => false))
})
