import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { people, users } from '../../../../src/db/schema'
import { connect, connectionsOf, send, set, settle, sociable } from '../../../support/connecting'
import { type Actor } from '../../../support/harness'
import { useHarness } from '../../../support/use-harness'

const h = useHarness({ per: 'test' })

const peopleOf = (actor: Actor) => h.db.select().from(people).where(eq(people.userId, actor.row.id))

const person = (actor: Actor, columns: Partial<typeof people.$inferInsert>) =>
  h.db
    .insert(people)
    .values({
      userId: actor.row.id,
      nickname: 'Bob from work',
      createdAt: h.clock.now(),
      updatedAt: h.clock.now(),
      ...columns,
    })
    .returning()

const SHARED_NOTHING = {
  firstName: null,
  lastName: null,
  email: null,
  phone: null,
  mobile: null,
  birthday: null,
  address: null,
  company: null,
  jobTitle: null,
}

describe('a new connection', () => {
  test('makes one person on each side; with nothing shared the nickname is the network name', async () => {
    const ada = await sociable(h, { username: 'ada', email: 'ada@example.org' })
    const bob = await sociable(h, { username: 'bob', email: 'bob@example.org', dateOfBirth: '1980-02-29' })
    await set(h, bob, { firstName: 'Robert', phone: '1', company: 'Acme' })
    await connect(ada, bob)
    const [own, ...more] = await peopleOf(ada)
    expect(more).toEqual([])
    expect(own).toMatchObject({ ...SHARED_NOTHING, nickname: 'bob', linkedUserId: bob.row.id, version: 1 })
    expect(await peopleOf(bob)).toMatchObject([{ nickname: 'ada', linkedUserId: ada.row.id }])
    expect(await connectionsOf(ada)).toMatchObject([{ person_id: own?.id }])
  })

  test('fills the person in with what is shared at that moment, each side by its own settings', async () => {
    const ada = await sociable(h)
    const bob = await sociable(h, { email: 'bob@example.org', dateOfBirth: '1980-02-29' })
    await set(h, bob, {
      firstName: 'Robert',
      lastName: 'Smith',
      preferredName: 'Bobby',
      phone: '+1',
      mobile: '+2',
      address: '1 Road\nTown',
      company: 'Acme',
      jobTitle: 'Fitter',
      shareFirstName: true,
      shareLastName: true,
      sharePreferredName: true,
      shareEmail: true,
      sharePhone: true,
      shareMobile: true,
      shareBirthday: true,
      shareAddress: true,
      shareCompany: true,
      shareJobTitle: true,
    })
    await connect(ada, bob)
    expect(await peopleOf(ada)).toMatchObject([
      {
        firstName: 'Robert',
        lastName: 'Smith',
        nickname: 'Bobby',
        email: 'bob@example.org',
        phone: '+1',
        mobile: '+2',
        birthday: '1980-02-29',
        address: '1 Road\nTown',
        company: 'Acme',
        jobTitle: 'Fitter',
      },
    ])
    expect(await peopleOf(bob)).toMatchObject([{ ...SHARED_NOTHING, nickname: ada.row.networkName }])
    await set(h, bob, { phone: '+3' })
    expect(await peopleOf(ada)).toMatchObject([{ phone: '+1' }])
  })

  test('needs no nickname where a name is shared, and cuts names to what a person can hold', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h)]
    await set(h, bob, { lastName: '🙂'.repeat(150), shareLastName: true, shareFirstName: true })
    await connect(ada, bob)
    expect(await peopleOf(ada)).toMatchObject([
      { firstName: null, lastName: '🙂'.repeat(100), nickname: null },
    ])
  })

  test('links nobody whom either knows already by e-mail, and names the accepting side theirs, the oldest first', async () => {
    const [ada, carol] = [await sociable(h, { email: 'Ada@Example.org' }), await sociable(h)]
    const bob = await sociable(h, { email: 'bob@example.org' })
    for (const actor of [ada, bob]) await set(h, actor, { shareEmail: true })
    const stored = [
      ...(await person(bob, { email: 'ada@example.org', notes: 'Owes me 5' })),
      ...(await person(bob, { email: 'ADA@EXAMPLE.ORG', nickname: null, firstName: 'Ada', lastName: 'L' })),
      ...(await person(bob, { email: 'ada@example.org', linkedUserId: carol.row.id })),
      ...(await person(bob, { email: 'adax@example.org' })),
      ...(await person(carol, { email: 'ada@example.org' })),
      ...(await person(ada, { email: 'bob@example.org' })),
    ]
    const { id } = (await send(ada, bob)).body
    const { body } = await settle(bob, 'accept', id)
    expect(body.link_candidates).toEqual([
      { id: stored[0]?.id, first_name: null, last_name: null, nickname: 'Bob from work' },
      { id: stored[1]?.id, first_name: 'Ada', last_name: 'L', nickname: null },
    ])
    const left = await h.db.select().from(people).orderBy(people.id)
    expect(left.slice(0, stored.length)).toEqual(stored)
    expect(left.slice(stored.length)).toMatchObject([
      { userId: ada.row.id, linkedUserId: bob.row.id, version: 1 },
      { userId: bob.row.id, linkedUserId: ada.row.id, version: 1 },
    ])
    expect(body.connection.person_id).toBe(left.at(-1)?.id)
  })

  test('names nobody by an e-mail that is not shared, and at most 50', async () => {
    const [ada, bob] = [await sociable(h, { email: 'ada@example.org' }), await sociable(h)]
    for (let at = 0; at < 51; at++) await person(bob, { email: 'ada@example.org' })
    const accepted = async () => (await settle(bob, 'accept', (await send(ada, bob)).body.id)).body
    const { connection, link_candidates } = await accepted()
    expect(link_candidates).toEqual([])
    await bob.request('DELETE', `/api/connections/${connection.id}`)
    await set(h, ada, { shareEmail: true })
    expect((await accepted()).link_candidates).toHaveLength(50)
  })
})

test('a person whom their owner deletes leaves the connection alone', async () => {
  const [ada, bob] = [await sociable(h), await sociable(h)]
  await connect(ada, bob)
  await h.db.delete(people).where(eq(people.userId, ada.row.id))
  expect(await connectionsOf(ada)).toMatchObject([{ user_id: bob.row.id, person_id: null }])
})

test('an account that is deleted behind our back still leaves no link to it', async () => {
  const [ada, bob] = [await sociable(h), await sociable(h)]
  await connect(ada, bob)
  await h.db.delete(users).where(eq(users.id, bob.row.id))
  expect(await peopleOf(ada)).toMatchObject([{ linkedUserId: null, nickname: bob.row.networkName }])
  expect(await connectionsOf(ada)).toEqual([])
})
