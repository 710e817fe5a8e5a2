import { afterAll, beforeAll, expect, test } from 'bun:test'
import { calendar, importer } from '../../support/calendar-files'
import { type Harness, startHarness } from '../../support/harness'

let h: Harness
beforeAll(async () => void (h = await startHarness()))
afterAll(() => h[Symbol.asyncDispose]())

test.each(['FREQ=WEEKLY', 'FREQ=WEEKLY;INTERVAL=2', 'FREQ=DAILY;COUNT=5', 'FREQ=MONTHLY;UNTIL=20260801'])(
  'a start beside %s is an occurrence: changed, cancelled, moved and divided at like any other',
  async (rule) => {
    const { ada, take, starts } = await importer(h)
    const lines = ['UID:x', 'DTSTART:20260302T090000', 'SUMMARY:X', `RRULE:${rule}`]
    await take(calendar([...lines, 'RDATE:20260311T100000,20260325T110000,20260408T120000']))
    const [{ id }] = await ada.list('2026-03-02', '2026-03-03')
    const before = await starts()
    const at = (start: string, scope: string) => ({ scope, occurrence_start: start })
    expect(before).toContain('2026-03-25T11:00:00+01:00')
    const divided = await ada.change(id, { title: 'Y' }, at('2026-03-25T11:00', 'following'))
    expect(divided).toMatchObject({
      status: 200,
      body: { title: 'Y', start_at: '2026-03-25T11:00:00+01:00' },
    })
    expect(await starts()).toEqual(before)
    await ada.remove(id, at('2026-03-11T10:00', 'this'))
    expect(await starts()).toEqual(before.filter((start) => start !== '2026-03-11T10:00:00+01:00'))
    await ada.change(divided.body.id, { start_at: '2026-03-25T12:00' })
    expect(await starts()).toContain('2026-04-08T13:00:00+02:00')
  },
)
