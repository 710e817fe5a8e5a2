import { afterEach, beforeEach, describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { people, users } from '../../../src/db/schema'
import { connect, connectionsOf, set, sociable } from '../../support/connecting'
import { type Actor, type Harness, startHarness } from '../../support/harness'

let h: Harness
beforeEach(async () => void (h = await startHarness()))
afterEach(() => h[Symbol.asyncDispose]())

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

  test('links the oldest unlinked person with the shared e-mail instead, who keeps their own fields', async () => {
    const [ada, carol] = [await sociable(h), await sociable(h)]
    const bob = await sociable(h, { email: 'Bob@Example.org' })
    await set(h, bob, { firstName: 'Robert', shareFirstName: true, shareEmail: true })
    await person(ada, { email: 'bob@example.org', linkedUserId: carol.row.id })
    const [known] = await person(ada, { email: 'bob@EXAMPLE.ORG', notes: 'Owes me 5' })
    await person(ada, { email: 'bob@example.org' })
    await person(carol, { email: 'bob@example.org' })
    h.clock.advance({ minutes: 1 })
    await connect(ada, bob)
    const linked = { linkedUserId: bob.row.id, version: 2, updatedAt: h.clock.now() }
    expect(await h.db.select().from(people).where(eq(people.linkedUserId, bob.row.id))).toEqual(
      known ? [{ ...known, ...linked }] : [],
    )
    expect(await peopleOf(ada)).toHaveLength(3)
  })

  test('links nobody by an e-mail that is not shared', async () => {
    const [ada, bob] = [await sociable(h), await sociable(h, { email: 'bob@example.org' })]
    const [known] = await person(ada, { email: 'bob@example.org' })
    await connect(ada, bob)
    const rows = await peopleOf(ada)
    expect(rows).toHaveLength(2)
    expect(rows.find(({ id }) => id === known?.id)?.linkedUserId).toBeNull()
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
