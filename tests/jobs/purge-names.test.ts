import { expect, test } from 'bun:test'
import { purgeNames } from '../../src/features/objects/collections/service'
import { davGone } from '../../src/db/schema'
import { organiser } from '../support/events'
import { useHarness } from '../support/use-harness'

const h = useHarness()

test('the names of deleted events are forgotten when the journal forgets that they were there', async () => {
  const ada = await organiser(h)
  const event = await ada.create({
    title: 'Gone',
    start_at: '2026-03-10T12:00:00',
    end_at: '2026-03-10T13:00:00',
  })
  await ada.request('DELETE', `/api/events/${event.id}`)
  // The database notes the time of its own clock.
  await h.db.update(davGone).set({ at: h.clock.now() })
  h.clock.advance({ days: 400 })
  expect(await purgeNames(h.deps)).toBe(0)
  h.clock.advance({ days: 1 })
  expect(await purgeNames(h.deps)).toBe(1)
  expect(await h.db.select().from(davGone)).toEqual([])
})
