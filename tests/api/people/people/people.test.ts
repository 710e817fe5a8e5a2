import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { connections, people, settings, users } from '../../../../src/db/schema'
import { startHarness } from '../../../support/harness'
import { createPerson } from '../../../support/records'
import { useHarness } from '../../../support/use-harness'

const PEOPLE = '/api/people'
const h = useHarness()

const storedOf = (userId: number) => h.db.select().from(people).where(eq(people.userId, userId))

const EMPTY = {
  book_id: expect.any(Number),
  first_name: null,
  last_name: null,
  nickname: null,
  email: null,
  phone: null,
  mobile: null,
  address: null,
  company: null,
  job_title: null,
  birthday: null,
  age: null,
  category: null,
  notes: null,
  is_favourite: false,
  linked_user_id: null,
  shared_profile: null,
  version: 1,
}

describe('POST /api/people', () => {
  test('adds a person with what is given, tidied, and answers them under their version', async () => {
    const ada = await h.signedIn()
    const body = {
      first_name: '  Gre\u0301goire ',
      last_name: 'x'.repeat(100),
      nickname: '😀'.repeat(100),
      email: ' g@example.org ',
      phone: '1',
      mobile: '2',
      address: 'a'.repeat(500),
      company: 'b'.repeat(200),
      job_title: 'Poet',
      birthday: '2000-02-29',
      category: 'Family',
      notes: ' two\n lines e\u0301 ',
      is_favourite: true,
      linked_user_id: ada.row.id,
      user_id: 1,
      version: 7,
      unknown: 1,
    }
    const created = await ada.request('POST', PEOPLE, { body })
    expect([created.status, created.headers.get('etag')]).toEqual([201, '"1"'])
    const { linked_user_id: _, user_id: __, unknown: ___, ...given } = body
    expect(created.body).toEqual({
      ...EMPTY,
      ...given,
      first_name: 'Grégoire',
      email: 'g@example.org',
      notes: ' two\n lines é ',
      age: 26,
      version: 1,
      id: expect.any(Number),
      created_at: '2026-03-04T10:30:00+01:00',
      updated_at: '2026-03-04T10:30:00+01:00',
    })
    const read = await ada.request('GET', `${PEOPLE}/${created.body.id}`)
    expect([read.status, read.headers.get('etag'), read.body]).toEqual([200, '"1"', created.body])
    expect(await storedOf(ada.row.id)).toMatchObject([
      { linkedUserId: null, vcardUid: expect.stringMatching(/^urn:uuid:/) },
    ])
  })

  test.each([{ first_name: 'A' }, { last_name: 'A' }, { nickname: 'A' }])(
    'takes one of the three names alone: %#',
    async (body) => {
      const ada = await h.signedIn()
      expect(await createPerson(ada, body)).toEqual({
        ...EMPTY,
        ...body,
        id: expect.any(Number),
        created_at: expect.any(String),
        updated_at: expect.any(String),
      })
    },
  )

  const day = 'birthday: must be a day as YYYY-MM-DD, or as --MM-DD without a year'
  test.each([
    { body: {}, detail: 'first_name: is required without a last_name or nickname' },
    { body: { company: 'C' }, detail: 'first_name: is required without a last_name or nickname' },
    { body: { first_name: ' ' }, detail: 'first_name: must not be empty' },
    { body: { first_name: 'x'.repeat(101) }, detail: 'first_name: must be at most 100 characters' },
    { body: { last_name: 'x'.repeat(101) }, detail: 'last_name: must be at most 100 characters' },
    { body: { nickname: 'x'.repeat(101) }, detail: 'nickname: must be at most 100 characters' },
    { body: { nickname: 'A', phone: 'x'.repeat(201) }, detail: 'phone: must be at most 200 characters' },
    { body: { nickname: 'A', mobile: 'x'.repeat(201) }, detail: 'mobile: must be at most 200 characters' },
    { body: { nickname: 'A', company: 'x'.repeat(201) }, detail: 'company: must be at most 200 characters' },
    {
      body: { nickname: 'A', job_title: 'x'.repeat(201) },
      detail: 'job_title: must be at most 200 characters',
    },
    { body: { nickname: 'A', address: 'x'.repeat(501) }, detail: 'address: must be at most 500 characters' },
    { body: { nickname: 'A', category: 'x'.repeat(51) }, detail: 'category: must be at most 50 characters' },
    { body: { nickname: 'A', notes: 'x'.repeat(10_001) }, detail: 'notes: must be at most 10000 characters' },
    { body: { nickname: 'A', notes: 'a\0b' }, detail: 'notes: must not contain U+0000 or lone surrogates' },
    { body: { nickname: 'A', email: 'x' }, detail: 'email: must be an email address' },
    { body: { nickname: 'A', is_favourite: null }, detail: 'is_favourite: must be true or false' },
    { body: { nickname: 'A', is_favourite: 'yes' }, detail: 'is_favourite: must be true or false' },
    { body: { nickname: 'A', birthday: '2025-02-29' }, detail: day },
    { body: { nickname: 'A', birthday: '--02-30' }, detail: day },
    { body: { nickname: 'A', birthday: '--13-01' }, detail: day },
    { body: { nickname: 'A', birthday: '--2-3' }, detail: day },
    { body: { nickname: 'A', birthday: '1899-12-31' }, detail: day },
    { body: { nickname: 'A', birthday: '2201-01-01' }, detail: day },
    { body: { nickname: 'A', birthday: '2026-03-05' }, detail: 'birthday: must not be in the future' },
  ])('refuses what is not right: $detail', async ({ body, detail }) => {
    const ada = await h.signedIn()
    expect(await ada.request('POST', PEOPLE, { body })).toMatchObject({ status: 422, body: { detail } })
    expect(await storedOf(ada.row.id)).toEqual([])
  })

  test.each(['--02-29', '1900-01-01', '2026-03-04', '2024-02-29'])(
    'takes the birthday %s',
    async (birthday) => {
      const ada = await h.signedIn()
      expect(await createPerson(ada, { nickname: 'A', birthday })).toMatchObject({ birthday })
    },
  )
})

describe('PUT /api/people/{id}', () => {
  test('changes what is given, clears what is null and leaves the rest', async () => {
    const ada = await h.signedIn()
    const person = await createPerson(ada, {
      first_name: 'A',
      last_name: 'B',
      phone: '1',
      notes: 'n',
      is_favourite: true,
    })
    h.clock.advance({ minutes: 1 })
    const body = { last_name: null, phone: '2', birthday: '--02-29', id: 9, linked_user_id: 1 }
    const changed = await ada.request('PUT', `${PEOPLE}/${person.id}`, { body })
    expect([changed.status, changed.headers.get('etag')]).toEqual([200, '"2"'])
    expect(changed.body).toEqual({
      ...person,
      last_name: null,
      phone: '2',
      birthday: '--02-29',
      version: 2,
      updated_at: changed.body.updated_at,
    })
    expect(changed.body.updated_at > person.updated_at).toBe(true)
    expect((await ada.request('GET', `${PEOPLE}/${person.id}`)).body).toEqual(changed.body)
  })

  test('never takes the last name away', async () => {
    const ada = await h.signedIn()
    const person = await createPerson(ada, { first_name: 'A', last_name: 'B' })
    const path = `${PEOPLE}/${person.id}`
    expect(await ada.request('PUT', path, { body: { first_name: null, last_name: null } })).toMatchObject({
      status: 422,
      body: { detail: 'first_name: is required without a last_name or nickname' },
    })
    expect((await ada.request('GET', path)).body).toEqual(person)
    const body = { first_name: null, last_name: null, nickname: 'C' }
    expect((await ada.request('PUT', path, { body })).body).toMatchObject(body)
  })

  test('refuses a birth that is still to come, in the time zone of the user', async () => {
    const ada = await h.signedIn()
    await h.db.update(settings).set({ timeZone: 'Pacific/Kiritimati' }).where(eq(settings.userId, ada.row.id))
    const person = await createPerson(ada, { first_name: 'A', birthday: '2026-03-04' })
    const put = (birthday: string) => ada.request('PUT', `${PEOPLE}/${person.id}`, { body: { birthday } })
    expect((await put('2026-03-05')).status).toBe(422)
    h.clock.advance({ hours: 1 })
    expect((await put('2026-03-05')).body).toMatchObject({ birthday: '2026-03-05', age: 0 })
  })
})

describe('somebody else’s person', () => {
  test('is as absent for every operation', async () => {
    const [ada, eve] = [await h.signedIn(), await h.signedIn()]
    const person = await createPerson(ada, { first_name: 'A' })
    for (const id of [person.id, 2_000_000_000, 0, -1, 'x', '1.5', '99999999999', '%00', 'import']) {
      for (const [method, sent] of [
        ['GET', {}],
        ['PUT', { body: { first_name: 'B' } }],
        ['PUT', { body: { first_name: 'B' }, headers: { 'if-match': '"9"' } }],
        ['DELETE', {}],
        ['DELETE', { headers: { 'if-match': '"9"' } }],
      ] as const) {
        const answered = await eve.request(method, `${PEOPLE}/${id}`, sent)
        expect([id, method, answered.status, answered.body]).toEqual([
          id,
          method,
          404,
          { detail: 'Person not found' },
        ])
        expect(answered.headers.get('etag')).toBeNull()
      }
    }
    expect((await eve.request('GET', PEOPLE)).body).toEqual({ people: [], next_cursor: null })
    expect((await ada.request('GET', `${PEOPLE}/${person.id}`)).body).toEqual(person)
  })
})

test('DELETE /api/people/{id} deletes that person and no other', async () => {
  const ada = await h.signedIn()
  const [person, other] = [
    await createPerson(ada, { first_name: 'A' }),
    await createPerson(ada, { first_name: 'B' }),
  ]
  const deleted = await ada.request('DELETE', `${PEOPLE}/${person.id}`)
  expect([deleted.status, deleted.body]).toEqual([204, ''])
  expect((await ada.request('DELETE', `${PEOPLE}/${person.id}`)).status).toBe(404)
  expect((await ada.request('GET', PEOPLE)).body.people).toEqual([other])
})

test('a person goes with the account', async () => {
  const ada = await h.signedIn()
  await createPerson(ada, { first_name: 'A' })
  await h.db.delete(users).where(eq(users.id, ada.row.id))
  expect(await storedOf(ada.row.id)).toEqual([])
})

describe('the age', () => {
  test.each([
    { birthday: '2000-03-04', age: 26 },
    { birthday: '2000-03-05', age: 25 },
    { birthday: '2026-03-04', age: 0 },
    { birthday: '--03-04', age: null },
    { birthday: null, age: null },
  ])('of $birthday is $age on 2026-03-04', async ({ birthday, age }) => {
    await using fresh = await startHarness()
    const ada = await fresh.signedIn()
    const { body } = await ada.request('POST', PEOPLE, { body: { nickname: 'A', birthday } })
    expect(body.age).toBe(age)
  })

  test('rises on 28 February of a common year for who was born on the 29th, at midnight of the user’s zone', async () => {
    await using fresh = await startHarness()
    const ada = await fresh.signedIn()
    await fresh.db.update(settings).set({ timeZone: 'America/New_York' })
    const { body } = await ada.request('POST', PEOPLE, { body: { nickname: 'A', birthday: '2004-02-29' } })
    const expected: Array<[string, number]> = [
      ['2026-03-04T10:00:00Z', 22],
      ['2027-02-28T04:59:00Z', 22],
      ['2027-02-28T05:00:00Z', 23],
      ['2028-02-29T04:59:00Z', 23],
      ['2028-02-29T05:00:00Z', 24],
    ]
    for (const [at, years] of expected) {
      fresh.clock.advance({ ms: Date.parse(at) - fresh.clock.now().getTime() })
      const { token } = await fresh.session(ada.row.id)
      const read = await fresh.request('GET', `${PEOPLE}/${body.id}`, { cookie: token })
      expect([at, read.body.age]).toEqual([at, years])
    }
  })
})

test('shared_profile is what the connected user shares at that moment', async () => {
  const [ada, bob] = [await h.signedIn(), await h.signedIn({ email: 'bob@example.org' })]
  const person = await createPerson(ada, { first_name: 'Bob' })
  const now = h.clock.now()
  await h.db.update(people).set({ linkedUserId: bob.row.id }).where(eq(people.id, person.id))
  const read = async () => (await ada.request('GET', `${PEOPLE}/${person.id}`)).body
  expect(await read()).toMatchObject({ linked_user_id: bob.row.id, shared_profile: null })
  await h.db.insert(connections).values([
    { userId: ada.row.id, otherUserId: bob.row.id, createdAt: now, updatedAt: now },
    { userId: bob.row.id, otherUserId: ada.row.id, createdAt: now, updatedAt: now },
  ])
  expect((await read()).shared_profile).toEqual({})
  await h.db
    .update(settings)
    .set({ shareEmail: true, shareCompany: true })
    .where(eq(settings.userId, bob.row.id))
  expect((await read()).shared_profile).toEqual({ email: 'bob@example.org', company: null })
  const { body } = await ada.request('GET', PEOPLE)
  expect(body.people[0].shared_profile).toEqual({ email: 'bob@example.org', company: null })
  await h.db.update(settings).set({ shareEmail: false }).where(eq(settings.userId, bob.row.id))
  expect((await read()).shared_profile).toEqual({ company: null })
})
