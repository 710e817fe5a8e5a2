import { expect, test } from 'bun:test'
import { davProperties, eventAlarms } from '../../src/db/schema'
import { purgeHistory } from '../../src/access/history/service'
import { purgeLost } from '../../src/features/objects/collections/service'
import { phoneOf, PREFIXES } from '../support/dav'
import { sharedWith } from '../support/sharing'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const KEEPING = `<d:propertyupdate ${PREFIXES}><d:set><d:prop><a:calendar-order>7</a:calendar-order></d:prop></d:set></d:propertyupdate>`

test('what clients keep with a deleted calendar and its events goes when nobody can restore them any more', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'read')
  const event = await ada.create({
    title: 'Gone',
    start_at: '2026-03-10T12:00:00',
    end_at: '2026-03-10T13:00:00',
    calendar_id: calendar.id,
  })
  const phone = await phoneOf(h, bob)
  const path = `${phone.home}calendar-${calendar.id}/`
  for (const at of [path, phone.home])
    expect((await phone.send('PROPPATCH', at, { body: KEEPING })).status).toBe(207)
  const { responses } = await phone.propfind(path, ['d:getetag'], '1')
  const [, href = ''] = [...responses.keys()]
  const { text } = await phone.send('GET', href)
  const body = text.replace(
    'END:VEVENT',
    'BEGIN:VALARM\r\nACTION:DISPLAY\r\nTRIGGER:-PT5M\r\nEND:VALARM\r\nEND:VEVENT',
  )
  expect((await phone.send('PUT', href, { body })).status).toBe(204)
  expect(event.id).toBeGreaterThan(0)
  expect(await purgeLost(h.deps)).toBe(0)
  await ada.request('DELETE', `/api/calendars/${calendar.id}`)
  expect(await purgeLost(h.deps)).toBe(0)
  h.clock.advance({ days: 31 })
  await purgeHistory(h.deps)
  expect(await purgeLost(h.deps)).toBe(2)
  expect((await h.db.select().from(davProperties)).map(({ place }) => place)).toEqual(['calendars'])
  expect(await h.db.select().from(eventAlarms)).toEqual([])
})
