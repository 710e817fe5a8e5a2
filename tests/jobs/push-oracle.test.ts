import { afterAll, beforeAll, expect, setDefaultTimeout, test } from 'bun:test'
import { and, eq } from 'drizzle-orm'
import * as fc from 'fast-check'
import { pushDeliveries } from '../../src/db/schema'
import type { Actor } from '../support/harness'
import { act, configure, passWhileHanging, type Pushing, startPushing } from '../support/ntfy'

setDefaultTimeout(120_000)

let h: Pushing
/** Their topics are on the same server, and hang. */
let neighbours: Actor[] = []
beforeAll(async () => {
  h = await startPushing({ env: { SESSION_MAX_AGE_DAYS: '365' } })
  neighbours = await Promise.all(Array.from({ length: 6 }, () => h.listener()))
})
afterAll(() => h[Symbol.asyncDispose]())

const ZONES = ['Europe/Berlin', 'America/New_York', 'Australia/Lord_Howe', 'Pacific/Apia', 'UTC']
const RUNS = 12
const HOUR = 3_600_000

interface Settings {
  time_zone: string
  notify_day_at: string
  ntfy_todo_lead_days: number
  ntfy_project_lead_days: number
  ntfy_event_lead_minutes: number
}

type Kind = 'reminder' | 'event' | 'day' | 'todo' | 'project' | 'birthday'

interface Item {
  readonly kind: Kind
  readonly title: string
  id: number
  /** Wall time in Berlin, `YYYY-MM-DDTHH:MM`. */
  wall: string
  /** Repeats after so many days. */
  readonly every: number | null
  readonly lead: number | null
  /** How long an event takes, and how many days. */
  readonly minutes: number
  readonly days: number
  /** When its times were last set. */
  entered: number
}

/** When an item takes place, within a month of `now`: one after the other, without any window or index. */
function startsOf({ kind, wall, every }: Item, now: number): Temporal.PlainDateTime[] {
  const first = Temporal.PlainDateTime.from(wall)
  if (kind === 'birthday') return [first, first.add({ years: 1 })]
  if (every === null || kind === 'todo' || kind === 'project') return [first]
  const starts: Temporal.PlainDateTime[] = []
  const isNear = (start: Temporal.PlainDateTime) =>
    start.toZonedDateTime('UTC').epochMilliseconds < now + 40 * 24 * HOUR
  for (let n = 0; isNear(first.add({ days: n * every })); n++) starts.push(first.add({ days: n * every }))
  return starts
}

/** How many days before its own an item is told of that has a day but no time. */
const DAYS_AHEAD: Readonly<Record<Kind, (item: Item, settings: Settings) => number | undefined>> = {
  reminder: () => undefined,
  event: () => undefined,
  day: ({ lead }, settings) => Math.floor((lead ?? settings.ntfy_event_lead_minutes) / 1440),
  birthday: (_, settings) => Math.floor(settings.ntfy_event_lead_minutes / 1440),
  todo: (_, settings) => settings.ntfy_todo_lead_days,
  project: (_, settings) => settings.ntfy_project_lead_days,
}

/** Whether it was over when it was entered, as the user's clocks say; what has no end never is. */
function wasOver(item: Item, start: Temporal.PlainDateTime, settings: Settings): boolean {
  const { kind, minutes, days, entered } = item
  const endOf = (length: number) =>
    start.toPlainDate().add({ days: length }).toZonedDateTime(settings.time_zone).epochMilliseconds
  if (kind === 'day') return endOf(days) < entered
  if (kind === 'birthday') return endOf(1) < entered
  const instant = start.toZonedDateTime('Europe/Berlin').epochMilliseconds
  return kind === 'event' && instant + minutes * 60_000 < entered
}

interface Told {
  readonly at: number
  readonly about: string
}

function toldOf(item: Item, start: Temporal.PlainDateTime, settings: Settings): Told[] {
  const instant = start.toZonedDateTime('Europe/Berlin').epochMilliseconds
  const day = start.toPlainDate()
  const days = DAYS_AHEAD[item.kind](item, settings)
  const at = (before: number) =>
    day
      .subtract({ days: before })
      .toPlainDateTime(Temporal.PlainTime.from(settings.notify_day_at))
      .toZonedDateTime(settings.time_zone).epochMilliseconds
  if (days === undefined) {
    const minutes = item.kind === 'reminder' ? 0 : (item.lead ?? settings.ntfy_event_lead_minutes)
    return [{ at: instant - minutes * 60_000, about: String(instant) }]
  }
  const onIt = { at: at(0), about: day.toString() }
  return days === 0 ? [onIt] : [{ at: at(days), about: `${day.toString()} ahead` }, onIt]
}

/** All moments of an item within a month of `now`. */
const momentsOf = (item: Item, settings: Settings, now: number) =>
  startsOf(item, now).flatMap((start) => {
    if (wasOver(item, start, settings)) return []
    const { kind, every, title } = item
    const isOne = kind === 'birthday' || (every !== null && (kind === 'event' || kind === 'day'))
    const known = kind === 'event' ? start.toString() : start.toPlainDate().toString()
    const occurrence = isOne ? known : ''
    return toldOf(item, start, settings).map(({ at, about }) => ({
      at,
      subject: `${title} ${occurrence} ${about}`,
      occurrence,
    }))
  })

const RESOURCES: Readonly<Record<Kind, string>> = {
  reminder: '/api/reminders',
  event: '/api/events',
  day: '/api/events',
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
  return {
    reminder: { title, remind_at: wall, time_zone: 'Europe/Berlin', recurrence_rule: rule },
    event: {
      title,
      start_at: wall,
      end_at: endOf(item),
      time_zone: 'Europe/Berlin',
      recurrence_rule: rule,
      reminder_minutes: lead,
    },
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
      kind: fc.constantFrom<Kind>('reminder', 'event', 'day', 'todo', 'project', 'birthday'),
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

/** Whoever is told of what, by somebody who forgets nothing and looks at everything each time. */
class Oracle {
  readonly items: Item[] = []
  readonly #sent = new Set<string>()
  readonly #told = new Map<string, number>()

  /** Titles and fire times of what is to be sent by now. */
  tick(settings: Settings, now: number): string[] {
    const due = this.items.flatMap((item) =>
      momentsOf(item, settings, now)
        .filter(({ at }) => at <= now && at > now - 24 * HOUR)
        .map(({ at, subject, occurrence }) => {
          const line = `${item.title} at ${new Date(at).toISOString()}`
          return { at, subject, line, key: `${line} ${occurrence}` }
        }),
    )
    const fresh = due.filter(
      ({ at, subject, key }) => !this.#sent.has(key) && (this.#told.get(subject) ?? 0) < at,
    )
    for (const { subject, key } of fresh) {
      this.#sent.add(key)
      this.#told.set(subject, now)
    }
    return fresh.map(({ line }) => line).toSorted()
  }
}

interface World {
  readonly ada: Actor
  readonly oracle: Oracle
  settings: Settings
}

/** All that hangs has something due. */
async function disturb(): Promise<void> {
  const remindAt = h.clock.now().toISOString()
  for (const neighbour of neighbours) {
    await act(neighbour, 'POST', '/api/reminders', { title: 'hangs', remind_at: remindAt })
  }
}

async function move(ada: Actor, item: Item, minutes: number): Promise<void> {
  const wall = Temporal.PlainDateTime.from(item.wall).add({ minutes })
  item.wall = wall.toString({ smallestUnit: 'minute' })
  item.entered = +h.clock.now()
  const { title: _, ...times } = bodyOf(item)
  await act(ada, 'PUT', `${RESOURCES[item.kind]}/${item.id}`, times)
}

async function apply(world: World, one: Step, serial: number): Promise<void> {
  const { ada, oracle } = world
  const wallAt = (ms: number) =>
    Temporal.Instant.fromEpochMilliseconds(ms)
      .toZonedDateTimeISO('Europe/Berlin')
      .toPlainDateTime()
      .toString({ smallestUnit: 'minute' })
  const item = 'which' in one ? oracle.items[one.which % oracle.items.length] : undefined
  if (one.do === 'wait') h.clock.advance({ minutes: one.minutes })
  if (one.do === 'configure') {
    await configure(ada, one.settings)
    world.settings = one.settings
  }
  if (one.do === 'make') {
    const made = {
      ...one,
      title: `${one.kind} ${serial}`,
      id: 0,
      entered: +h.clock.now(),
      wall: wallAt(+h.clock.now() + one.inMinutes * 60_000),
    }
    made.id = (await act(ada, 'POST', RESOURCES[one.kind], bodyOf(made))).id
    oracle.items.push(made)
  }
  if (one.do === 'move' && item) await move(ada, item, one.minutes)
  if (one.do === 'disturb') await disturb()
  if (one.do === 'delete' && item) {
    await act(ada, 'DELETE', `${RESOURCES[item.kind]}/${item.id}`)
    oracle.items.splice(oracle.items.indexOf(item), 1)
  }
}

test('what is sent at each pass is what somebody would send who looks at everything, whatever changed before, and whoever hangs', async () => {
  let messages = 0
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('2026-03-27T12:00:00Z', '2026-10-23T12:00:00Z', '2026-07-01T12:00:00Z'),
      fc.array(step, { minLength: 10, maxLength: 40 }),
      async (start, steps) => {
        h.clock.advance({ ms: Date.parse(start) - +h.clock.now() })
        const settings = {
          time_zone: 'Europe/Berlin',
          notify_day_at: '09:00',
          ntfy_todo_lead_days: 1,
          ntfy_project_lead_days: 2,
          ntfy_event_lead_minutes: 15,
        }
        const ada = await h.listener({ ...settings })
        const oracle = new Oracle()
        const world: World = { ada, oracle, settings }
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
  expect(messages).toBeGreaterThan(RUNS)
})
