import { heal, type Cast, type Person } from '../fuzz/cast'
import { lookAround, type Supplies, supplied } from '../fuzz/supply'
import { register } from '../support/passkeys'
import { isAdministration } from './authorisation.callers'

/**
 * Gives the user, a friend of theirs and a stranger to the user records of everything that the document has: by its own
 * operations, but for what takes two people or a passkey, and for blocks, which would part them.
 */
export async function furnish(supplies: Supplies): Promise<void> {
  const { cast } = supplies
  const { user, friend, stranger, admin } = cast.people
  const owners = [user, friend, stranger]
  await befriend(cast, stranger, friend)
  await lookAround(supplies, admin)
  for (const person of owners) {
    await block(cast, person)
    await lookAround(supplies, person)
    await register(speaking(cast, person))
    await equip(supplies, person)
  }
  for (const guest of [user, stranger]) {
    await invite(cast, friend, guest)
    await share(cast, friend, guest)
  }
  // What one of them did may be another's record by now.
  for (const person of owners) {
    await lookAround(supplies, person)
    await equip(supplies, person)
  }
  await equip(supplies, admin)
  for (const person of [...owners, admin]) await heal(cast, person)
}

/** Records for every path that the person may use. */
async function equip(supplies: Supplies, person: Person): Promise<void> {
  const operations = supplies.operations.filter(
    (operation) => isAdministration(operation) === (person.role === 'admin'),
  )
  for (const { path } of operations) await supplied(supplies, person, path)
}

const speaking = ({ h }: Cast, { token }: Person): { request: Cast['h']['request'] } => ({
  request: (method, path, sent) => h.request(method, path, { cookie: token, ...sent }),
})

async function befriend(cast: Cast, from: Person, to: Person): Promise<void> {
  const body = { network_name: to.networkName }
  const asked = await speaking(cast, from).request('POST', '/api/connections/requests', { body })
  await speaking(cast, to).request('PUT', `/api/connections/requests/${asked.body.id}/accept`)
}

/** Somebody with whom nobody here has to do. */
async function block(cast: Cast, person: Person): Promise<void> {
  const body = { network_name: cast.expendable[0]?.networkName }
  await speaking(cast, person).request('POST', '/api/connections/blocks', { body })
}

/** Each to an event of their own, so that neither sees the invitation of the other. */
async function invite(cast: Cast, host: Person, guest: Person): Promise<void> {
  const event = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }
  const { body } = await speaking(cast, host).request('POST', '/api/events', { body: event })
  // Somebody else's, whatever they list later.
  guest.pool.spare('/api/events', String(body.id))
  const path = `/api/events/${body.id}/invitations`
  await speaking(cast, host).request('POST', path, { body: { user_ids: [guest.id] } })
}

/** Each a calendar of their own, which they have not accepted yet. */
async function share(cast: Cast, host: Person, guest: Person): Promise<void> {
  const body = { name: `For ${guest.networkName}` }
  const { id } = (await speaking(cast, host).request('POST', '/api/calendars', { body })).body
  const shared = { user_id: guest.id, permission: 'read' }
  await speaking(cast, host).request('POST', `/api/calendars/${id}/members`, { body: shared })
}
