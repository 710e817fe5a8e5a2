import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { eventOccurrences } from '../../../../src/db/schema'
import { at, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const MEETING = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:30' }
const DAILY = { ...MEETING, recurrence_rule: 'FREQ=DAILY;COUNT=4' }
const MARCH = ['2026-03-01', '2026-04-05'] as const

describe('deleting', () => {
  test('an event or a whole series leaves nothing', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(DAILY)
    await ada.change(id, { title: 'x' }, at('2026-03-11T09:00'))
    const gone = await ada.remove(id)
    expect([gone.status, gone.body]).toEqual([204, ''])
    expect((await ada.read(id)).body).toEqual({ detail: 'Event not found' })
    expect(await ada.list(...MARCH)).toEqual([])
    expect((await ada.remove(id)).status).toBe(404)
    expect(await h.db.select().from(eventOccurrences).where(eq(eventOccurrences.eventId, id))).toEqual([])
  })

  test('an occurrence makes an exception, which is no occurrence any more', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(DAILY)
    await ada.change(id, { title: 'x' }, at('2026-03-11T09:00'))
    const gone = await ada.remove(id, at('2026-03-11T09:00'))
    expect([gone.status, gone.body]).toEqual([204, ''])
    expect((await ada.starts(...MARCH)).map((start) => start.slice(8, 10))).toEqual(['10', '12', '13'])
    for (const again of [
      await ada.remove(id, at('2026-03-11T09:00')),
      await ada.change(id, { title: 'y' }, at('2026-03-11T09:00')),
      await ada.change(id, { title: 'y' }, at('2026-03-11T09:00', 'following')),
    ]) {
      expect([again.status, again.body]).toEqual([404, { detail: 'Occurrence not found' }])
    }
    expect((await ada.read(id)).body).toMatchObject({ title: 'Choir', version: 3 })
  })

  test('the first occurrence leaves the rest, which can be edited', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(DAILY)
    await ada.remove(id, at('2026-03-10T09:00'))
    await ada.change(id, { title: 'All', start_at: '2026-03-10T12:00' })
    await ada.change(id, { title: 'One' }, at('2026-03-11T12:00'))
    expect((await ada.list(...MARCH)).map((one) => [one.title, one.start_at.slice(0, 16)])).toEqual([
      ['One', '2026-03-11T12:00'],
      ['All', '2026-03-12T12:00'],
      ['All', '2026-03-13T12:00'],
    ])
  })

  test('all occurrences one by one leaves a series that shows nothing and can still be read', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...DAILY, recurrence_rule: 'FREQ=DAILY;COUNT=2' })
    for (const day of [10, 11]) {
      expect((await ada.remove(id, at(`2026-03-${day}T09:00`))).status).toBe(204)
    }
    expect(await ada.list(...MARCH)).toEqual([])
    expect((await ada.occurrences(id, ...MARCH)).body.occurrences).toEqual([])
    expect((await ada.read(id)).body).toMatchObject({ id, recurrence_rule: 'FREQ=DAILY;COUNT=2' })
    expect((await ada.remove(id)).status).toBe(204)
  })

  test('the rest of a series ends it before that occurrence', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create(DAILY)
    await ada.change(id, { title: 'x' }, at('2026-03-13T09:00'))
    expect((await ada.remove(id, at('2026-03-12T09:00', 'following'))).status).toBe(204)
    expect((await ada.starts(...MARCH)).map((start) => start.slice(8, 10))).toEqual(['10', '11'])
    expect(await h.db.select().from(eventOccurrences).where(eq(eventOccurrences.eventId, id))).toEqual([])
    expect((await ada.read(id)).body).toMatchObject({ start_at: '2026-03-10T09:00:00+01:00' })
    expect((await ada.remove(id, at('2026-03-10T09:00', 'following'))).status).toBe(204)
    expect((await ada.read(id)).status).toBe(404)
  })
})
