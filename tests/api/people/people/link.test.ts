import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { people } from '../../../../src/db/schema'
import { connect, connectionsOf, ROUNDS, set, sociable } from '../../../support/connecting'
import { type Actor } from '../../../support/harness'
import { createPerson } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const link = (
  actor: Actor,
  id: number | string,
  connection_id: unknown,
  headers: Record<string, string> = {},
) => actor.request('PUT', `/api/people/${id}/link`, { body: { connection_id }, headers })
const read = async (actor: Actor, id: number) => (await actor.request('GET', `/api/people/${id}`)).body
const answer = ({ status, body }: { status: number; body: unknown }) => [status, body]

/** Ada is connected with Bob, who shares his phone, and knows a person of her own. */
async function connected() {
  const [ada, bob] = [await sociable(h), await sociable(h, { username: 'bob' })]
  await set(h, bob, { phone: '+1', sharePhone: true })
  const { own } = await connect(ada, bob)
  const [connection] = await connectionsOf(ada)
  return {
    ada,
    bob,
    own,
    made: connection?.person_id ?? 0,
    known: await createPerson(ada, { nickname: 'Bobby from work' }),
  }
}

describe('PUT /api/people/{id}/link', () => {
  test('links a person, who shows what is shared; the one that was made with the connection stays without a link', async () => {
    const { ada, bob, own, made, known } = await connected()
    const before = await read(ada, made)
    h.clock.advance({ minutes: 1 })
    const linked = await link(ada, known.id, own)
    expect(answer(linked)).toEqual([
      200,
      {
        ...known,
        linked_user_id: bob.row.id,
        shared_profile: { phone: '+1' },
        version: 2,
        updated_at: '2026-03-04T10:31:00+01:00',
      },
    ])
    expect(linked.headers.get('etag')).toBe('"2"')
    expect(await read(ada, known.id)).toEqual(linked.body)
    expect(await read(ada, made)).toEqual({
      ...before,
      linked_user_id: null,
      shared_profile: null,
      version: before.version + 1,
      updated_at: '2026-03-04T10:31:00+01:00',
    })
    expect(await connectionsOf(ada)).toMatchObject([{ id: own, person_id: known.id }])
    expect(await connectionsOf(bob)).toMatchObject([{ person_id: expect.any(Number) }])
  })

  test('links again and unlinks again without a change', async () => {
    const { ada, own, made, known } = await connected()
    expect((await link(ada, made, own)).body.version).toBe(1)
    expect((await link(ada, known.id, null)).body).toEqual(known)
    const unlinked = await link(ada, made, null)
    expect(unlinked.body).toMatchObject({ linked_user_id: null, shared_profile: null, version: 2 })
    expect((await link(ada, made, null)).body).toEqual(unlinked.body)
    expect(await connectionsOf(ada)).toMatchObject([{ id: own, person_id: null }])
  })

  test('links a person of one connection to another instead', async () => {
    const { ada, own, made } = await connected()
    const carol = await sociable(h)
    const { own: other } = await connect(ada, carol)
    expect((await link(ada, made, other)).body.linked_user_id).toBe(carol.row.id)
    const places = (await connectionsOf(ada)).map(({ id, person_id }) => [id, person_id])
    expect(Object.fromEntries(places)).toEqual({ [own]: null, [other]: made })
  })

  test('knows only own people and own connections, and takes nothing but an id or null', async () => {
    const { ada, bob, own, known } = await connected()
    const [theirs] = await connectionsOf(bob)
    const nobody = [404, { detail: 'Person not found' }]
    for (const id of [known.id, 2147483647, '2147483648', 'x', '0']) {
      expect(answer(await link(bob, id, theirs?.id))).toEqual(nobody)
    }
    for (const id of [theirs?.id, 0, -1, 2147483648, own + 1000]) {
      expect(answer(await link(ada, known.id, id))).toEqual([404, { detail: 'Connection not found' }])
    }
    for (const id of [undefined, '1', 1.5, true]) {
      expect((await link(ada, known.id, id)).status).toBe(422)
    }
    expect(await read(ada, known.id)).toEqual(known)
  })

  test('changes only the version that is expected', async () => {
    const { ada, own, known } = await connected()
    const stale = await link(ada, known.id, own, { 'if-match': '"2"' })
    expect(answer(stale)).toEqual([412, { detail: 'This item has changed since you read it' }])
    expect(await read(ada, known.id)).toEqual(known)
    expect((await link(ada, known.id, own, { 'if-match': '"1"' })).body.version).toBe(2)
  })

  test('of five people that are linked at once, while the two part or not, at most one has the link', async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const { ada, own } = await connected()
      const ids: number[] = []
      for (let at = 0; at < 5; at++) ids.push((await createPerson(ada, { nickname: `P${at}` })).id)
      const parts = round % 2 === 0
      const answers = await Promise.all([
        ...ids.map((id) => link(ada, id, own)),
        ...(parts ? [ada.request('DELETE', `/api/connections/${own}`)] : []),
      ])
      for (const { status } of answers) expect([200, 204, 404]).toContain(status)
      const rows = await h.db.select().from(people).where(eq(people.userId, ada.row.id))
      expect(rows.filter(({ linkedUserId }) => linkedUserId !== null)).toHaveLength(parts ? 0 : 1)
      await h.db.delete(people)
      await h.db.execute(
        `update users set username = 'x' || id, network_name = 'x' || id where username = 'bob'`,
      )
    }
  })
})
