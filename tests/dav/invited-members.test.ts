import { expect, test } from 'bun:test'
import { textOfChild } from '../../src/lib/xml/element'
import { dav } from '../../src/lib/xml/names'
import { phoneOf, syncOf } from '../support/dav'
import { sharedWith } from '../support/sharing'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const SINGLE = { title: 'Choir', start_at: '2026-03-10T12:00', end_at: '2026-03-10T13:00' }

test('an event to which a member of its calendar is invited shows once, where the invitation does', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'read')
  const phone = await phoneOf(h, bob)
  const shared = `${phone.home}calendar-${calendar.id}/`
  const { id } = (await bob.request('POST', '/api/calendars', { body: { name: 'Mine' } })).body
  const own = `${phone.home}calendar-${id}/`
  const namesIn = async (path: string) =>
    [...(await phone.propfind(path, ['d:getetag'], '1')).responses.keys()].filter((href) => href !== path)
  const event = await ada.create({ ...SINGLE, time_zone: 'UTC', calendar_id: calendar.id })
  const before = textOfChild((await phone.report(shared, syncOf(''))).xml, dav('sync-token')) ?? ''
  const heard = async () => {
    const { responses } = await phone.report(shared, syncOf(before))
    return [...responses].map(([href, { status }]) => [href, status === undefined])
  }
  const [name = ''] = await namesIn(shared)
  await ada.invite(event.id, bob)
  const [invitation] = (await bob.request('GET', '/api/event-invitations')).body.invitations
  await bob.display(invitation.id, id)
  expect([await namesIn(shared), await namesIn(own)]).toEqual([[], [`${own}inv-${invitation.id}.ics`]])
  expect(await heard()).toEqual([[name, false]])
  expect((await phone.send('GET', name)).status).toBe(404)
  await phone.send('DELETE', `${own}inv-${invitation.id}.ics`)
  expect([await namesIn(shared), await namesIn(own)]).toEqual([[name], []])
  expect(await heard()).toEqual([[name, true]])
})
