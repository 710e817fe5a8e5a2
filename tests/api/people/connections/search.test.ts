import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { connectionRequests, notifications, users } from '../../../../src/db/schema'
import { connect, REQUESTS, send, set, settle, sociable } from '../../../support/connecting'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const search = (actor: Actor, network_name: unknown) =>
  actor.request('POST', '/api/connections/search', { body: { network_name } })
const ask = (actor: Actor, network_name: unknown) =>
  actor.request('POST', REQUESTS, { body: { network_name } })

describe('POST /api/connections/search', () => {
  test('finds by the whole network name only, without regard to case and spaces around it', async () => {
    const ada = await h.signedIn()
    await sociable(h, { networkName: 'bob.smith' })
    for (const asked of ['bob.smith', 'BOB.Smith', '  bob.smith ']) {
      const found = await search(ada, asked)
      expect([found.status, found.body]).toEqual([200, { found: true, network_name: asked.trim() }])
    }
    for (const asked of ['bob', 'bob.smit', 'bob.smithy', 'bob%', 'bob_smith', '%', '*', 'b b', 'ß', '💥']) {
      const found = await search(ada, asked)
      expect([found.status, found.body]).toEqual([200, { found: false, network_name: asked }])
    }
  })

  test('shows the preferred name only where the settings share it', async () => {
    const [ada, bob] = [await h.signedIn(), await sociable(h)]
    const preferredName = async () => (await search(ada, bob.row.networkName)).body.preferred_name
    await set(h, bob, { preferredName: 'Bobby' })
    expect(await preferredName()).toBeUndefined()
    await set(h, bob, { sharePreferredName: true })
    expect(await preferredName()).toBe('Bobby')
    await set(h, bob, { preferredName: null })
    expect(await preferredName()).toBeUndefined()
  })

  test('shows a connected user no preferred name that their connection hides', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    await set(h, bob, { preferredName: 'Bobby', sharePreferredName: true })
    const { theirs } = await connect(ada, bob)
    await bob.request('PUT', `/api/connections/${theirs}/sharing`, { body: { share_preferred_name: false } })
    expect((await search(ada, bob.row.networkName)).body).toEqual({
      found: true,
      network_name: bob.row.networkName,
    })
  })

  test('refuses what no name can be', async () => {
    const ada = await h.signedIn()
    expect((await search(ada, 'a'.repeat(32))).body.found).toBe(false)
    expect((await search(ada, 'a'.repeat(33))).body.detail).toBe(
      'network_name: must be at most 32 characters',
    )
    expect((await search(ada, '  ')).body.detail).toBe('network_name: must not be empty')
    for (const nonsense of [undefined, null, 7, ['a'], 'a\0b']) {
      expect((await search(ada, nonsense)).status).toBe(422)
    }
  })
})

test('whom a search does not find cannot be asked either, in the same bytes as nobody', async () => {
  const ada = await sociable(h)
  const closed = await h.signedIn({ networkName: 'closed' })
  const inactive = await sociable(h, { networkName: 'inactive' })
  await h.db.update(users).set({ isActive: false }).where(eq(users.id, inactive.row.id))
  await set(h, closed, { preferredName: 'Hidden', sharePreferredName: true })
  for (const name of ['closed', 'inactive', ada.row.networkName, 'nobody', 'Closed']) {
    expect((await search(ada, name)).body).toEqual({ found: false, network_name: name })
    const refused = await ask(ada, name)
    expect([name, refused.status, refused.body]).toEqual([name, 404, { detail: 'User not found' }])
  }
  expect(await h.db.$count(connectionRequests)).toBe(0)
  expect(await h.db.$count(notifications)).toBe(0)
  await set(h, closed, { acceptConnections: true })
  expect((await ask(ada, 'closed')).status).toBe(201)
})

test('who closes their door afterwards is still known to those who are past it, and to nobody else', async () => {
  const [ada, bob, carol, eve] = [await sociable(h), await sociable(h), await sociable(h), await h.signedIn()]
  await connect(ada, bob)
  await send(carol, bob)
  const dan = await sociable(h)
  const asked = (await send(bob, dan)).body
  await set(h, bob, { acceptConnections: false })
  const details = await Promise.all(
    [ada, carol, dan, eve].map(async (actor) => (await send(actor, bob)).body.detail),
  )
  expect(details).toEqual([
    'You are already connected',
    'A request is already pending',
    'A request is already pending',
    'User not found',
  ])
  expect((await search(ada, bob.row.networkName)).body.found).toBe(false)
  expect((await settle(dan, 'accept', asked.id)).status).toBe(200)
})
