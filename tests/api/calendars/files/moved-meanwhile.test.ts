import { expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { events } from '../../../../src/db/schema'
import { calendar, importInto, newCalendar } from '../../../support/calendar-files'
import { organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'

const h = useHarness()

const FILE = calendar(['UID:x', 'DTSTART:20260310T090000', 'SUMMARY:X'])

test('events that are moved into a calendar while the same file is imported there become other events, each there once', async () => {
  const ada = await organiser(h)
  for (let round = 0; round < 20; round++) {
    const sources = [await newCalendar(ada, `a${round}`), await newCalendar(ada, `b${round}`)]
    const target = await newCalendar(ada, `target${round}`)
    const ids: number[] = []
    for (const source of sources) {
      expect((await importInto(ada, source, FILE)).status).toBe(200)
      const found = await ada.list('2026-03-10', '2026-03-11', { calendar_id: String(source) })
      ids.push(...found.map(({ id }) => id))
    }
    const answers = await Promise.all([
      ada.change(ids[0] ?? 0, { calendar_id: target }),
      importInto(ada, target, FILE),
      ada.change(ids[1] ?? 0, { calendar_id: target }),
      importInto(ada, target, FILE),
    ])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    const uids = (await h.db.select().from(events).where(eq(events.calendarId, target))).map(({ uid }) => uid)
    expect(new Set(uids).size).toBe(uids.length)
    expect(uids.filter((uid) => uid === 'x')).toHaveLength(1)
  }
}, 60_000)
