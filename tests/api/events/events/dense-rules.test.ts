import { describe, expect, test } from 'bun:test'
import { at, organiser } from '../../../support/events'
import type { Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'
import { useSql } from '../../../support/use-sql'

const h = useHarness()
const sql = useSql(h)

const upTo = (count: number) => Array.from({ length: count }, (_, i) => i).join(',')
const HOURLY = `FREQ=DAILY;BYHOUR=${upTo(24)}`
const SECONDLY = `${HOURLY};BYMINUTE=${upTo(60)};BYSECOND=${upTo(60)}`
const START = { start_at: '2026-03-04T00:00', end_at: '2026-03-04T00:00', time_zone: 'UTC' }

type Attempt = (rule: string) => Promise<{ readonly status: number; readonly body: unknown }>

/** Every way in which a rule is given as JSON. */
async function waysOf(): Promise<Record<string, Attempt>> {
  const ada = await organiser(h)
  const post = (actor: Actor, path: string, body: object) => actor.request('POST', path, { body })
  const single = await ada.create(START)
  const series = await ada.create({ ...START, recurrence_rule: 'FREQ=DAILY' })
  const reminder = { title: 'Water', remind_at: '2026-03-04T00:00Z' }
  const stored = (await post(ada, '/api/reminders', reminder)).body
  const template = (await post(ada, '/api/event-templates', { name: 'Stored', title: 'T' })).body
  const put = (path: string, body: object) => ada.request('PUT', path, { body })
  let serial = 0
  return {
    'a new event': (recurrence_rule) => ada.attempt({ ...START, recurrence_rule }),
    'a changed event': (recurrence_rule) => ada.change(single.id, { recurrence_rule }),
    'a changed series': (recurrence_rule) => ada.change(series.id, { recurrence_rule }),
    'the rest of a series': (recurrence_rule) =>
      ada.change(series.id, { recurrence_rule }, at('2026-03-04T00:00:00Z', 'following')),
    'a preview': (recurrence_rule) =>
      ada.preview({ start: '2026-03-04T00:00', time_zone: 'UTC', recurrence_rule }),
    'a new template': (recurrence_rule) =>
      post(ada, '/api/event-templates', { name: `T${++serial}`, title: 'T', recurrence_rule }),
    'a changed template': (recurrence_rule) =>
      put(`/api/event-templates/${template.id}`, { recurrence_rule }),
    'a new reminder': (recurrence_rule) => post(ada, '/api/reminders', { ...reminder, recurrence_rule }),
    'a changed reminder': (recurrence_rule) => put(`/api/reminders/${stored.id}`, { recurrence_rule }),
  }
}

describe('a rule of more than 24 occurrences a day', () => {
  test.each([
    { why: '25 minutes', rule: `FREQ=DAILY;BYMINUTE=${upTo(25)}` },
    { why: '5 hours of 5 minutes', rule: 'FREQ=YEARLY;BYHOUR=0,1,2,3,4;BYMINUTE=0,1,2,3,4' },
    { why: '60 seconds of one day', rule: `FREQ=WEEKLY;BYDAY=MO;BYSECOND=${upTo(60)};COUNT=30` },
    { why: '25 of them picked', rule: `${HOURLY};BYMINUTE=0,30;BYSETPOS=${upTo(26).slice(2)}` },
    { why: 'every second', rule: SECONDLY },
  ])('is refused wherever it is given: $why', async ({ rule }) => {
    for (const [way, attempt] of Object.entries(await waysOf())) {
      const { status, body } = await attempt(rule)
      expect([way, status, body]).toEqual([
        way,
        422,
        {
          detail: 'recurrence_rule: at most 24 occurrences a day',
          errors: [{ field: 'body.recurrence_rule', message: 'at most 24 occurrences a day' }],
        },
      ])
    }
  })

  test.each([
    { why: 'every hour', rule: HOURLY },
    { why: 'the same minute thrice', rule: `${HOURLY};BYMINUTE=5,5,5;BYSECOND=59,60` },
    { why: '4 by 3 by 2', rule: 'FREQ=DAILY;BYHOUR=1,2,3,4;BYMINUTE=1,2,3;BYSECOND=1,2' },
    { why: 'two of many picked', rule: `FREQ=MONTHLY;BYHOUR=8,9;BYMINUTE=${upTo(60)};BYSETPOS=1,-1` },
  ])('is told apart from one of at most 24, which is taken: $why', async ({ rule }) => {
    for (const [way, attempt] of Object.entries(await waysOf())) {
      const { status } = await attempt(rule)
      expect([way, status < 300]).toEqual([way, true])
    }
  })

  test('goes on where it was stored before, and may be sent back with other changes', async () => {
    const ada = await organiser(h)
    const { id } = await ada.create({ ...START, recurrence_rule: 'FREQ=DAILY' })
    const made = { title: 'Water', remind_at: '2026-03-04T00:00Z', recurrence_rule: 'FREQ=DAILY' }
    const reminder = (await ada.request('POST', '/api/reminders', { body: made })).body
    const given = { name: 'N', title: 'T', recurrence_rule: 'FREQ=DAILY' }
    const template = (await ada.request('POST', '/api/event-templates', { body: given })).body
    const rule = `FREQ=DAILY;BYHOUR=8,9;BYMINUTE=${upTo(30)};COUNT=70`
    for (const table of ['events', 'reminders', 'event_templates'])
      await sql`update ${sql(table)} set recurrence_rule = ${rule}`
    expect((await ada.list('2026-03-04', '2026-03-06')).length).toBe(70)
    const changed = await ada.change(id, { title: 'Other', recurrence_rule: rule })
    expect([changed.status, changed.body.recurrence_rule]).toEqual([200, rule])
    for (const path of [`/api/reminders/${reminder.id}`, `/api/event-templates/${template.id}`]) {
      const answered = await ada.request('PUT', path, { body: { title: 'Other', recurrence_rule: rule } })
      expect([answered.status, answered.body.title]).toEqual([200, 'Other'])
    }
    expect((await ada.change(id, { recurrence_rule: rule.replace('8,9', '8,9,10') })).status).toBe(422)
  })
})
