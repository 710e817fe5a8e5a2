import { describe, expect, test } from 'bun:test'
import { childOf, textOfChild } from '../../../src/lib/xml/element'
import { carddav, dav } from '../../../src/lib/xml/names'
import { newBook, newPerson } from '../../support/books'
import { bookPhone, cardOf, followBook, groupOf, putCard } from '../../support/cards'
import { connect, connectionsOf, sociable } from '../../support/connecting'
import type { Phone } from '../../support/dav'
import type { Actor } from '../../support/harness'
import { brief, did, undo, undone } from '../../support/undoing'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const GONE = 'HTTP/1.1 404 Not Found'

/** An actor with a phone and two address books. */
async function start() {
  const { ada, phone, home, path } = await bookPhone(h)
  const work = await newBook(ada)
  return { ada, phone, home, path, work, there: `${home}book-${work}/` }
}

const carry =
  (method: 'MOVE' | 'COPY') =>
  (phone: Phone, from: string, destination: string, headers: Record<string, string> = {}) =>
    phone.send(method, from, { headers: { destination, ...headers } })
const [move, copy] = [carry('MOVE'), carry('COPY')]

const people = async (actor: Pick<Actor, 'request'>) =>
  (await actor.request('GET', '/api/people?sort=created_at')).body.people
const hrefsIn = async (phone: Phone, path: string) =>
  [...(await phone.propfind(path, ['d:getetag'], '1')).responses.keys()].slice(1)
const lastOperation = async (actor: Pick<Actor, 'request'>): Promise<string> =>
  (await actor.request('GET', '/api/operations')).body.operations[0].id

describe('MOVE of a card', () => {
  test('keeps the person, and sync tells that they are gone at the old name and new at the other', async () => {
    const { ada, phone, path, there, work } = await start()
    await putCard(phone, `${path}one.vcf`, cardOf('one'))
    const [before] = await people(ada)
    const [here, elsewhere] = [await followBook(phone, path), await followBook(phone, there)]
    expect((await move(phone, `${path}one.vcf`, `${there}b%20%C3%A4.vcf`)).status).toBe(201)
    const read = await phone.send('GET', `${there}b%20%C3%A4.vcf`)
    const etag = `"${before.id}-${before.version + 1}"`
    expect([read.text, read.headers.get('etag')]).toEqual([cardOf('one'), etag])
    expect((await phone.send('GET', `${path}one.vcf`)).status).toBe(404)
    expect(await people(ada)).toEqual([
      { ...before, book_id: work, version: before.version + 1, updated_at: expect.any(String) },
    ])
    expect((await followBook(phone, path, here.token)).changes).toEqual({ 'one.vcf': GONE })
    expect((await followBook(phone, there, elsewhere.token)).changes).toEqual({ 'b%20%C3%A4.vcf': etag })
  })

  test('within an address book gives another name, and both names are told', async () => {
    const { ada, phone, path } = await start()
    await putCard(phone, `${path}one.vcf`, cardOf('one'))
    const { token } = await followBook(phone, path)
    expect((await move(phone, `${path}one.vcf`, `${path}two.vcf`)).status).toBe(201)
    const [{ id, version }] = await people(ada)
    const told = await followBook(phone, path, token)
    expect(told.changes).toEqual({ 'one.vcf': GONE, 'two.vcf': `"${id}-${version}"` })
  })

  test('keeps a group, and a person who was made here', async () => {
    const { ada, phone, path, there } = await start()
    const id = await newPerson(ada, 'Made here')
    const uid = /^UID:(.*)$/m.exec((await phone.send('GET', `${path}${id}.vcf`)).text)?.[1]
    expect((await move(phone, `${path}${id}.vcf`, `${there}${id}.vcf`)).status).toBe(201)
    const made = await phone.send('GET', `${there}${id}.vcf`)
    expect([made.headers.get('etag'), /^UID:(.*)$/m.exec(made.text)?.[1]]).toEqual([`"${id}-2"`, uid])
    const put = await putCard(phone, `${path}g.vcf`, groupOf('g', ['one']))
    expect((await move(phone, `${path}g.vcf`, `${there}g.vcf`)).status).toBe(201)
    const group = await phone.send('GET', `${there}g.vcf`)
    expect(group.text).toBe(groupOf('g', ['one']))
    expect(group.headers.get('etag')).toBe(put.headers.get('etag')?.replace('-1"', '-2"') ?? '')
    expect(await hrefsIn(phone, path)).toEqual([])
  })

  test('keeps the connection of a person, and their versions', async () => {
    const { ada, phone, path, there } = await start()
    await connect(ada, await sociable(h))
    const [person] = await people(ada)
    const connections = await connectionsOf(ada)
    const [href = ''] = await hrefsIn(phone, path)
    expect((await move(phone, href, `${there}friend.vcf`)).status).toBe(201)
    const [moved] = await people(ada)
    expect([moved.id, moved.linked_user_id]).toEqual([person.id, person.linked_user_id])
    expect(moved.linked_user_id).toBeGreaterThan(0)
    expect(await connectionsOf(ada)).toEqual(connections)
    const { versions } = (await ada.request('GET', `/api/people/${person.id}/history`)).body
    expect(versions).toHaveLength(2)
  })

  test('replaces a card of the same UID unless Overwrite is F, and never one of another UID', async () => {
    const { ada, phone, path, there } = await start()
    await putCard(phone, `${path}a.vcf`, cardOf('a', 'New'))
    await putCard(phone, `${there}a.vcf`, cardOf('a', 'Old'))
    await putCard(phone, `${there}x.vcf`, groupOf('x', []))
    expect((await move(phone, `${path}a.vcf`, `${there}a.vcf`, { overwrite: 'F' })).status).toBe(412)
    for (const name of ['x.vcf', 'free.vcf']) {
      const refused = await move(phone, `${path}a.vcf`, there + name)
      const conflict = childOf(refused.xml, carddav('no-uid-conflict'))
      const holder = there + (name === 'x.vcf' ? 'x.vcf' : 'a.vcf')
      expect([name, refused.status, conflict && textOfChild(conflict, dav('href'))]).toEqual([
        name,
        409,
        holder,
      ])
    }
    const [{ id }] = await people(ada)
    expect((await move(phone, `${path}a.vcf`, `${there}a.vcf`)).status).toBe(204)
    expect((await phone.send('GET', `${there}a.vcf`)).text).toBe(cardOf('a', 'New'))
    expect((await people(ada)).map((one: { id: number }) => one.id)).toEqual([id])
  })

  test('that replaces a card can be undone, and done again, each under their names', async () => {
    const { ada, phone, path, there } = await start()
    await putCard(phone, `${path}n.vcf`, cardOf('a', 'New'))
    await putCard(phone, `${there}o.vcf`, cardOf('a', 'Old'))
    await move(phone, `${path}n.vcf`, `${there}o.vcf`)
    const seen = async () => {
      const hrefs = [...(await hrefsIn(phone, path)), ...(await hrefsIn(phone, there))]
      const texts = await Promise.all(hrefs.map(async (href) => (await phone.send('GET', href)).text))
      return Object.fromEntries(hrefs.map((href, n) => [href, /^FN:(.*)$/m.exec(texts[n] ?? '')?.[1]]))
    }
    const moved = { [`${there}o.vcf`]: 'New' }
    expect(await seen()).toEqual(moved)
    const undoing = await undone(ada, await lastOperation(ada))
    expect(await seen()).toEqual({ [`${path}n.vcf`]: 'New', [`${there}o.vcf`]: 'Old' })
    await undone(ada, undoing)
    expect(await seen()).toEqual(moved)
  })

  test('holds its conditions against the card that it moves', async () => {
    const { phone, path, there } = await start()
    const etag = (await putCard(phone, `${path}a.vcf`, cardOf('a'))).headers.get('etag') ?? ''
    const attempt = async (headers: Record<string, string>) =>
      (await move(phone, `${path}a.vcf`, `${there}a.vcf`, headers)).status
    expect(await attempt({ 'if-match': '"1-99"' })).toBe(412)
    expect(await attempt({ if: '(["1-99"])' })).toBe(412)
    expect(await attempt({ 'if-match': etag })).toBe(201)
    expect((await move(phone, `${path}a.vcf`, `${there}b.vcf`)).status).toBe(404)
  })

  test('at once with others makes one succeed, and the card is there once', async () => {
    const { ada, phone, path, there } = await start()
    await putCard(phone, `${path}a.vcf`, cardOf('a'))
    const answers = await Promise.all(
      [0, 1, 2, 3].map((n) => move(phone, `${path}a.vcf`, `${there}${n}.vcf`)),
    )
    const statuses = answers.map(({ status }) => status).toSorted((one, other) => one - other)
    expect(statuses).toEqual([201, 404, 404, 404])
    expect(await people(ada)).toHaveLength(1)
    expect(await hrefsIn(phone, there)).toHaveLength(1)
  })
})

test('COPY of a card makes another person in another address book, and is refused in the same one', async () => {
  const { ada, phone, path, there } = await start()
  await putCard(phone, `${path}a.vcf`, cardOf('a'))
  expect((await copy(phone, `${path}a.vcf`, `${path}b.vcf`)).status).toBe(409)
  expect((await copy(phone, `${path}a.vcf`, `${there}b.vcf`)).status).toBe(201)
  expect((await copy(phone, `${path}a.vcf`, `${there}b.vcf`, { overwrite: 'F' })).status).toBe(412)
  expect((await copy(phone, `${path}a.vcf`, `${there}b.vcf`)).status).toBe(204)
  for (const href of [`${path}a.vcf`, `${there}b.vcf`])
    expect((await phone.send('GET', href)).text).toBe(cardOf('a'))
  expect(await people(ada)).toHaveLength(2)
  const id = await newPerson(ada, 'Made here')
  expect((await copy(phone, `${path}${id}.vcf`, `${path}same.vcf`)).status).toBe(409)
  expect((await copy(phone, `${path}${id}.vcf`, `${there}made.vcf`)).status).toBe(201)
})

describe('copies of a card in two address books', () => {
  /** Two people of one UID, the older one in the default address book. */
  async function copies() {
    const all = await start()
    await putCard(all.phone, `${all.path}a.vcf`, cardOf('a', 'Here'))
    await putCard(all.phone, `${all.there}a.vcf`, cardOf('a', 'There'))
    const [one, two] = await people(all.ada)
    return { ...all, one, two }
  }

  test('cannot be brought together in JSON', async () => {
    const { ada, work, one } = await copies()
    const { status, body } = await ada.request('PUT', `/api/people/${one.id}`, { body: { book_id: work } })
    expect([status, body.detail]).toEqual([409, 'Somebody in this address book has the same UID'])
    expect((await ada.request('GET', `/api/people/${one.id}`)).body).toEqual(one)
  })

  test('are known to an import, which changes the one in the address book that it names', async () => {
    const { ada, work, one, two } = await copies()
    const third = await newBook(ada, 'Third')
    const send = async (text: string, query = '') =>
      (await did(ada, `POST /api/people/import${query}`, text, 'text/vcard')).body
    const names = async () => (await people(ada)).map((each: { first_name: string }) => each.first_name)
    for (const name of ['Here', 'There'])
      expect(await send(cardOf('a', name), `?book_id=${third}`)).toMatchObject({ unchanged: 1 })
    expect(await send(cardOf('a', 'Two'), `?book_id=${work}`)).toMatchObject({ created: 0, updated: 1 })
    expect(await names()).toEqual(['Here', 'Two'])
    expect(await send(cardOf('a', 'One'))).toMatchObject({ created: 0, updated: 1 })
    expect(await send(cardOf('a', 'Oldest'), `?book_id=${third}`)).toMatchObject({ created: 0, updated: 1 })
    expect(await names()).toEqual(['Oldest', 'Two'])
    expect(
      (await people(ada)).map((each: { id: number; book_id: number }) => [each.id, each.book_id]),
    ).toEqual([
      [one.id, one.book_id],
      [two.id, two.book_id],
    ])
  })

  test('come back from the trash beside each other, but not into one address book', async () => {
    const { ada, phone, there, work, two } = await copies()
    await did(ada, `DELETE /api/people/${two.id}`)
    const [first] = (await ada.request('GET', '/api/trash')).body.items
    await did(ada, `POST /api/trash/${first.id}/restore`)
    expect((await phone.send('GET', `${there}a.vcf`)).text).toBe(cardOf('a', 'There'))
    const club = await newBook(ada, 'Club')
    const { operation } = await did(ada, `PUT /api/people/${two.id}`, { book_id: club })
    await did(ada, `DELETE /api/address-books/${work}`)
    const [book] = (await ada.request('GET', '/api/trash')).body.items
    await did(ada, `DELETE /api/trash/${book.id}`)
    expect(brief(await undo(ada, operation))).toBe('409 This UID is in use again')
    expect(await people(ada)).toHaveLength(2)
  })
})
