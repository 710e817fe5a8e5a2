import { connect, set } from './connecting'
import type { Actor } from './harness'
import { person } from './inviting'
import type { Prepare, Preparation } from './preparations'

export const CHOIR = { title: 'Choir', start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

/** Something done with an event of the user's. */
const withEvent =
  (method: string, body?: object): Prepare =>
  async (ada) => {
    const { id } = (await ada.request('POST', '/api/events', { body: CHOIR })).body
    return () => ada.request(method, `/api/events/${id}`, body ? { body } : {})
  }

/** Something done with an event template of the user's. */
const withTemplate =
  (method: string, body?: object): Prepare =>
  async (ada) => {
    const { id } = (await ada.request('POST', '/api/event-templates', { body: TEMPLATE })).body
    return () => ada.request(method, `/api/event-templates/${id}`, body ? { body } : {})
  }
const TEMPLATE = { name: 'Rehearsal', title: 'Choir' }

/** An invitation of somebody with whom the user is connected. */
const invitation: Prepare = async (ada, h) => {
  const bob = await person(h)
  await connect(ada, bob)
  const { id } = (await ada.request('POST', '/api/events', { body: CHOIR })).body
  return () => ada.request('POST', `/api/events/${id}/invitations`, { body: { user_ids: [bob.row.id] } })
}

/** An invitation to the user, which `request` does something with. */
const invited =
  (request: (invitation: { id: number; event_id: number }) => Parameters<Actor['request']>): Prepare =>
  async (ada, h) => {
    const bob = await person(h)
    await set(h, ada, { acceptConnections: true })
    await connect(bob, ada)
    const { body } = await bob.invite((await bob.create(CHOIR)).id, ada)
    return () => ada.request(...request(body.invitations[0]))
  }
const OWN = '/api/event-invitations'

/** Something done with one occurrence of a series, or from it on. */
const withSeries =
  (method: string, scope: string, body?: object): Prepare =>
  async (ada) => {
    const series = { ...CHOIR, recurrence_rule: 'FREQ=DAILY;COUNT=9' }
    const { id } = (await ada.request('POST', '/api/events', { body: series })).body
    const query = `scope=${scope}&occurrence_start=2026-03-12T09:00`
    return () => ada.request(method, `/api/events/${id}?${query}`, body ? { body } : {})
  }

/** Every operation that changes events, event templates and invitations, and what must be there before it. */
export const OF_EVENTS: readonly Preparation[] = [
  ['a new event', (ada) => () => ada.request('POST', '/api/events', { body: CHOIR })],
  ['a change of an event', withEvent('PUT', { title: 'Band' })],
  ['the deletion of an event', withEvent('DELETE')],
  ['a change of one occurrence', withSeries('PUT', 'this', { title: 'Band' })],
  ['a change from one occurrence on', withSeries('PUT', 'following', { title: 'Band' })],
  ['the deletion of one occurrence', withSeries('DELETE', 'this')],
  ['a deletion from one occurrence on', withSeries('DELETE', 'following')],
  ['a new event template', (ada) => () => ada.request('POST', '/api/event-templates', { body: TEMPLATE })],
  ['a change of an event template', withTemplate('PUT', { title: 'Band' })],
  ['the deletion of an event template', withTemplate('DELETE')],
  ['an invitation', invitation],
  ['an answer', invited(({ id }) => ['PUT', `${OWN}/${id}`, { body: { response: 'Going' } }])],
  [
    'a choice of calendar',
    invited(({ id }) => ['PUT', `${OWN}/${id}/display-calendar`, { body: { calendar_id: null } }]),
  ],
  [
    'leaving an event',
    invited(({ id, event_id }) => ['DELETE', `/api/events/${event_id}/invitations/${id}`]),
  ],
]
