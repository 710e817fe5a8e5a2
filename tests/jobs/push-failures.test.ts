import { expect, setDefaultTimeout, test } from 'bun:test'
import { createNtfy } from '../../src/adapters/ntfy'
import { pushDeliveries } from '../../src/db/schema'
import { dispatchPushes } from '../../src/jobs/push-dispatch'
import { eq, inArray } from 'drizzle-orm'
import { act, deliveriesOf, fakeNtfy } from '../support/ntfy'
import { DEAD_ENDS, rawServer } from '../support/raw-server'
import { until } from '../support/service'
import { remind, usePushing } from '../support/use-pushing'

setDefaultTimeout(60_000)

const DEADLINE_MS = 200
const { h, soon } = usePushing({
  deps: { pushServer: createNtfy({ isAllowed: () => true, deadlineMs: DEADLINE_MS }) },
})

test('a refused message is tried again after 1, 2, 4, 8 and 16 minutes, then fails with the reason, and delays nobody else', async () => {
  await using broken = fakeNtfy()
  const tries: number[] = []
  const started = +h.clock.now() + 60_000
  broken.react = () => {
    tries.push((+h.clock.now() - started) / 60_000)
    return new Response('no', { status: 500 })
  }
  const ada = await h.listener({ ntfy_server_url: broken.url, ntfy_auth_token: 'tk_canary' })
  const bob = await h.listener()
  await remind(ada, 'hers', soon(1))
  await remind(bob, 'his', soon(1))
  const told: string[] = []
  for (let minute = 0; minute < 60; minute++) {
    h.clock.advance({ minutes: 1 })
    told.push(...(await h.titles(bob)))
  }
  expect(tries).toEqual([0, 1, 3, 7, 15, 31])
  expect(told).toEqual(['his'])
  const [failed] = await deliveriesOf(ada)
  expect(failed).toMatchObject({
    title: 'hers',
    status: 'failed',
    attempts: 6,
    sent_at: null,
    error: 'The push server answered 500',
  })
  expect(JSON.stringify([failed, h.log.entries])).not.toContain('tk_canary')
})

test.each(['says nothing', 'hangs up', 'resets the connection'])(
  'a server that %s delays nobody else, and the messages that it missed are sent once a server answers',
  async (what) => {
    await using dead = await rawServer(() => DEAD_ENDS[what] ?? '')
    const [ada, bob] = [await h.listener({ ntfy_server_url: dead.url }), await h.listener()]
    await remind(ada, 'hers', soon(1))
    await remind(bob, 'his', soon(1))
    h.clock.advance({ minutes: 1 })
    expect(await h.titles(bob)).toEqual(['his'])
    expect(await deliveriesOf(ada)).toMatchObject([
      { status: 'pending', attempts: 1, error: 'The push server did not answer' },
    ])
    await act(ada, 'PUT', '/api/settings', { ntfy_server_url: h.ntfy.url })
    h.clock.advance({ minutes: 1 })
    expect(await h.titles(ada)).toEqual(['hers'])
    expect(await deliveriesOf(ada)).toMatchObject([{ status: 'sent', attempts: 2, error: null }])
  },
)

test('a thousand messages to a server that hangs delay no message of anybody else', async () => {
  await using dead = await rawServer(() => () => {})
  const ada = await h.listener({ ntfy_server_url: dead.url })
  const others = await Promise.all(Array.from({ length: 5 }, () => h.listener()))
  const now = h.clock.now()
  await h.db
    .execute(`insert into reminders (user_id, title, time_zone, remind_at, series_start, series_wall, created_at, updated_at)
    select ${ada.row.id}, 'hanging', 'UTC', at, at, at at time zone 'UTC', at, at
    from (select timestamptz '${now.toISOString()}' as at from generate_series(1, 1000)) as due`)
  // In this one, time passes as it does: how long a pass may take is a matter of real time.
  const clock = {
    now: () => h.clock.now(),
    monotonic: () => performance.now(),
    sleep: Bun.sleep,
    nextTurn: async () => {},
  }
  await Promise.all(others.map((other) => remind(other, 'theirs', soon(1))))
  h.clock.advance({ minutes: 1 })
  let arrived = 0
  h.ntfy.react = () => {
    arrived += 1
    return undefined
  }
  let isStopping = false
  const passing = dispatchPushes({ ...h.deps, clock }, () => isStopping)
  await until(() => arrived === others.length)
  isStopping = true
  await passing
  const rows = await h.db.select().from(pushDeliveries).where(eq(pushDeliveries.userId, ada.row.id))
  expect(rows).toHaveLength(1000)
  expect(rows.reduce((sum, { attempts }) => sum + attempts, 0)).toBeLessThan(500)
})

test('a server of a hundred users that hangs leaves time for everybody else in the same pass', async () => {
  const dead = 'http://127.0.0.1:9/'
  const remindAt = soon(1)
  const hanging = await Promise.all(Array.from({ length: 100 }, () => h.listener({ ntfy_server_url: dead })))
  for (const user of hanging) await remind(user, 'hers', remindAt)
  const others = [await h.listener(), await h.listener()]
  for (const user of others) await remind(user, 'his', soon(1))
  h.clock.advance({ minutes: 1 })
  const pushServer: typeof h.deps.pushServer = {
    send: async (target, message) => {
      if (target.serverUrl !== dead) return h.deps.pushServer.send(target, message)
      h.clock.advance({ seconds: 5 })
      return { kind: 'unreachable', reason: 'timeout' }
    },
  }
  await dispatchPushes({ ...h.deps, pushServer }, () => false)
  expect(h.ntfy.taken().map(({ title }) => title)).toEqual(['his', 'his'])
  const ids = hanging.map(({ row }) => row.id)
  const rows = await h.db.select().from(pushDeliveries).where(inArray(pushDeliveries.userId, ids))
  expect(rows).toHaveLength(100)
  const tried = rows.filter(({ attempts }) => attempts > 0)
  expect(tried.length).toBeWithin(1, 10)
  const now = h.clock.now()
  expect(rows.filter(({ attempts, dueAt }) => attempts === 0 && dueAt > now)).toEqual([])
})

test('a message that took longer to judge than its lease lasts is left to the next pass', async () => {
  const ada = await h.listener({ ntfy_auth_token: 'tk_slow' })
  await remind(ada, 'first', soon(1))
  await remind(ada, 'second', soon(2))
  h.clock.advance({ minutes: 2 })
  let judged = 0
  const cipher = {
    ...h.deps.cipher,
    decrypt: (...args: Parameters<typeof h.deps.cipher.decrypt>) => {
      if (++judged === 2) h.clock.advance({ seconds: 61 })
      return h.deps.cipher.decrypt(...args)
    },
  }
  await dispatchPushes({ ...h.deps, cipher }, () => false)
  expect([judged, h.ntfy.taken().map(({ title }) => title)]).toEqual([2, ['first']])
  expect(await h.titles(ada)).toEqual(['second'])
})

test('a stopped pass gives back the messages that it did not send, and the next pass sends each once', async () => {
  const ada = await h.listener()
  for (let i = 0; i < 5; i++) await remind(ada, `item ${i}`, soon(1))
  h.clock.advance({ minutes: 1 })
  let isStopping = false
  h.ntfy.react = () => {
    isStopping = true
    return undefined
  }
  await dispatchPushes(h.deps, () => isStopping)
  expect(h.ntfy.taken()).toHaveLength(1)
  h.ntfy.react = undefined
  expect(await h.titles(ada)).toHaveLength(4)
})

test('a message that came due while nothing ran is sent once, unless it came due over a day ago', async () => {
  const ada = await h.listener()
  await remind(ada, 'one', soon(1))
  h.clock.advance({ minutes: 10 })
  expect(await h.titles(ada)).toEqual(['one'])
  await remind(ada, 'lost', soon(1))
  h.clock.advance({ hours: 24, minutes: 2 })
  expect(await h.titles(ada)).toEqual([])
})

test('a clock that was ahead for a while loses no message that comes due once it is right again', async () => {
  const ada = await h.listener()
  await remind(ada, 'later', soon(60))
  h.clock.advance({ days: 900 })
  await h.tick()
  h.clock.advance({ days: -900 })
  h.clock.advance({ minutes: 61 })
  expect(await h.titles(ada)).toEqual(['later'])
})
