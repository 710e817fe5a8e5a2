import { beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { pushDeliveries } from '../../src/db/schema'
import { invite } from '../support/events'
import type { Actor } from '../support/harness'
import { act, configure, passWhileHanging } from '../support/ntfy'
import { type Item, type Kind, Oracle, type Response, type Settings } from '../support/push-oracle'
import { remind, usePushing } from '../support/use-pushing'

setDefaultTimeout(120_000)

const { h, moveTo } = usePushing({ per: 'file', env: { SESSION_MAX_AGE_DAYS: '365' } })
/** Their topics are on the same server, and hang. */
let neighbours: Actor[] = []
beforeAll(async () => {
  neighbours = await Promise.all(Array.from({ length: 6 }, () => h.listener()))
})

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC']
const RUNS = 12

const RESOURCES: Readonly<Record<Kind, string>> = {
  reminder: '/api/reminders',
  event: '/api/events',
  day: '/api/events',
  guest: '/api/events',
  todo: '/api/todos',
  project: '/api/projects',
  birthday: '/api/people',
}

/** Exactly so much later, whatever the clocks do meanwhile. */
const endOf = ({ wall, minutes }: Item) =>
  Temporal.PlainDateTime.from(wall).toZonedDateTime('Europe/Berlin').add({ minutes }).toInstant().toString()

function bodyOf(item: Item): Record<string, unknown> {
  const { kind, title, wall, every, lead } = item
  const day = wall.slice(0, 10)
  const lastDay = Temporal.PlainDate.from(day).add({ days: item.days - 1 })
  const rule = every === null ? null : `FREQ=DAILY;INTERVAL=${every}`
  const event = {
    title,
    start_at: wall,
    end_at: endOf(item),
    time_zone: 'Europe/Berlin',
    recurrence_rule: rule,
    reminder_minutes: lead,
  }
  return {
    reminder: { title, remind_at: wall, time_zone: 'Europe/Berlin', recurrence_rule: rule },
    event,
    guest: event,
    day: {
      title,
      all_day: true,
      start_date: day,
      end_date: lastDay.toString(),
      recurrence_rule: rule,
      reminder_minutes: lead,
    },
    todo: { title, due_date: day },
    project: { name: title, due_date: day },
    birthday: { first_name: title, birthday: `--${day.slice(5)}` },
  }[kind]
}

const step = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('make' as const),
      kind: fc.constantFrom<Kind>(
        'reminder',
        'event',
        'day',
        'guest',
        'guest',
        'todo',
        'project',
        'birthday',
      ),
      inMinutes: fc.integer({ min: -2000, max: 8000 }),
      every: fc.option(fc.integer({ min: 1, max: 3 })),
      lead: fc.option(fc.constantFrom(0, 30, 1440, 4000)),
      minutes: fc.constantFrom(0, 30, 1500),
      days: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('move' as const),
      which: fc.nat(),
      minutes: fc.integer({ min: -3000, max: 3000 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('delete' as const), which: fc.nat() }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      which: fc.nat(),
      response: fc.constantFrom<Response>('Going', 'Tentative', 'Declined'),
      alone: fc.option(fc.nat({ max: 5 })),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('disturb' as const) }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('configure' as const),
      settings: fc.record({
        time_zone: fc.constantFrom(...ZONES),
        notify_day_at: fc.constantFrom('00:00', '02:30', '09:00', '23:45'),
        ntfy_todo_lead_days: fc.integer({ min: 0, max: 3 }),
        ntfy_project_lead_days: fc.integer({ min: 0, max: 3 }),
        ntfy_event_lead_minutes: fc.constantFrom(0, 15, 1440, 3000),
      }),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('wait' as const), minutes: fc.integer({ min: 1, max: 1500 }) }),
  },
)
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface World {
  readonly ada: Actor
  /** Who invites her. */
  readonly host: Actor
  readonly oracle: Oracle
  settings: Settings
}

/** All that hangs has something due. */
async function disturb(): Promise<void> {
  const remindAt = h.clock.now().toISOString()
  for (const neighbour of neighbours) {
    await remind(neighbour, 'hangs', remindAt)
  }
}

/** Answers what one is invited to, or one occurrence of it. */
async function answer(ada: Actor, item: Item, { response, alone }: Extract<Step, { do: 'answer' }>) {
  const { invitation, every } = item
  if (!invitation) return
  const path = `/api/event-invitations/${invitation.id}`
  if (alone === null || every === null) {
    if (invitation.response !== response) item.entered = +h.clock.now()
    invitation.response = response
    await act(ada, 'PUT', path, { response })
    return
  }
  const start = Temporal.PlainDateTime.from(item.wall).add({ days: alone * every })
  invitation.answers.set(start.toString(), response)
  await act(ada, 'PUT', path, {
    response,
    occurrence_start: start.toZonedDateTime('Europe/Berlin').toInstant().toString(),
  })
}

async function move(actor: Actor, item: Item, minutes: number): Promise<void> {
  const wall = Temporal.PlainDateTime.from(item.wall).add({ minutes })
  item.wall = wall.toString({ smallestUnit: 'minute' })
  item.entered = +h.clock.now()
  const { title: _, ...times } = bodyOf(item)
  await act(actor, 'PUT', `${RESOURCES[item.kind]}/${item.id}`, times)
  const { answers } = item.invitation ?? {}
  const moved = [...(answers ?? [])].map(
    ([start, response]) =>
      [Temporal.PlainDateTime.from(start).add({ minutes }).toString(), response] as const,
  )
  answers?.clear()
  for (const [start, response] of moved) answers?.set(start, response)
}

const invitationTo = async (eventId: number, { row }: Actor) => {
  const { id } = await invite(h, { eventId, userId: row.id })
  return { id, at: +h.clock.now(), response: null, answers: new Map() }
}

const wallAt = (ms: number) =>
  Temporal.Instant.fromEpochMilliseconds(ms)
    .toZonedDateTimeISO('Europe/Berlin')
    .toPlainDateTime()
    .toString({ smallestUnit: 'minute' })

const ownerOf = ({ ada, host }: World, { kind }: { readonly kind: Kind }) => (kind === 'guest' ? host : ada)

async function make(world: World, one: Extract<Step, { do: 'make' }>, serial: number): Promise<void> {
  const made = {
    ...one,
    title: `${one.kind} ${serial}`,
    id: 0,
    entered: +h.clock.now(),
    wall: wallAt(+h.clock.now() + one.inMinutes * 60_000),
  }
  made.id = (await act(ownerOf(world, one), 'POST', RESOURCES[one.kind], bodyOf(made))).id
  const isGuest = one.kind === 'guest'
  world.oracle.items.push(isGuest ? { ...made, invitation: await invitationTo(made.id, world.ada) } : made)
}

async function apply(world: World, one: Step, serial: number): Promise<void> {
  const { ada, oracle } = world
  const item = 'which' in one ? oracle.items[one.which % oracle.items.length] : undefined
  if (one.do === 'wait') h.clock.advance({ minutes: one.minutes })
  if (one.do === 'configure') {
    await configure(ada, one.settings)
    world.settings = one.settings
  }
  if (one.do === 'make') await make(world, one, serial)
  if (one.do === 'disturb') await disturb()
  if (item) await change(world, one, item)
}

async function change(world: World, one: Step, item: Item): Promise<void> {
  const { ada, oracle } = world
  if (one.do === 'move') await move(ownerOf(world, item), item, one.minutes)
  if (one.do === 'answer') await answer(ada, item, one)
  if (one.do === 'delete') {
    await act(ownerOf(world, item), 'DELETE', `${RESOURCES[item.kind]}/${item.id}`)
    oracle.items.splice(oracle.items.indexOf(item), 1)
  }
}

test('each pass sends what somebody would send who looks at everything, whatever changed before, and whoever hangs', async () => {
  let messages = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('2026-03-27T12:00:00Z', '2026-10-23T12:00:00Z', '2026-07-01T12:00:00Z'),
      fc.array(step, { minLength: 10, maxLength: 40 }),
      async (start, steps) => {
        moveTo(start)
        const settings = {
          time_zone: 'Europe/Berlin',
          notify_day_at: '09:00',
          ntfy_todo_lead_days: 1,
          ntfy_project_lead_days: 2,
          ntfy_event_lead_minutes: 15,
        }
        const ada = await h.listener({ ...settings })
        const oracle = new Oracle()
        const world: World = { ada, host: await h.signedIn(), oracle, settings }
        const seen = new Set<number>()
        for (const [serial, one] of steps.entries()) {
          await apply(world, one, serial)
          const now = h.clock.now()
          const expected = oracle.tick(world.settings, +now)
          await passWhileHanging(h, neighbours, expected.length)
          const sent = await h.db
            .select()
            .from(pushDeliveries)
            .where(and(eq(pushDeliveries.userId, ada.row.id), eq(pushDeliveries.sentAt, now)))
          // Several passes may fall on one instant.
          const fresh = sent.flatMap(({ id, title, fireAt, kind }) => {
            if (seen.has(id)) return []
            seen.add(id)
            return `${kind === 'birthday' ? title.replace("'s birthday", '') : title} at ${fireAt.toISOString()}`
          })
          expect(fresh.toSorted()).toEqual(expected)
          messages += fresh.length
        }
        await configure(ada, { ntfy_enabled: false })
      },
    ),
    { numRuns: RUNS, endOnFailure: true },
  )
  // Enough is due that agreement means something; how much depends on what was drawn.
  expect(messages).toBeGreaterThan(RUNS / 4)
})
