import { beforeAll, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { notifications, pushDeliveries } from '../../../../src/db/schema'
import { notificationsOf } from '../../../support/connecting'
import type { Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ env: { NTFY_ALLOW_PRIVATE: 'true' } })
beforeAll(() => {
  h.peer.address = '192.168.7.7'
})

const FIREFOX = 'Mozilla/5.0 (X11; Linux x86_64; rv:141.0) Gecko/20100101 Firefox/141.0'
const SERVER = 'https://ntfy.example'
const EMAIL = 'Your e-mail address was changed'
const PUSH = 'Your push target was changed'

const change = async (actor: Actor, body: object, userAgent = FIREFOX) => {
  const sent = { body, headers: { 'user-agent': userAgent } }
  return (await actor.request('PUT', '/api/settings', sent)).status
}
const told = async (actor: Actor) => (await notificationsOf(actor)).filter(({ type }) => type === 'security')
const titles = async (actor: Actor) => (await told(actor)).map(({ title }) => title)
const expectPlaceIn = (message: unknown) => {
  for (const part of ['192.168.7.7', 'Firefox on Linux', 'change your password'])
    expect(message).toContain(part)
}

describe('a changed e-mail address', () => {
  test('is told of, with the address and the browser, and what to do', async () => {
    const ada = await h.signedIn()
    expect(await change(ada, { email: 'eve@example.org' })).toBe(200)
    const [one, ...more] = await told(ada)
    expect([one, more]).toMatchObject([{ type: 'security', title: EMAIL, data: {}, is_read: false }, []])
    expectPlaceIn(one?.message)
  })

  test('is told of when it is removed, and not when it stays or is refused', async () => {
    const [ada, bob] = [await h.signedIn({ email: 'ada@example.org' }), await h.signedIn()]
    expect(await change(ada, { email: 'ada@example.org', phone: '1' })).toBe(200)
    expect(await change(ada, { phone: '2' })).toBe(200)
    expect(await change(bob, { email: 'ADA@example.org' })).toBe(409)
    expect([await titles(ada), await titles(bob)]).toEqual([[], []])
    expect(await change(ada, { email: null })).toBe(200)
    expect(await titles(ada)).toEqual([EMAIL])
  })
})

describe('a changed push target', () => {
  test.each([
    ['server', { ntfy_server_url: 'https://other.example' }],
    ['topic', { ntfy_topic: 'other' }],
    ['token', { ntfy_auth_token: 'tk_other' }],
    ['removed token', { ntfy_auth_token: null }],
  ])('is told of: %s', async (_, body) => {
    const ada = await h.signedIn()
    const target = { ntfy_server_url: SERVER, ntfy_topic: 'own', ntfy_auth_token: 'tk_own' }
    expect(await change(ada, target)).toBe(200)
    await ada.request('PUT', '/api/notifications/read-all')
    expect(await change(ada, body)).toBe(200)
    const [one, ...before] = await told(ada)
    expect(one).toMatchObject({ title: PUSH, data: {}, is_read: false })
    expectPlaceIn(one?.message)
    expect(before).toHaveLength(1)
  })

  test('is told of together with the address, and not when only other settings change', async () => {
    const ada = await h.signedIn()
    const target = { ntfy_server_url: SERVER, ntfy_topic: 'own' }
    expect(await change(ada, { ...target, email: 'new@example.org' })).toBe(200)
    expect(await titles(ada)).toEqual([PUSH, EMAIL])
    const same = { ...target, ntfy_enabled: true, ntfy_todos: false, quiet_from: '22:00', quiet_to: '06:00' }
    expect(await change(ada, same)).toBe(200)
    expect(await titles(ada)).toHaveLength(2)
  })
})

test('however often they change, one notification of each stays unread: the newest', async () => {
  const ada = await h.signedIn()
  for (const n of [1, 2, 3]) {
    h.clock.advance({ minutes: 1 })
    await change(ada, { email: `ada${n}@example.org`, ntfy_topic: `own${n}` }, `Change/${n}`)
  }
  const all = await told(ada)
  expect(all.map(({ title }) => String(title)).toSorted()).toEqual([EMAIL, PUSH])
  for (const { message } of all) expect(message).toContain('Change/3')
})

test('what cannot be told of does not change', async () => {
  const ada = await h.signedIn()
  await h.db.execute(`alter table notifications add constraint told check (user_id <> ${ada.row.id})`)
  expect(await change(ada, { email: 'mallory@example.org' })).toBe(500)
  expect(await change(ada, { ntfy_server_url: SERVER, ntfy_topic: 'eve' })).toBe(500)
  await h.db.execute('alter table notifications drop constraint told')
  const { body } = await ada.request('GET', '/api/settings')
  expect(body).toMatchObject({ email: null, ntfy_topic: null })
  expect(await h.db.$count(notifications, eq(notifications.userId, ada.row.id))).toBe(0)
})

test('none of it is pushed', async () => {
  expect(await h.db.$count(pushDeliveries)).toBe(0)
})
