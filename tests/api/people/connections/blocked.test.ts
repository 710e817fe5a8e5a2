import { describe, expect, test } from 'bun:test'
import { connectionRequests } from '../../../../src/db/schema'
import {
  block,
  BLOCKS,
  connect,
  connectionsOf,
  notificationsOf,
  REQUESTS,
  send,
  settle,
  sociable,
} from '../../../support/connecting'
import { type Actor, PASSWORD } from '../../../support/harness'
import { befriend } from '../../../support/inviting'
import { sharer } from '../../../support/sharing'
import { observed } from '../../../support/statements'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const answer = ({ status, body }: { status: number; body: unknown }) => [status, body]
const TIMES = { start_at: '2026-03-10T09:00', end_at: '2026-03-10T10:00' }

describe('each of the two is to the other as if absent:', () => {
  /** Both sides of a block, each as the one who asks and the one who is asked for. */
  async function blocked() {
    const [ada, bob] = [await sharer(h), await sharer(h)]
    const { body } = await block(ada, bob)
    return {
      ada,
      bob,
      id: body.id,
      sides: [
        [ada, bob],
        [bob, ada],
      ] as const,
    }
  }

  test('searches, requests and blocks answer what they answer of nobody, by the same statements', async () => {
    const { sides } = await blocked()
    const attempt = async (actor: Actor, name: string) => {
      const seen = []
      for (const path of ['/api/connections/search', REQUESTS, BLOCKS]) {
        using statements = observed(h.db)
        const { status, body } = await actor.request('POST', path, { body: { network_name: name } })
        seen.push([status, { ...body, network_name: undefined }, statements.map(({ text }) => text)])
      }
      return seen
    }
    const [[, bob], [, ada]] = sides
    // Who has blocked another is answered their block when they block them again.
    expect((await attempt(ada, bob.row.networkName)).slice(0, 2)).toEqual(
      (await attempt(ada, 'nobody')).slice(0, 2),
    )
    expect(await attempt(bob, ada.row.networkName)).toEqual(await attempt(bob, 'nobody'))
    expect(await h.db.$count(connectionRequests)).toBe(0)
  })

  test('neither can invite the other or share a calendar with them', async () => {
    const { sides } = await blocked()
    for (const [actor, other] of sides) {
      const event = await actor.create(TIMES)
      const calendar = await actor.createCalendar('Choir')
      const refused = [404, { detail: 'Connection not found' }]
      expect(answer(await actor.invite(event.id, other))).toEqual(refused)
      expect(answer(await actor.share(calendar.id, other))).toEqual(refused)
      expect(await notificationsOf(other)).toEqual([])
    }
  })

  test('as members of a calendar of somebody else they do not see each other, while its owner sees both', async () => {
    const [ada, bob, carol] = [await sharer(h), await sharer(h), await sharer(h)]
    await befriend(h, ada, [bob, carol])
    const calendar = await ada.createCalendar('Choir')
    const members: Record<string, number> = {}
    for (const member of [bob, carol]) {
      members[member.row.networkName] = (await ada.share(calendar.id, member)).body.id
      await member.acceptAll()
    }
    await block(bob, carol)
    const names = async (actor: typeof ada) =>
      (await actor.members(calendar.id)).body.members.map((one: { network_name: string }) => one.network_name)
    expect(await names(ada)).toEqual([bob.row.networkName, carol.row.networkName])
    expect(await names(bob)).toEqual([bob.row.networkName])
    expect(await names(carol)).toEqual([carol.row.networkName])
    const hidden = members[bob.row.networkName] ?? 0
    expect(answer(await carol.dismiss(calendar.id, hidden))).toEqual([404, { detail: 'Member not found' }])
    expect((await bob.calendar(calendar.id)).status).toBe(200)
  })

  /** Everything that a user can read that has to do with others. */
  const world = async (actor: Actor) => {
    const paths = [
      '/api/connections',
      REQUESTS,
      `${REQUESTS}?status=accepted`,
      '/api/notifications',
      '/api/people',
      '/api/calendars',
      '/api/calendars/invites',
      '/api/event-invitations',
      '/api/events?from=2026-03-01&to=2026-04-01',
      '/api/search?q=choir',
      '/api/dashboard',
    ]
    const seen = []
    for (const path of paths) seen.push([path, answer(await actor.request('GET', path))])
    const {
      exported_at: _at,
      sessions: _sessions,
      ...document
    } = (await actor.request('GET', '/api/export')).body
    return JSON.stringify([seen, document])
  }

  test.each(['is blocked', 'blocks'] as const)(
    'everything looks to who %s as when the other has deleted their account',
    async (role) => {
      const [ada, bob, carol] = [await sharer(h), await sharer(h), await sharer(h)]
      await befriend(h, bob, [carol])
      for (const actor of [ada, bob]) {
        await actor.request('PUT', '/api/settings', {
          body: { preferred_name: 'Dear', share_preferred_name: true },
        })
      }
      // Asked and rejected, connected, apart and connected again, inviting and sharing both ways.
      await settle(ada, 'reject', (await send(bob, ada)).body.id)
      await bob.request('DELETE', `/api/connections/${(await connect(bob, ada)).own}`)
      await connect(ada, bob)
      for (const [host, guest] of [
        [ada, bob],
        [bob, ada],
      ] as const) {
        const [accepted, pending] = [await host.createCalendar('Choir'), await host.createCalendar('Pending')]
        await host.share(accepted.id, guest)
        await guest.acceptAll()
        await host.share(pending.id, guest)
        const event = await host.create({ ...TIMES, title: 'Choir', calendar_id: accepted.id })
        const invited = await host.invite(event.id, guest)
        await guest.respond(invited.body.invitations[0].id, 'Going')
      }
      await send(await sociable(h), bob)
      expect(await world(bob)).toContain(ada.row.networkName)
      const remove = () => ada.request('DELETE', '/api/auth/account', { body: { password: PASSWORD } })
      const act = async (how: () => Promise<{ status: number }>, status: number) =>
        expect((await how()).status).toBe(status)
      if (role === 'is blocked') {
        await act(() => block(ada, bob), 201)
        const seen = await world(bob)
        await act(remove, 204)
        expect(await world(bob)).toBe(seen)
      } else {
        await act(() => block(bob, ada), 201)
        const { blocks: _blocks, ...seen } = JSON.parse(await world(bob))[1]
        await act(remove, 204)
        expect(JSON.parse(await world(bob))[1]).toEqual({ ...seen, blocks: [] })
      }
      expect(await world(bob)).not.toContain(ada.row.networkName)
      expect(await connectionsOf(bob)).toMatchObject([{ user_id: carol.row.id }])
    },
  )
})
