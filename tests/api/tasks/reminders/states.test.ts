import { beforeEach, describe, expect, test } from 'bun:test'
import { addDays, addMinutes } from '../../../../src/lib/time/time'
import { type Actor } from '../../../support/harness'
import { createReminder } from '../../../support/records'
import { raceOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const REMINDERS = '/api/reminders'
const LISTS = ['upcoming', 'due', 'snoozed', 'dismissed'] as const
const h = useHarness()
let ada: Actor
beforeEach(async () => void (ada = await h.signedIn()))

const act = (id: number, what: string, body?: object) =>
  ada.request('PUT', `${REMINDERS}/${id}${what}`, body === undefined ? {} : { body })
const read = async (id: number) => (await ada.request('GET', `${REMINDERS}/${id}`)).body
const inMinutes = (minutes: number) => addMinutes(h.clock.now(), minutes).toISOString()
const inDays = (days: number) => addDays(h.clock.now(), days).toISOString()
const instant = (text: string | null) => text && new Date(text).toISOString()

/** The lists that the caller's only reminder shows under. */
async function listsOf(id: number) {
  const found: string[] = []
  for (const state of LISTS) {
    const { body } = await ada.request('GET', `${REMINDERS}?state=${state}`)
    if (body.reminders.length > 0) found.push(state)
  }
  const due = (await ada.request('GET', `${REMINDERS}/due`)).body.reminders.length > 0
  expect(due).toBe(found.includes('due'))
  expect((await ada.request('GET', REMINDERS)).body.reminders).toMatchObject([{ id }])
  expect((await ada.request('GET', `${REMINDERS}?state=all`)).body.reminders).toMatchObject([{ id }])
  return found.join()
}

const DAILY = 'FREQ=DAILY'

/** Every state: how a reminder gets there, the list that shows it, and what it then answers to each operation. */
const STATES = {
  upcoming: { body: () => ({ remind_at: inMinutes(10) }), list: 'upcoming' },
  due: { body: () => ({ remind_at: inMinutes(-10) }), list: 'due' },
  'due this very moment': { body: () => ({ remind_at: inMinutes(0) }), list: 'due' },
  snoozed: {
    body: () => ({ remind_at: inMinutes(-10) }),
    list: 'snoozed',
    after: ['/snooze', { minutes: 5 }],
  },
  'snoozed before its time': {
    body: () => ({ remind_at: inMinutes(10) }),
    list: 'snoozed',
    after: ['/snooze', { minutes: 5 }],
  },
  'snoozed long enough': {
    body: () => ({ remind_at: inMinutes(-10) }),
    list: 'due',
    after: ['/snooze', { minutes: 5 }],
    wait: 5,
  },
  dismissed: { body: () => ({ remind_at: inMinutes(-10) }), list: 'dismissed', after: ['/dismiss'] },
  'dismissed in time': { body: () => ({ remind_at: inMinutes(10) }), list: 'dismissed', after: ['/dismiss'] },
  inactive: { body: () => ({ remind_at: inMinutes(-10), is_active: false }), list: '' },
  'inactive and dismissed': {
    body: () => ({ remind_at: inMinutes(-10), is_active: false }),
    list: '',
    after: ['/dismiss'],
  },
  'snoozed and inactive': {
    body: () => ({ remind_at: inMinutes(-10) }),
    list: '',
    after: ['/snooze', { minutes: 5 }],
    also: { is_active: false },
  },
  timeless: { body: () => ({}), list: '' },
  'timeless and dismissed': { body: () => ({}), list: '', after: ['/dismiss'] },
  'recurring and upcoming': {
    body: () => ({ remind_at: inMinutes(10), recurrence_rule: DAILY }),
    list: 'upcoming',
  },
  'recurring and due': { body: () => ({ remind_at: inMinutes(-10), recurrence_rule: DAILY }), list: 'due' },
  'recurring and snoozed': {
    body: () => ({ remind_at: inMinutes(-10), recurrence_rule: DAILY }),
    list: 'snoozed',
    after: ['/snooze', { minutes: 5 }],
  },
  'recurring and dismissed': {
    body: () => ({ remind_at: inMinutes(-10), recurrence_rule: DAILY }),
    list: 'upcoming',
    after: ['/dismiss'],
  },
  'finished and due': {
    body: () => ({ remind_at: inDays(-2), recurrence_rule: 'FREQ=DAILY;COUNT=2' }),
    list: 'due',
  },
  'finished and dismissed': {
    body: () => ({ remind_at: inDays(-2), recurrence_rule: 'FREQ=DAILY;COUNT=2' }),
    list: 'dismissed',
    after: ['/dismiss'],
  },
} as const satisfies Record<
  string,
  { body: () => object; list: string; after?: readonly [string, object?]; wait?: number; also?: object }
>

describe.each(Object.entries(STATES))('a reminder that is %s', (name, state) => {
  const isOver = /dismissed/.test(name) && name !== 'recurring and dismissed'
  const isInactive = /inactive/.test(name)
  const goesOn = name.startsWith('recurring')
  const isShown = state.list !== ''

  async function arrange() {
    const { id } = await createReminder(ada, state.body())
    if ('after' in state) expect((await act(id, state.after[0], state.after[1])).status).toBe(200)
    if ('also' in state) expect((await act(id, '', state.also)).status).toBe(200)
    if ('wait' in state) h.clock.advance({ minutes: state.wait })
    return read(id)
  }

  test(`shows under ${state.list || 'all only'}`, async () => {
    const { id } = await arrange()
    expect(await listsOf(id)).toBe(state.list)
  })

  test(isOver || isInactive ? 'cannot be snoozed' : 'can be snoozed', async () => {
    const before = await arrange()
    for (const body of [{ minutes: 7 }, { until: inMinutes(7) }]) {
      const answered = await act(before.id, '/snooze', body)
      if (isOver || isInactive) {
        expect([answered.status, answered.body]).toEqual([
          409,
          { detail: 'Dismissed or inactive reminders cannot be snoozed' },
        ])
        expect(await read(before.id)).toEqual(before)
        continue
      }
      expect([answered.status, instant(answered.body.snoozed_until)]).toEqual([200, inMinutes(7)])
      expect(answered.body).toMatchObject({ remind_at: before.remind_at, is_dismissed: false })
      expect(await listsOf(before.id)).toBe(isShown ? 'snoozed' : '')
    }
  })

  test(goesOn ? 'goes on when it is dismissed' : 'is over when it is dismissed', async () => {
    const before = await arrange()
    const { status, body } = await act(before.id, '/dismiss')
    expect([status, body.is_dismissed, body.snoozed_until]).toEqual([200, !goesOn, null])
    if (goesOn) expect(Date.parse(body.remind_at)).toBeGreaterThan(h.clock.now().getTime())
    else expect(body.remind_at).toBe(before.remind_at)
    const again = await act(before.id, '/dismiss')
    expect([again.status, again.body]).toEqual([200, body])
    const shown = goesOn ? 'upcoming' : 'dismissed'
    expect(await listsOf(before.id)).toBe(isInactive || before.remind_at === null ? '' : shown)
  })

  test('begins anew at another time', async () => {
    const before = await arrange()
    const remind_at = inMinutes(30)
    const { body } = await act(before.id, '', { remind_at })
    expect(body).toMatchObject({ is_dismissed: false, snoozed_until: null, version: before.version + 1 })
    expect(instant(body.remind_at)).toBe(remind_at)
    expect(await listsOf(before.id)).toBe(isInactive ? '' : 'upcoming')
  })

  test('is what it is after a change of anything else, and under the same time', async () => {
    const before = await arrange()
    const { body } = await act(before.id, '', { ...before, title: 'U' })
    expect(body).toEqual({
      ...before,
      title: 'U',
      version: before.version + 1,
      updated_at: expect.any(String),
    })
    expect(await listsOf(before.id)).toBe(state.list)
  })

  test('shows under all only once it is inactive', async () => {
    const { id } = await arrange()
    expect((await act(id, '', { is_active: false })).body.is_active).toBe(false)
    expect(await listsOf(id)).toBe('')
  })

  test('is gone once it is deleted', async () => {
    const { id } = await arrange()
    expect((await ada.request('DELETE', `${REMINDERS}/${id}`)).status).toBe(204)
    expect((await ada.request('GET', REMINDERS)).body.reminders).toEqual([])
  })
})

describe('snoozing', () => {
  test.each([
    { body: {}, detail: 'minutes: is required without until' },
    {
      body: { minutes: 5, until: '2200-01-01T00:00Z' },
      detail: 'until: must not be given together with minutes',
    },
    { body: { minutes: 0 }, detail: 'minutes: must be at least 1' },
    { body: { minutes: 10_081 }, detail: 'minutes: must be at most 10080' },
    { body: { minutes: 1.5 }, detail: 'minutes: must be a whole number' },
    { body: { minutes: '5' }, detail: 'minutes: must be a whole number' },
    { body: { minutes: null }, detail: 'minutes: must be a whole number' },
    { body: { until: 'later' }, detail: 'until: must be a date-time (RFC 3339)' },
    { body: { until: '2026-03-04T09:30:00Z' }, detail: 'until: must be in the future' },
    { body: { until: '1999-01-01T00:00:00Z' }, detail: 'until: must be in the future' },
  ])('for $body is refused', async ({ body, detail }) => {
    const before = await createReminder(ada, { remind_at: inMinutes(-10) })
    const answered = await act(before.id, '/snooze', body)
    expect([answered.status, answered.body.detail]).toEqual([422, detail])
    expect(await read(before.id)).toEqual(before)
  })

  test('takes from a minute to a week, and an instant by the clock of the server', async () => {
    const { id } = await createReminder(ada, { remind_at: inMinutes(-10), time_zone: 'Asia/Tokyo' })
    for (const minutes of [1, 10_080]) {
      expect(instant((await act(id, '/snooze', { minutes })).body.snoozed_until)).toBe(inMinutes(minutes))
    }
    const { body } = await act(id, '/snooze', { until: '2199-03-05T09:00' })
    expect(body.snoozed_until).toBe('2199-03-05T09:00:00+01:00')
  })
})

describe('dismissing a series', () => {
  test('skips what was missed', async () => {
    const { id } = await createReminder(ada, {
      remind_at: inDays(-10.5),
      recurrence_rule: 'FREQ=DAILY',
      time_zone: 'UTC',
    })
    expect(instant((await act(id, '/dismiss')).body.remind_at)).toBe(inDays(0.5))
  })

  test('takes its occurrences one after the other, and the last one as any reminder', async () => {
    const { id } = await createReminder(ada, {
      remind_at: inMinutes(0),
      recurrence_rule: 'FREQ=DAILY;COUNT=3',
      time_zone: 'UTC',
    })
    for (const is_dismissed of [false, false, true]) {
      expect((await act(id, '/dismiss')).body).toMatchObject({ is_dismissed })
      h.clock.advance({ days: is_dismissed ? 0 : 1 })
    }
    const { body } = await act(id, '', { remind_at: inDays(1) })
    expect([body.is_dismissed, instant(body.remind_at)]).toEqual([false, inDays(1)])
    h.clock.advance({ days: 1 })
    expect(instant((await act(id, '/dismiss')).body.remind_at)).toBe(inDays(1))
  })

  test('twenty times at once moves it on once, in each of twenty rounds', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await createReminder(ada, {
        remind_at: inMinutes(-1),
        recurrence_rule: 'FREQ=DAILY',
        time_zone: 'UTC',
      })
      await act(id, '/snooze', { minutes: 5 })
      const answers = await raceOf(20, () => act(id, '/dismiss'))
      for (const { status, body } of answers) {
        expect([status, body.is_dismissed, body.snoozed_until, body.version]).toEqual([200, false, null, 3])
        expect(Date.parse(body.remind_at)).toBe(addDays(h.clock.now(), 1).getTime() - 60_000)
      }
    }
  }, 30_000)

  test('A reminder that is dismissed and snoozed at once ends as one of both', async () => {
    for (let round = 0; round < 20; round++) {
      const { id } = await createReminder(ada, { remind_at: inMinutes(-1) })
      const [dismissal, snooze] = await Promise.all([act(id, '/dismiss'), act(id, '/snooze', { minutes: 5 })])
      expect([dismissal.status, [200, 409].includes(snooze.status)]).toEqual([200, true])
      expect(await read(id)).toMatchObject({ is_dismissed: true, snoozed_until: null })
    }
  }, 30_000)
})
