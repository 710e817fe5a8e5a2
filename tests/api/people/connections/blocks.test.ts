import { describe, expect, test } from 'bun:test'
import { eq, ne } from 'drizzle-orm'
import { auditLog, blocks, connections, notifications, users } from '../../../../src/db/schema'
import {
  block,
  BLOCKS,
  connect,
  connectionsOf,
  notificationsOf,
  requestsOf,
  send,
  set,
  settle,
  sociable,
} from '../../../support/connecting'
import { type Actor, PASSWORD } from '../../../support/harness'
import { befriend } from '../../../support/inviting'
import { sharer } from '../../../support/sharing'
import { observed } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const NOBODY = [404, { detail: 'User not found' }]

const blockNamed = (actor: Actor, network_name: string) =>
  actor.request('POST', BLOCKS, { body: { network_name } })
const unblock = (actor: Actor, id: number | string) => actor.request('DELETE', `${BLOCKS}/${id}`)
const blocksOf = async (actor: Actor) => (await actor.request('GET', BLOCKS)).body
const search = (actor: Actor, network_name: string) =>
  actor.request('POST', '/api/connections/search', { body: { network_name } })
const answer = ({ status, body }: { status: number; body: unknown }) => [status, body]
const rename = (actor: Actor, network_name: string) =>
  actor.request('PUT', '/api/settings', { body: { network_name } })
const hide = (actor: Actor) => set(h, actor, { acceptConnections: false })

describe('blocking', () => {
  test('answers the block, lists it and exports it; twice is once', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h, { username: 'bob' })]
    const blocked = await blockNamed(ada, ' BOB ')
    const view = { id: expect.any(Number), network_name: 'bob', created_at: '2026-03-04T10:30:00+01:00' }
    expect(answer(blocked)).toEqual([201, view])
    h.clock.advance({ minutes: 1 })
    expect(answer(await blockNamed(ada, 'bob'))).toEqual([201, blocked.body])
    expect(await blocksOf(ada)).toEqual({ blocks: [blocked.body], next_cursor: null })
    expect((await ada.request('GET', '/api/export')).body.blocks).toEqual([blocked.body])
    expect(await blocksOf(bob)).toEqual({ blocks: [], next_cursor: null })
    expect(await h.db.$count(blocks)).toBe(1)
    const entry = {
      actorId: ada.row.id,
      ip: '203.0.113.7',
      detail: { block_id: blocked.body.id, user_id: bob.row.id },
    }
    expect(await h.db.select().from(auditLog)).toMatchObject([{ action: 'connection.blocked', ...entry }])
    expect(answer(await unblock(ada, blocked.body.id))).toEqual([204, ''])
    expect((await blocksOf(ada)).blocks).toEqual([])
    const entries = await h.db.select().from(auditLog).orderBy(auditLog.id)
    expect(entries).toMatchObject([{}, { action: 'connection.unblocked', ...entry }])
  })

  test('a request that found the user blocked does nothing when it comes again after they were unblocked', async () => {
    const [ada] = [await sociable(h), await sociable(h, { username: 'bob' })]
    const blocked = await blockNamed(ada, 'bob')
    const repeated = () =>
      ada.request('POST', BLOCKS, {
        body: { network_name: 'bob' },
        headers: { 'idempotency-key': 'once' },
      })
    expect(answer(await repeated())).toEqual([201, blocked.body])
    await unblock(ada, blocked.body.id)
    expect(answer(await repeated())).toEqual([410, { detail: 'Deleted since' }])
    expect((await blocksOf(ada)).blocks).toEqual([])
  })

  test('reaches somebody hidden who asked once and took it back', async () => {
    const [ada, bob] = [await sociable(h), await h.signedIn({ username: 'bob' })]
    await hide(bob)
    expect(answer(await blockNamed(ada, 'bob'))).toEqual(NOBODY)
    await settle(bob, 'cancel', (await send(bob, ada)).body.id)
    expect((await blockNamed(ada, 'bob')).status).toBe(201)
    expect(answer(await send(bob, ada))).toEqual(NOBODY)
  })

  test('pages by the name that was blocked', async () => {
    const ada = await h.signedIn()
    const names = ['dora', 'bert', 'emil', 'carl', 'anna']
    for (const username of names) await block(ada, await sociable(h, { username }))
    const seen: string[] = []
    for (let cursor: string | null = ''; cursor !== null;) {
      const path: string = `${BLOCKS}?limit=2${cursor && `&cursor=${cursor}`}`
      const { body } = await ada.request('GET', path)
      seen.push(...body.blocks.map(({ network_name }: { network_name: string }) => network_name))
      cursor = body.next_cursor
    }
    expect(seen).toEqual(names.toSorted())
    expect((await ada.request('GET', `${BLOCKS}?cursor=x`)).status).toBe(422)
  })

  test('finds nobody, oneself, who is hidden and who is disabled in the same bytes and by the same statements', async () => {
    const [ada, bob, carol] = [await sociable(h), await h.signedIn(), await sociable(h)]
    await h.db.update(users).set({ isActive: false }).where(eq(users.id, carol.row.id))
    const attempts = []
    for (const name of ['nobody', ada.row.networkName, bob.row.networkName, carol.row.networkName]) {
      using statements = observed(h.db)
      const refused = await blockNamed(ada, name)
      attempts.push([answer(refused), statements.map(({ text }) => text)])
    }
    const [, sent] = attempts[0] ?? []
    expect(attempts).toEqual(attempts.map(() => [NOBODY, sent ?? []]))
    expect((await blockNamed(ada, '')).status).toBe(422)
    expect(await h.db.$count(blocks)).toBe(0)
  })

  test('finds who is hidden under the name that the caller is shown, and under no other', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h, { username: 'bob' })]
    const { id } = (await send(ada, bob)).body
    await settle(bob, 'reject', id)
    await hide(bob)
    await rename(bob, 'hidden-k229')
    expect(answer(await blockNamed(ada, 'hidden-k229'))).toEqual(NOBODY)
    expect((await blockNamed(ada, 'bob')).body).toMatchObject({ network_name: 'bob' })
    expect(await requestsOf(ada)).toEqual([])
    expect(await h.db.select().from(blocks)).toMatchObject([{ blockedUserId: bob.row.id }])
  })

  test('finds whom the caller had to do with under a name that a stranger has taken over, then the stranger', async () => {
    const [ada, bob, carol] = [await sociable(h), await sociable(h, { username: 'bob' }), await sociable(h)]
    const { id } = (await send(bob, ada)).body
    await settle(ada, 'reject', id)
    await rename(bob, 'robert')
    await rename(carol, 'bob')
    for (let time = 0; time < 2; time++) expect((await blockNamed(ada, 'bob')).status).toBe(201)
    const rows = await h.db.select().from(blocks).orderBy(blocks.id)
    expect(rows.map(({ blockedUserId }) => blockedUserId)).toEqual([bob.row.id, carol.row.id])
  })

  test('finds who bears a taken name where the caller has to do with them', async () => {
    const [ada, bob, carol] = [await sociable(h), await sociable(h, { username: 'bob' }), await sociable(h)]
    const { id } = (await send(bob, ada)).body
    await settle(ada, 'reject', id)
    await rename(bob, 'robert')
    await rename(carol, 'bob')
    await send(carol, ada)
    await blockNamed(ada, 'bob')
    expect(await h.db.select().from(blocks)).toMatchObject([{ blockedUserId: carol.row.id }])
  })

  test('finds who is hidden and connected, has asked, or shares a calendar of somebody else', async () => {
    const [ada, bob, carol, dora] = [await sharer(h), await sharer(h), await sharer(h), await sharer(h)]
    await befriend(h, ada, [bob, carol])
    const calendar = await ada.createCalendar('Choir')
    for (const member of [bob, carol]) {
      await ada.share(calendar.id, member)
      await member.acceptAll()
    }
    await send(dora, bob)
    for (const actor of [ada, carol, dora]) await hide(actor)
    for (const other of [carol, dora, ada]) expect((await block(bob, other)).status).toBe(201)
  })

  test('does not follow who renames themselves, and shows their new name to be as unknown as any', async () => {
    const [ada, bob, carol] = [await sociable(h), await sociable(h, { username: 'bob' }), await sociable(h)]
    const { body } = await block(ada, bob)
    await rename(bob, 'robert')
    expect((await blocksOf(ada)).blocks).toEqual([body])
    expect((await search(ada, 'robert')).body).toEqual({ found: false, network_name: 'robert' })
    expect(answer(await blockNamed(ada, 'robert'))).toEqual(NOBODY)
    expect(answer(await blockNamed(ada, 'bob'))).toEqual([201, body])
    // The name is free by now: another who takes it is another.
    await rename(carol, 'bob')
    expect((await blockNamed(ada, 'bob')).body.id).not.toBe(body.id)
    expect((await blocksOf(ada)).blocks).toHaveLength(2)
  })

  test('is the caller’s own: for anybody else, and for what is no id, there is no such block', async () => {
    const [ada, bob, eve] = [await sociable(h), await sociable(h), await sociable(h)]
    const { id } = (await block(ada, bob)).body
    for (const [actor, segment] of [
      [eve, id],
      [bob, id],
      [ada, id + 1],
      [ada, 'x'],
      [ada, '2147483648'],
    ] as const) {
      expect(answer(await unblock(actor, segment))).toEqual([404, { detail: 'Block not found' }])
    }
    expect(await h.db.$count(blocks)).toBe(1)
  })
})

describe('unblocking', () => {
  test('restores nothing but the possibility', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    await connect(ada, bob)
    const { id } = (await block(ada, bob)).body
    await unblock(ada, id)
    for (const actor of [ada, bob]) {
      expect([await connectionsOf(actor), await requestsOf(actor), await notificationsOf(actor)]).toEqual([
        [],
        [],
        [],
      ])
    }
    expect((await search(bob, ada.row.networkName)).body.found).toBe(true)
    expect((await send(bob, ada)).status).toBe(201)
    expect((await connect(ada, await sociable(h))).own).toBeGreaterThan(0)
  })

  test('The end of one side’s block leaves the block of the other', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    const { id } = (await block(ada, bob)).body
    await h.db
      .insert(blocks)
      .values({ userId: bob.row.id, blockedUserId: ada.row.id, networkName: 'x', createdAt: h.clock.now() })
    await unblock(ada, id)
    for (const [one, other] of [
      [ada, bob],
      [bob, ada],
    ] as const) {
      expect((await search(one, other.row.networkName)).body.found).toBe(false)
      expect(answer(await send(one, other))).toEqual(NOBODY)
    }
  })

  test('a block goes with the account of either', async () => {
    const [ada, bob, carol] = [await sociable(h), await sociable(h), await sociable(h)]
    await block(ada, bob)
    await block(bob, carol)
    await bob.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
    expect(await h.db.$count(blocks)).toBe(0)
    expect(await h.db.$count(users, ne(users.id, 0))).toBe(2)
    for (const table of [connections, notifications]) expect(await h.db.$count(table)).toBe(0)
  })
})
