import { expect, test } from 'bun:test'
import { SERIES } from '../../../support/doing.scene'
import { befriend, type Person, person } from '../../../support/inviting'
import { lockWaiters } from '../../../support/locks'
import { did } from '../../../support/undoing'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const sql = useSql(h)
const watcher = useSql(h)

/** A series in which each guest has answered hundreds of occurrences. */
async function answered(ada: Person, guests: readonly Person[]): Promise<number> {
  const { id } = (await did(ada, 'POST /api/events', SERIES)).body
  await ada.invite(id, ...guests)
  await h.db.execute(`
    insert into occurrence_responses (invitation_id, occurrence_start, response, created_at, updated_at)
    select id, timestamp '2026-03-10 09:00' + day * interval '1 day', 'Going', now(), now()
    from event_invitations, generate_series(1, 300) as day where event_id = ${id}`)
  return id
}

test('answers that come back are counted guest by guest, by ascending id, so that two restorings cannot deadlock', async () => {
  const ada = await person(h)
  const guests = await Promise.all(Array.from({ length: 6 }, () => person(h)))
  await befriend(h, ada, guests)
  await answered(ada, guests)
  await did(ada, `DELETE /api/events/${await answered(ada, guests)}`)
  const [item] = (await ada.request('GET', '/api/trash')).body.items
  const [first, ...others] = guests.map(({ row }) => row.id).toSorted((one, other) => one - other)
  const restored = await sql.begin(async (holder) => {
    await holder`select from tallies where kind = 'responses' and owner_id = ${first ?? 0} for update`
    const restoring = ada.request('POST', `/api/trash/${item.id}/restore`)
    await lockWaiters(watcher)
    const free = await holder`
      select owner_id from tallies where kind = 'responses' and owner_id <> ${first ?? 0} for update skip locked`
    expect(free.map(({ owner_id }) => owner_id).toSorted((one, other) => one - other)).toEqual(others)
    return { restoring }
  })
  expect((await restored.restoring).status).toBe(200)
})
