import { describe, expect, test } from 'bun:test'
import { at, invite, organiser } from '../../../support/events'
import { observed, rowsReadBy } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const sql = useSql(h)

const times = { start_at: '2026-01-01T09:00', end_at: '2026-01-01T10:00', time_zone: 'UTC' }

/** A daily series to which somebody is invited who has answered 20 001 of its occurrences. */
async function answeredSeries(response: 'Going' | null) {
  const [eve, vic] = [await organiser(h), await organiser(h)]
  const { id } = await eve.create({ ...times, title: 'spam', recurrence_rule: 'FREQ=DAILY' })
  const invitation = await invite(h, { eventId: id, userId: vic.row.id, response })
  await sql`
    insert into occurrence_responses (invitation_id, occurrence_start, response, created_at, updated_at)
    select ${invitation.id}, timestamp '2026-01-01 09:00' + n * interval '1 day', 'Declined', now(), now() from generate_series(0, 20000) n`
  return { eve, vic, id, invitation }
}

describe('answers to occurrences', () => {
  test('count in a window only where it looks: 20 001 elsewhere make none fail', async () => {
    const { vic, eve, id } = await answeredSeries('Going')
    await vic.create({ ...times, title: 'own', recurrence_rule: 'FREQ=DAILY' })
    await eve.change(
      id,
      { start_at: '2090-02-03T12:00', end_at: '2090-02-03T13:00' },
      at('2040-02-03T09:00Z'),
    )
    await eve.change(
      id,
      { start_at: '2090-02-03T14:00', end_at: '2090-02-03T15:00' },
      at('2089-02-03T09:00Z'),
    )
    using statements = observed(h.db)
    const titles = async (from: string, to: string, query = {}) =>
      (await vic.list(from, to, query)).map(({ title, my_invitation }) => [title, my_invitation?.response])
    expect(await titles('2040-02-02', '2040-02-03')).toEqual([['own', undefined]])
    let rows = 0
    for (const statement of [...statements].filter(({ text }) => text.includes('occurrence_responses')))
      rows += await rowsReadBy(sql, statement, 'occurrence_responses')
    expect(rows).toBeLessThanOrEqual(3)
    const all = { include_declined: 'true' }
    expect(await titles('2040-02-02', '2040-02-03', all)).toEqual([
      ['spam', 'Declined'],
      ['own', undefined],
    ])
    // What was moved there from an answered day keeps that answer, and what from another the one to the series.
    expect(await titles('2090-02-03', '2090-02-04', all)).toEqual([
      ['spam', 'Going'],
      ['own', undefined],
      ['spam', 'Declined'],
      ['spam', 'Going'],
    ])
  })

  test('make no window fail where the invitation itself is unanswered', async () => {
    const { vic, invitation } = await answeredSeries(null)
    await sql`
      insert into occurrence_responses (invitation_id, occurrence_start, response, created_at, updated_at)
      select ${invitation.id}, timestamp '2030-02-02 00:00' + n * interval '1 second', 'Going', now(), now() from generate_series(0, 6000) n`
    await vic.create({ ...times, title: 'own', recurrence_rule: 'FREQ=DAILY' })
    const { status, body } = await vic.window('2030-02-02', '2030-02-03')
    expect([status, body.events.map(({ title }: { title: string }) => title)]).toEqual([200, ['own']])
    expect(body.invitations_truncated).toBe(true)
  })
})
