import { expect, test } from 'bun:test'
import { HasherBusyError } from '../../../src/lib/ports/passwords'
import { fakeHasher } from '../../support/fakes'
import { until } from '../../support/service'
import { useHarness } from '../../support/use-harness'

let isBusy = false
const h = useHarness({
  per: 'test',
  deps: {
    hasher: {
      ...fakeHasher,
      verify: async (...given) => {
        if (isBusy) throw new HasherBusyError('Too many passwords are waiting to be hashed')
        return fakeHasher.verify(...given)
      },
    },
  },
})

const FLOOD = 300
const flood = (send: () => ReturnType<typeof h.request>) =>
  Promise.all(Array.from({ length: FLOOD }, async () => (await send()).status))
const lines = (message: string, status?: number) =>
  h.log.entries.filter(
    (one) => one.message === message && (status === undefined || one.fields['status'] === status),
  )
const LEFT_OUT = 'Lines about refused requests were left out'
const leftOut = (kind: string) =>
  lines(LEFT_OUT).reduce(
    (sum, { fields }) => sum + (fields['kind'] === kind ? Number(fields['left_out']) : 0),
    0,
  )

/** Each request has its line, or is counted among those that were left out. */
async function expectCounted(status: number, count = FLOOD) {
  const counted = () => lines('request', status).length + leftOut(`request ${status}`)
  await until(() => counted() >= count)
  expect(counted()).toBe(count)
  expect(lines('request', status).length).toBeLessThan(count)
}

test('a flood without a session leaves some lines in the log, and how many there would have been', async () => {
  expect(new Set(await flood(() => h.request('GET', '/api/todos')))).toEqual(new Set([401]))
  await expectCounted(401)
  h.log.entries.length = 0
  expect(new Set(await flood(() => h.request('GET', '/wp-login.php')))).toEqual(new Set([404]))
  await expectCounted(404)
})

test('so does one that a busy hasher turns away, of both lines that each would write', async () => {
  isBusy = true
  const statuses = await flood(() => {
    h.peer.address = `2001:db8:${Math.floor(Math.random() * 65_536).toString(16)}::1`
    return h.request('POST', '/api/auth/login', { body: { username: 'ada', password: 'wrong' } })
  })
  isBusy = false
  const busy = statuses.filter((status) => status === 503).length
  expect(busy).toBeGreaterThan(100)
  await expectCounted(503, busy)
  const failures = 'Service temporarily unavailable'
  expect(lines(failures).length + leftOut(failures)).toBe(busy)
  expect(lines(failures).length).toBeLessThan(busy)
})

test('a flood of failures leaves all lines in the log', async () => {
  await h.db.execute('alter table users rename to gone')
  const body = { username: 'ada', password: 'wrong' }
  let n = 0
  const statuses = await flood(() => {
    h.peer.address = `198.51.100.${++n % 250}`
    return h.request('POST', '/api/auth/login', { body })
  })
  await h.db.execute('alter table gone rename to users')
  const failed = statuses.filter((status) => status === 500).length
  expect(failed).toBe(FLOOD)
  expect(lines('request', 500)).toHaveLength(failed)
  expect(lines('Internal server error')).toHaveLength(failed)
})

test('a flood of a user who is known leaves all lines in the log', async () => {
  const ada = await h.signedIn()
  const statuses = await flood(() => ada.request('GET', '/api/todos/999999'))
  expect(new Set(statuses)).toEqual(new Set([404]))
  expect(lines('request', 404)).toHaveLength(FLOOD)
})
