import { describe, expect, test } from 'bun:test'
import { inTransaction } from '../../../../src/db/transaction'
import {
  readObject,
  textOf,
  textsOf,
  writeObject,
} from '../../../../src/features/calendars/event-files/service'
import { calendar, exportOf, importer, wrapped } from '../../../support/calendar-files'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const EVENT = ['UID:u', 'DTSTART:20260310T090000', 'SUMMARY:One', 'X-ODD:1']
const read = (text: string) => readObject(h.deps, text, 'Europe/Berlin')

async function put(own: Awaited<ReturnType<typeof importer>>, text: string) {
  const found = await read(text)
  if (found.kind !== 'VEVENT') throw new Error(JSON.stringify(found))
  const reader = { userId: own.ada.row.id, id: 'x', operation: undefined, owner: undefined, token: undefined }
  const place = { calendarId: own.id, access: 'owner' as const, reader: reader as never, now: h.clock.now() }
  return inTransaction(h.deps.db, (tx) => writeObject(tx, place, found.event), own.ada.row.id)
}

describe('A calendar object', () => {
  test.each([
    ['not_storable', calendar([...EVENT, 'X:\0'])],
    ['not_a_calendar', 'hello'],
    ['not_a_calendar', calendar(EVENT).replace('END:VCALENDAR\r\n', '')],
    ['has_method', calendar(EVENT).replace('VERSION:2.0', 'METHOD:REQUEST')],
    ['no_component', wrapped()],
    ['several_kinds', wrapped(['BEGIN:VEVENT', ...EVENT, 'END:VEVENT', 'BEGIN:VTODO', 'UID:u', 'END:VTODO'])],
    ['no_uid', calendar(EVENT.slice(1))],
    ['several_uids', calendar(EVENT, ['UID:v', ...EVENT.slice(1)])],
    ['unreadable', calendar([...EVENT, 'no colon'])],
    ['no_start', calendar(['UID:u'])],
  ])('is refused as %s', async (problem, text) => {
    expect(await read(text)).toMatchObject({ kind: 'problem', problem })
  })

  test('of other components is named with its UID', async () => {
    const text = wrapped(['BEGIN:VJOURNAL', 'UID:j', 'END:VJOURNAL'])
    expect(await read(text)).toEqual({ kind: 'other', component: 'VJOURNAL', uid: 'j' })
  })

  test('is given back as it was written, changes nothing when it is written again, and follows changes', async () => {
    const own = await importer(h)
    const text = calendar(EVENT).replaceAll('\r\n', '\n')
    const made = await put(own, text)
    expect(made).toEqual({ id: made.id, version: 1, isChanged: true })
    expect(await textOf(h.deps, h.deps.db, made.id)).toBe(text)
    expect(await put(own, text)).toEqual({ ...made, isChanged: false })
    await own.ada.change(made.id, { title: 'Two' })
    const changed = (await textOf(h.deps, h.deps.db, made.id)) ?? ''
    expect(changed).toContain('SUMMARY:Two\n')
    for (const line of text.split('\n').filter((one) => !one.startsWith('SUMMARY')))
      expect(changed.split('\n')).toContain(line)
    expect(await put(own, text)).toEqual({ id: made.id, version: 3, isChanged: true })
    expect((await own.ada.read(made.id)).body).toMatchObject({ title: 'One', version: 3 })
    expect(await exportOf(own.ada, own.id)).toContain('X-ODD:1\r\n')
  })

  test('exists for every event, also for those made here', async () => {
    const own = await importer(h)
    const { id } = await own.ada.create({
      title: 'Here',
      start_at: '2026-03-10T09:00',
      end_at: '2026-03-10T10:00',
    })
    const text = (await textsOf(h.deps, h.deps.db, [id])).get(id) ?? ''
    expect(await read(text)).toMatchObject({ kind: 'VEVENT', event: { event: { texts: { title: 'Here' } } } })
    expect(text.match(/^BEGIN:VTIMEZONE$/gm)?.length ?? 0).toBeLessThanOrEqual(1)
    expect(await textOf(h.deps, h.deps.db, 0)).toBeUndefined()
  })
})

test('A time zone that a file does not end has an end in the kept text, and the calendar is exported', async () => {
  const own = await importer(h)
  const zone = ['BEGIN:VTIMEZONE', 'TZID:Odd', 'BEGIN:STANDARD', 'DTSTART:19700101T000000']
  const offsets = ['TZOFFSETFROM:+0100', 'TZOFFSETTO:+0100', 'END:STANDARD']
  const event = ['BEGIN:VEVENT', 'UID:odd', 'DTSTART;TZID=Odd:20260310T090000', 'SUMMARY:Odd', 'END:VEVENT']
  expect(await own.take(wrapped([...zone, ...offsets], event))).toMatchObject({ created: 1, skipped: [] })
  const [{ id }] = (await own.ada.request('GET', `/api/calendars/${own.id}/events`)).body.events
  const text = (await textsOf(h.deps, h.deps.db, [id])).get(id)
  expect(text).toBe(wrapped([...zone, ...offsets, 'END:VTIMEZONE'], event))
  expect(await exportOf(own.ada, own.id)).toContain(event.join('\r\n'))
})
