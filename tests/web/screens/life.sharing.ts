import { send, block, set } from '../../support/connecting'
import type { Harness } from '../../support/harness'
import { type Person, person } from '../../support/inviting'

/** What two people have of each other, and what others want of the first. */
export async function fillSharing(h: Harness, ada: Person, bob: Person) {
  const [asking, asked, blocked] = [await person(h), await person(h), await person(h)]
  await set(h, ada, { firstName: 'Augusta', company: 'Analytical Engines', shareFirstName: true, shareCompany: true })
  await set(h, bob, {
    preferredName: 'Robert Bernard',
    address: '1 Chestnut Close\nNorwich',
    sharePreferredName: true,
    shareAddress: true,
  })
  await send(asking, ada, 'We met in the reading room.')
  await send(ada, asked)
  await block(ada, blocked)
  const choir = await ada.createCalendar('Choir')
  const allotment = await bob.createCalendar('Allotment')
  const rowing = await bob.createCalendar('Rowing')
  const share = (owner: Person, id: number, other: Person, permission: string) =>
    owner.request('POST', `/api/calendars/${id}/members`, { body: { user_id: other.row.id, permission } })
  await share(ada, choir.id, bob, 'write')
  await share(bob, allotment.id, ada, 'read')
  const { body } = await ada.request('GET', '/api/calendars/invites')
  await ada.request('PUT', `/api/calendars/invites/${body.invites[0].id}/accept`)
  await share(bob, rowing.id, ada, 'write')
  const { body: list } = await ada.request('GET', '/api/connections')
  const connection: number = list.connections[0].id
  await ada.request('PUT', `/api/connections/${connection}/sharing`, { body: { share_company: false } })
  return {
    connection,
    sharedByMe: Number(choir.id),
    sharedWithMe: Number(allotment.id),
    findable: asked.row.networkName,
    names: ['Augusta', 'Analytical Engines', 'Robert Bernard', '1 Chestnut Close', 'Norwich', 'Choir', 'Allotment', 'Rowing', 'We met in the reading room.'],
    people: [asking, asked, blocked],
  }
} // prettier-ignore
