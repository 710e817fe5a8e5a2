import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../src/db/schema'
import type { Actor } from '../support/harness'
import { act, configure, deliveriesOf } from '../support/ntfy'
import { createEvent, invite } from '../support/events'
import { remind, usePushing } from '../support/use-pushing'

const { h, soon } = usePushing()

const today = () => soon(0).slice(0, 10)

interface Case {
  readonly what: string
  /** Makes something that is told of in ten minutes, and answers what silences it. */
  readonly arm: (ada: Actor) => Promise<() => Promise<unknown>>
}

const reminder = async (ada: Actor) => (await remind(ada, 'r', soon(10))).id

const event = (ada: Actor, body: Record<string, unknown> = {}) =>
  createEvent(ada, { reminder_minutes: 0, start_at: soon(10), end_at: soon(20), ...body })

/** An event of somebody else to whom Ada is invited. */
async function invited(ada: Actor, body: Record<string, unknown> = {}) {
  const bob = await h.signedIn()
  const { id } = await event(bob, body)
  const invitation = await invite(h, { eventId: id, userId: ada.row.id, response: 'Going' })
  return { bob, id, invitation }
}

const dueInTen = async (ada: Actor) => {
  const notifyAt = new Date(+h.clock.now() + 10 * 60_000)
  const local = notifyAt.toLocaleTimeString('sv-SE', { timeZone: 'Europe/Berlin' }).slice(0, 5)
  await configure(ada, { notify_day_at: local, ntfy_todo_lead_days: 0, ntfy_project_lead_days: 0 })
}

const CASES: Case[] = [
  {
    what: 'a reminder that is dismissed',
    arm: async (ada) => {
      const id = await reminder(ada)
      return () => act(ada, 'PUT', `/api/reminders/${id}/dismiss`)
    },
  },
  {
    what: 'a reminder that is put off',
    arm: async (ada) => {
      const id = await reminder(ada)
      return () => act(ada, 'PUT', `/api/reminders/${id}/snooze`, { minutes: 600 })
    },
  },
  {
    what: 'a reminder that is switched off',
    arm: async (ada) => {
      const id = await reminder(ada)
      return () => act(ada, 'PUT', `/api/reminders/${id}`, { is_active: false })
    },
  },
  {
    what: 'a reminder that is deleted',
    arm: async (ada) => {
      const id = await reminder(ada)
      return () => act(ada, 'DELETE', `/api/reminders/${id}`)
    },
  },
  {
    what: 'an event that is moved',
    arm: async (ada) => {
      const { id } = await event(ada)
      return () => act(ada, 'PUT', `/api/events/${id}`, { start_at: soon(900) })
    },
  },
  {
    what: 'an event whose calendar is hidden',
    arm: async (ada) => {
      const { calendar_id: id } = await event(ada)
      return () => act(ada, 'PUT', `/api/calendars/${id}`, { is_visible: false })
    },
  },
  {
    what: 'an occurrence that is deleted',
    arm: async (ada) => {
      const { id, start_at: start } = await event(ada, { recurrence_rule: 'FREQ=YEARLY' })
      const query = `scope=this&occurrence_start=${encodeURIComponent(String(start))}`
      return () => act(ada, 'DELETE', `/api/events/${id}?${query}`)
    },
  },
  {
    what: 'an invitation that is declined',
    arm: async (ada) => {
      const { invitation } = await invited(ada)
      return () => act(ada, 'PUT', `/api/event-invitations/${invitation.id}`, { response: 'declined' })
    },
  },
  {
    what: 'an occurrence that is declined alone',
    arm: async (ada) => {
      const { id, invitation } = await invited(ada, { recurrence_rule: 'FREQ=YEARLY' })
      const { start_at: start } = await act(ada, 'GET', `/api/events/${id}`)
      return () =>
        act(ada, 'PUT', `/api/event-invitations/${invitation.id}`, {
          response: 'Declined',
          occurrence_start: start,
        })
    },
  },
  {
    what: 'an invitation that is taken back',
    arm: async (ada) => {
      const { bob, id, invitation } = await invited(ada)
      return () => act(bob, 'DELETE', `/api/events/${id}/invitations/${invitation.id}`)
    },
  },
  {
    what: 'a todo that is completed',
    arm: async (ada) => {
      await dueInTen(ada)
      const { id } = await act(ada, 'POST', '/api/todos', { title: 't', due_date: today() })
      return () => act(ada, 'POST', `/api/todos/${id}/toggle`)
    },
  },
  {
    what: 'a project that is completed',
    arm: async (ada) => {
      await dueInTen(ada)
      const { id } = await act(ada, 'POST', '/api/projects', { name: 'p', due_date: today() })
      return () => act(ada, 'PUT', `/api/projects/${id}`, { status: 'completed' })
    },
  },
  {
    what: 'a task of a project that is deleted',
    arm: async (ada) => {
      await dueInTen(ada)
      const { id } = await act(ada, 'POST', '/api/projects', { name: 'p' })
      await act(ada, 'POST', `/api/projects/${id}/tasks`, { title: 't', due_date: today() })
      return () => act(ada, 'DELETE', `/api/projects/${id}`)
    },
  },
  {
    what: 'a birthday that is another',
    arm: async (ada) => {
      await dueInTen(ada)
      const { id } = await act(ada, 'POST', '/api/people', {
        first_name: 'Bo',
        birthday: `--${today().slice(5)}`,
      })
      return () => act(ada, 'PUT', `/api/people/${id}`, { birthday: '--01-01' })
    },
  },
  {
    what: 'everything of a user who switches push off',
    arm: async (ada) => {
      await reminder(ada)
      return () => configure(ada, { ntfy_enabled: false })
    },
  },
  {
    what: 'everything of a user who is deactivated',
    arm: async (ada) => {
      await reminder(ada)
      return () => h.db.update(users).set({ isActive: false }).where(eq(users.id, ada.row.id))
    },
  },
]

describe('push messages that something silences', () => {
  test.each(CASES)('no message is sent about $what before the message comes due', async ({ arm }) => {
    const ada = await h.listener()
    const silence = await arm(ada)
    expect(await h.tick(ada)).toEqual([])
    await silence()
    h.clock.advance({ minutes: 11 })
    expect(await h.tick(ada)).toEqual([])
  })

  test.each(CASES)('no message is sent about $what between the claim and the sending', async ({ arm }) => {
    const ada = await h.listener()
    // Comes first, and holds up the next of the same user while that is silenced.
    await remind(ada, 'first', soon(9))
    const silence = await arm(ada)
    await h.tick(ada)
    h.clock.advance({ minutes: 11 })
    const claimed: unknown[] = []
    h.ntfy.react = async ({ title }) => {
      if (title !== 'first') return undefined
      claimed.push(...(await deliveriesOf(ada)))
      await silence()
      return undefined
    }
    expect(await h.titles(ada)).toEqual(['first'])
    expect(claimed).toHaveLength(2)
    h.ntfy.react = undefined
    expect(await h.titles(ada)).toEqual([])
  })

  test.each(CASES)('a message that nothing silences is sent (the counterpart of $what)', async ({ arm }) => {
    const ada = await h.listener()
    await arm(ada)
    h.clock.advance({ minutes: 11 })
    expect(await h.tick(ada)).toHaveLength(1)
  })
})

test('a user who is reactivated is told what came due within the day', async () => {
  const ada = await h.listener()
  await reminder(ada)
  await h.db.update(users).set({ isActive: false }).where(eq(users.id, ada.row.id))
  h.clock.advance({ hours: 2 })
  expect(await h.titles(ada)).toEqual([])
  await h.db.update(users).set({ isActive: true }).where(eq(users.id, ada.row.id))
  expect(await h.titles(ada)).toEqual(['r'])
})
