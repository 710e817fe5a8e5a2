import { expect, test } from 'bun:test'
import { invite, organiser } from '../../../support/events'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const sql = useSql(h)

const DAY = '2026-03-10'
/** A rule of every minute, as it was stored before there was a bound of occurrences a day. */
const EACH_MINUTE = `FREQ=DAILY;BYHOUR=${[...Array(24).keys()].join()};BYMINUTE=${[...Array(60).keys()].join()}`

type Organiser = Awaited<ReturnType<typeof organiser>>

/** Invites somebody to so many daily series of the organiser. Returns the ids of events and invitations. */
async function inviteToSeries(eve: Organiser, vic: Organiser, count: number, response: 'Going' | null) {
  const made: Array<{ event: number; invitation: number }> = []
  for (let n = 0; n < count; n++) {
    const times = { start_at: `${DAY}T00:00`, end_at: `${DAY}T00:00`, time_zone: 'Europe/Berlin' }
    const event = await eve.create({ title: `S${n}`, ...times, recurrence_rule: 'FREQ=DAILY' })
    const invitation = await invite(h, { eventId: event.id, userId: vic.row.id, response })
    made.push({ event: event.id, invitation: invitation.id })
  }
  return made
}

test('an occurrence that somebody accepted shows although many others of unanswered invitations come before it', async () => {
  const [eve, vic] = [await organiser(h), await organiser(h)]
  for (const { event, invitation } of await inviteToSeries(eve, vic, 7, null)) {
    await sql`update events set recurrence_rule = ${EACH_MINUTE} where id = ${event}`
    await sql`
      insert into occurrence_responses (invitation_id, occurrence_start, response, created_at, updated_at)
      values (${invitation}, ${`${DAY} 20:00:00`}::text::timestamp, 'Going', now(), now())`
  }
  const { body } = await vic.request('GET', `/api/events?from=${DAY}&to=2026-03-11`)
  const accepted = body.events.filter(
    ({ start_at }: { start_at: string }) => start_at === `${DAY}T20:00:00+01:00`,
  )
  expect([accepted.length, body.events.length, body.invitations_truncated]).toEqual([7, 507, true])
})

test('a declined occurrence never shows, however many occurrences are answered', async () => {
  const [eve, vic] = [await organiser(h), await organiser(h)]
  for (const { invitation } of await inviteToSeries(eve, vic, 6, 'Going')) {
    await sql`
      insert into occurrence_responses (invitation_id, occurrence_start, response, created_at, updated_at)
      select ${invitation}, ${DAY}::text::timestamp + n * interval '1 day', 'Declined', now(), now()
      from generate_series(0, 389) n`
  }
  const { body } = await vic.request('GET', `/api/events?from=${DAY}&to=2027-04-01`)
  expect([body.events, body.invitations_truncated]).toEqual([[], true])
})
