import { expect, test } from 'bun:test'
import { phoneOf } from '../support/dav'
import { EVENTS } from '../support/dav-kinds'
import { organiser } from '../support/events'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const RDATE = 'RDATE;VALUE=PERIOD;TZID=Europe/Berlin:20260312T090000/PT3H,20260320T100000/20260320T103000'

/** A phone's event with two more dates, each with a length of its own. */
async function start(...more: readonly string[]) {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const [, path = ''] = [...responses.keys()]
  const text = EVENTS.textOf('periods@phone', 'Choir', [RDATE, ...more])
  const href = `${path}periods.ics`
  expect((await phone.send('PUT', href, { body: text })).status).toBe(201)
  const shown = async () =>
    (await ada.list('2026-03-01', '2026-04-01')).map(({ start_at, end_at }) => [start_at, end_at])
  const [{ id }] = await ada.list('2026-03-01', '2026-04-01')
  return { ada, phone, href, text, shown, id: Number(id) }
}

const THERE = [
  ['2026-03-10T12:00:00+01:00', '2026-03-10T13:00:00+01:00'],
  ['2026-03-12T09:00:00+01:00', '2026-03-12T12:00:00+01:00'],
  ['2026-03-20T10:00:00+01:00', '2026-03-20T10:30:00+01:00'],
]

test('dates with lengths of their own show as occurrences of that length, and the text stays as it was put', async () => {
  const { ada, phone, href, text, shown, id } = await start()
  expect(await shown()).toEqual(THERE)
  expect((await ada.read(id)).body).toMatchObject({ recurrence_unsupported: false })
  expect((await phone.send('GET', href)).text).toBe(text)
})

test('a change of words in JSON leaves their line byte for byte', async () => {
  const { ada, phone, href, shown, id } = await start()
  expect((await ada.change(id, { title: 'Rehearsal' })).status).toBe(200)
  const { text } = await phone.send('GET', href)
  expect(text).toContain(`\r\n${RDATE}\r\n`)
  expect(await shown()).toEqual(THERE)
})

test('a change of the times in JSON moves them, and clients are told the same times', async () => {
  const { ada, phone, href, shown, id } = await start()
  expect((await ada.change(id, { start_at: '2026-03-10T13:00' })).status).toBe(200)
  const moved = await shown()
  const { text } = await phone.send('GET', href)
  const copy = await phone.send('PUT', href.replace('periods.ics', 'copy.ics'), {
    body: text.replaceAll('periods@phone', 'copy@phone'),
  })
  expect(copy.status).toBe(201)
  const all = await shown()
  expect(all).toHaveLength(2 * moved.length)
  expect(all.toSorted((one, other) => String(one).localeCompare(String(other)))).toEqual(
    [...moved, ...moved].toSorted((one, other) => String(one).localeCompare(String(other))),
  )
})
