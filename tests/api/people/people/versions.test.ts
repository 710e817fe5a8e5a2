import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { people } from '../../../../src/db/schema'
import { type Actor } from '../../../support/harness'
import { createPerson } from '../../../support/records'
import { raceOf, statusesOf } from '../../../support/racing'
import { useHarness } from '../../../support/use-harness'

const PEOPLE = '/api/people'
const h = useHarness()

const STALE = { status: 412, body: { detail: 'This item has changed since you read it' } }

/** A person in version 3. */
async function third(actor: Actor): Promise<string> {
  const { id } = await createPerson(actor, { first_name: 'A' })
  await h.db.update(people).set({ version: 3 }).where(eq(people.id, id))
  return `${PEOPLE}/${id}`
}

describe('If-Match', () => {
  test.each(['"3"', 'W/"3"', ' "3" ', '"1", "3"', '"x","3"', '*', '"", "3"'])(
    '%s lets version 3 be changed',
    async (tag) => {
      const ada = await h.signedIn()
      const path = await third(ada)
      const headers = { 'if-match': tag }
      const changed = await ada.request('PUT', path, { body: { first_name: 'B' }, headers })
      expect([changed.status, changed.body.version, changed.headers.get('etag')]).toEqual([200, 4, '"4"'])
      await h.db.update(people).set({ version: 3 }).where(eq(people.id, changed.body.id))
      expect((await ada.request('DELETE', path, { headers })).status).toBe(204)
    },
  )

  test.each([
    '"2"',
    '"4"',
    'W/"2"',
    '"abc"',
    '"03"',
    '""',
    '"1","2"',
    '"99999999999999999999"',
    '"4000000000"',
    '"-3"',
    '"3.0"',
  ])('%s is stale and changes nothing', async (tag) => {
    const ada = await h.signedIn()
    const path = await third(ada)
    const before = (await ada.request('GET', path)).body
    const headers = { 'if-match': tag }
    expect(await ada.request('PUT', path, { body: { first_name: 'B' }, headers })).toMatchObject(STALE)
    expect(await ada.request('DELETE', path, { headers })).toMatchObject(STALE)
    expect((await ada.request('GET', path)).body).toEqual(before)
  })

  test.each(['3', '"3', '3"', "'3'", '"3" "4"', '"3",', '*, "3"', 'w/"3"', 'x'.repeat(2000)])(
    '%s is no If-Match and changes nothing',
    async (tag) => {
      const ada = await h.signedIn()
      const path = await third(ada)
      const before = (await ada.request('GET', path)).body
      for (const method of ['PUT', 'DELETE']) {
        const body = method === 'PUT' ? { body: { first_name: 'B' } } : {}
        const answered = await ada.request(method, path, { ...body, headers: { 'if-match': tag } })
        expect([answered.status, answered.body.detail]).toEqual([
          422,
          expect.stringMatching(/^if-match: must be/),
        ])
      }
      expect((await ada.request('GET', path)).body).toEqual(before)
    },
  )

  test('comes after the session and before the names', async () => {
    const ada = await h.signedIn()
    const path = await third(ada)
    const headers = { 'if-match': '"2"' }
    expect((await h.request('PUT', path, { body: {}, headers })).status).toBe(401)
    const body = { first_name: null }
    expect(await ada.request('PUT', path, { body, headers })).toMatchObject(STALE)
  })
})

test('Of fifty changes of one version of a person at once one is made', async () => {
  const ada = await h.signedIn()
  for (let round = 0; round < 20; round++) {
    const path = await third(ada)
    const headers = { 'if-match': '"3"' }
    const answers = await raceOf(50, (n) =>
      ada.request('PUT', path, { body: { nickname: `n${n}` }, headers }),
    )
    const [winner, ...more] = answers.filter(({ status }) => status === 200)
    expect(more).toEqual([])
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(49)
    expect((await ada.request('GET', path)).body).toEqual(winner?.body)
    expect(winner?.body.version).toBe(4)
  }
})

test('Of a change and a deletion of one version of a person at once one is made', async () => {
  const ada = await h.signedIn()
  for (let round = 0; round < 20; round++) {
    const path = await third(ada)
    const headers = { 'if-match': '"3"' }
    const [put, del] = await Promise.all([
      ada.request('PUT', path, { body: { nickname: 'n' }, headers }),
      ada.request('DELETE', path, { headers }),
    ])
    expect([
      [200, 412, 200],
      [404, 204, 404],
    ]).toContainEqual([put.status, del.status, (await ada.request('GET', path)).status])
  }
})

test('changes without If-Match all happen, each a version', async () => {
  const ada = await h.signedIn()
  const path = await third(ada)
  await raceOf(20, () => ada.request('PUT', path, { body: { phone: '1' } }))
  expect((await ada.request('GET', path)).body.version).toBe(23)
})

test('two changes that would each take one of two names away leave one', async () => {
  const ada = await h.signedIn()
  for (let round = 0; round < 20; round++) {
    const { body } = await ada.request('POST', PEOPLE, { body: { first_name: 'A', last_name: 'B' } })
    const answers = await Promise.all(
      [{ first_name: null }, { last_name: null }].map((change) =>
        ada.request('PUT', `${PEOPLE}/${body.id}`, { body: change }),
      ),
    )
    expect(statusesOf(answers)).toEqual([200, 422])
  }
})

test('the document names If-Match, its refusal and the ETag', async () => {
  const { body } = await h.request('GET', '/api/openapi.json')
  const { get, put, delete: remove } = body.paths['/api/people/{id}']
  for (const operation of [put, remove]) {
    expect(operation.parameters).toContainEqual(
      expect.objectContaining({ in: 'header', name: 'if-match', required: false }),
    )
    expect(operation.responses['412']).toBeDefined()
  }
  const created = body.paths['/api/people'].post.responses['201']
  for (const response of [get.responses['200'], put.responses['200'], created]) {
    expect(response.headers.ETag).toBeDefined()
  }
  expect(body.paths['/api/people'].get.responses['200'].headers.ETag).toBeUndefined()
})
