import { expect, test } from 'bun:test'
import { cs, dav } from '../../../src/lib/xml/names'
import { defaultBook, newBook, newPerson } from '../../support/books'
import { bookPhone, cardOf, followBook, groupOf, putCard } from '../../support/cards'
import type { Phone } from '../../support/dav'
import { did, undone } from '../../support/undoing'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const GONE = 'HTTP/1.1 404 Not Found'
const ctagOf = async (phone: Phone, path: string) =>
  (await phone.propfind(path, ['cs:getctag'])).responses.get(path)?.found.get(cs('getctag'))?.text

test('sync tells each change of people and groups once, from whatever program it comes', async () => {
  const { ada, phone, path } = await bookPhone(h)
  const etag = (await putCard(phone, `${path}one.vcf`, cardOf('one'))).headers.get('etag') ?? ''
  await putCard(phone, `${path}g.vcf`, groupOf('g', ['one']))
  const first = await followBook(phone, path)
  expect(first).toMatchObject({ status: 207, changes: { 'one.vcf': etag } })
  expect(first.changes['g.vcf']).toMatch(/^"g\d+-1"$/)
  const id = await newPerson(ada, 'Made in JSON')
  await ada.request('PUT', `/api/people/${id}`, { body: { nickname: 'Renamed' } })
  await phone.send('DELETE', `${path}one.vcf`)
  const second = await followBook(phone, path, first.token)
  expect(second.changes).toEqual({ [`${id}.vcf`]: `"${id}-2"`, 'one.vcf': GONE })
  await ada.request('DELETE', `/api/people/${id}`)
  await phone.send('DELETE', `${path}g.vcf`)
  const third = await followBook(phone, path, second.token)
  expect(third.changes).toEqual({ [`${id}.vcf`]: GONE, 'g.vcf': GONE })
  expect(await followBook(phone, path, third.token)).toEqual({ status: 207, changes: {}, token: third.token })
})

test('a person who moves to another address book by JSON is gone from the one and in the other', async () => {
  const { ada, phone, home, path } = await bookPhone(h)
  const [contacts, work] = [await defaultBook(ada), await newBook(ada)]
  const other = `${home}book-${work}/`
  await putCard(phone, `${path}one.vcf`, cardOf('uid'))
  const [before, there] = [await followBook(phone, path), await followBook(phone, other)]
  const { people } = (await ada.request('GET', '/api/people')).body
  const move = (book_id: number) => ada.request('PUT', `/api/people/${people[0].id}`, { body: { book_id } })
  await move(work)
  expect((await followBook(phone, path, before.token)).changes).toEqual({ 'one.vcf': GONE })
  expect((await followBook(phone, other, there.token)).changes).toEqual({
    'one.vcf': expect.stringMatching(/-2"$/),
  })
  await move(contacts)
  expect((await followBook(phone, path, before.token)).changes).toEqual({
    'one.vcf': expect.stringMatching(/-3"$/),
  })
  expect((await followBook(phone, other, there.token)).changes).toEqual({ 'one.vcf': GONE })
})

test('the ctag is the token, and stands still while other things than its cards change', async () => {
  const { ada, phone, home, path } = await bookPhone(h)
  const other = `${home}book-${await newBook(ada)}/`
  await newPerson(ada, 'Somebody')
  const before = [await ctagOf(phone, path), await ctagOf(phone, other)]
  const { responses } = await phone.propfind(path, ['d:sync-token'])
  expect(responses.get(path)?.found.get(dav('sync-token'))?.text).toBe(before[0] ?? '')
  await ada.request('POST', '/api/todos', { body: { title: 'Todo' } })
  await ada.create({ title: 'Event', start_at: '2026-03-10T12:00:00', end_at: '2026-03-10T13:00:00' })
  expect([await ctagOf(phone, path), await ctagOf(phone, other)]).toEqual(before)
  await putCard(phone, `${other}one.vcf`, cardOf('one'))
  expect(await ctagOf(phone, path)).toBe(before[0] ?? '')
  expect(await ctagOf(phone, other)).not.toBe(before[1] ?? '')
})

test('with a limit sync goes on from its token, and ends with everything told', async () => {
  const { phone, path } = await bookPhone(h)
  for (const n of [1, 2, 3, 4, 5]) await putCard(phone, `${path}${n}x.vcf`, cardOf(`uid-${n}`))
  const told: string[] = []
  let [token, hasMore] = ['', true]
  while (hasMore) {
    const next = await followBook(phone, path, token, 2)
    told.push(...Object.keys(next.changes).filter((name) => name !== ''))
    hasMore = next.changes[''] === 'HTTP/1.1 507 Insufficient Storage'
    token = next.token
  }
  expect(told.toSorted()).toEqual([1, 2, 3, 4, 5].map((n) => `${n}x.vcf`))
})

test('imports, undoing and restoring are told, and a token of another address book is refused', async () => {
  const { ada, phone, home, path } = await bookPhone(h)
  const { token } = await followBook(phone, path)
  const imported = await did(ada, 'POST /api/people/import', cardOf('one') + groupOf('g', []), 'text/vcard')
  const second = await followBook(phone, path, token)
  expect(Object.keys(second.changes).toSorted()).toEqual(['g.vcf', 'one.vcf'])
  const undoing = await undone(ada, imported.operation)
  const third = await followBook(phone, path, second.token)
  expect(third.changes).toEqual({ 'g.vcf': GONE, 'one.vcf': GONE })
  await undone(ada, undoing)
  const fourth = await followBook(phone, path, third.token)
  expect(Object.keys(fourth.changes).toSorted()).toEqual(['g.vcf', 'one.vcf'])
  expect(Object.values(fourth.changes)).not.toContain(GONE)
  const other = `${home}book-${await newBook(ada)}/`
  expect((await followBook(phone, other, token)).status).toBe(403)
  expect((await followBook(phone, path, `${fourth.token}0000`)).status).toBe(403)
})

test('whoever follows an address book that comes back from the trash begins again', async () => {
  const { ada, phone, home } = await bookPhone(h)
  const work = await newBook(ada)
  const path = `${home}book-${work}/`
  await putCard(phone, `${path}one.vcf`, cardOf('one'))
  const { token } = await followBook(phone, path)
  expect((await phone.send('DELETE', path)).status).toBe(204)
  expect((await followBook(phone, path, token)).status).toBe(404)
  const [item] = (await ada.request('GET', '/api/trash')).body.items
  expect((await ada.request('POST', `/api/trash/${item.id}/restore`)).status).toBe(200)
  expect((await followBook(phone, path, token)).status).toBe(403)
  expect(Object.keys((await followBook(phone, path)).changes)).toEqual(['one.vcf'])
})
