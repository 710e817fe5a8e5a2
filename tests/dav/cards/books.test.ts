import { describe, expect, test } from 'bun:test'
import { caldav, carddav, cs, dav, ical } from '../../../src/lib/xml/names'
import { booksOf, newBook } from '../../support/books'
import { bookPhone, cardOf, putCard, shown } from '../../support/cards'
import { type DavAnswer, type Phone, PREFIXES } from '../../support/dav'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const mkcol = (phone: Phone, path: string, props = '', type = '<card:addressbook/>') =>
  phone.send('MKCOL', path, {
    body: `<d:mkcol ${PREFIXES}><d:set><d:prop><d:resourcetype><d:collection/>${type}</d:resourcetype>${props}</d:prop></d:set></d:mkcol>`,
  })
const proppatch = (phone: Phone, path: string, props: string) =>
  phone.send('PROPPATCH', path, {
    body: `<d:propertyupdate ${PREFIXES}><d:set><d:prop>${props}</d:prop></d:set></d:propertyupdate>`,
  })
const refusal = ({ status, xml }: DavAnswer) => [status, xml.children[0]?.name]
const read = (phone: Phone, path: string) =>
  shown(phone, path, ['d:displayname', 'card:addressbook-description', 'a:calendar-color'])
const nameOf = async (phone: Phone, path: string) =>
  (await shown(phone, path, ['d:displayname'])).text(dav('displayname'))

describe('MKCOL', () => {
  test('makes an address book at the address that the client chose, with its properties', async () => {
    const { ada, phone, home } = await bookPhone(h)
    const path = `${home}Fr%C3%BCher/`
    const props =
      '<d:displayname>Früher</d:displayname><card:addressbook-description>Old ones</card:addressbook-description><a:calendar-color>#AA00FFFF</a:calendar-color>'
    expect((await mkcol(phone, path, props)).status).toBe(201)
    expect(await booksOf(ada)).toMatchObject([{ name: 'Contacts' }, { name: 'Früher', color: '#aa00ff' }])
    const found = await read(phone, path)
    expect(found.text(dav('displayname'))).toBe('Früher')
    expect(found.text(carddav('addressbook-description'))).toBe('Old ones')
    expect((await putCard(phone, `${path}one.vcf`, cardOf('one'))).status).toBe(201)
    expect(refusal(await mkcol(phone, path))).toEqual([403, dav('resource-must-be-null')])
    await mkcol(phone, `${home}again/`, '<d:displayname>Früher</d:displayname>')
    expect((await booksOf(ada)).map(({ name }) => name)).toEqual(['Contacts', 'Früher', 'Früher (2)'])
    expect(await nameOf(phone, `${home}again/`)).toBe('Früher')
  })

  test('makes no collection of another kind in a home, and none at an address that others have', async () => {
    const { ada, phone, home } = await bookPhone(h)
    const other = [403, dav('valid-resourcetype')]
    expect(refusal(await mkcol(phone, `${home}x/`, '', '<c:calendar/>'))).toEqual(other)
    expect(refusal(await mkcol(phone, `${phone.home}x/`))).toEqual(other)
    expect(refusal(await mkcol(phone, `${home}x/`, '', ''))).toEqual(other)
    expect(refusal(await mkcol(phone, `${home}x/`, '', '<c:calendar/><card:addressbook/>'))).toEqual(other)
    expect(refusal(await phone.send('MKCOL', `${home}x/`))).toEqual(other)
    expect(refusal(await phone.send('MKCALENDAR', `${home}x/`))).toEqual([
      403,
      caldav('calendar-collection-location-ok'),
    ])
    expect(refusal(await mkcol(phone, `${home}book-99/`))).toEqual([
      403,
      carddav('addressbook-collection-location-ok'),
    ])
    expect(await booksOf(ada)).toHaveLength(1)
  })

  test('needs a password that may write people', async () => {
    const { phone, home } = await bookPhone(h, ['dav', 'people:read', 'calendars:write'])
    expect(refusal(await mkcol(phone, `${home}x/`))).toEqual([403, dav('need-privileges')])
  })
})

test('PROPPATCH renames and colours an address book for JSON too, and keeps what only clients know', async () => {
  const { ada, phone, home, path } = await bookPhone(h)
  const work = await newBook(ada)
  const other = `${home}book-${work}/`
  const ctag = async () => (await shown(phone, home, ['cs:getctag'])).text(cs('getctag'))
  const before = await ctag()
  await proppatch(
    phone,
    other,
    '<d:displayname>Contacts</d:displayname><a:calendar-color>#00AA00FF</a:calendar-color><card:addressbook-description>D</card:addressbook-description>',
  )
  expect(await booksOf(ada)).toMatchObject([{ name: 'Contacts' }, { name: 'Contacts (2)', color: '#00aa00' }])
  const found = await read(phone, other)
  expect(found.text(dav('displayname'))).toBe('Contacts')
  expect(found.text(ical('calendar-color'))).toBe('#00AA00FF')
  expect(found.text(carddav('addressbook-description'))).toBe('D')
  expect(await ctag()).toBe(before)
  await ada.request('PUT', `/api/address-books/${work}`, { body: { name: 'Named in JSON' } })
  expect(await nameOf(phone, other)).toBe('Named in JSON')
  const refused = await proppatch(
    phone,
    path,
    '<d:displayname>No</d:displayname><card:max-resource-size>1</card:max-resource-size>',
  )
  expect(refused.text).toContain('424 Failed Dependency')
  expect(await nameOf(phone, path)).toBe('Contacts')
})

test('DELETE moves an address book with its people to the trash; contacts stay', async () => {
  const { ada, phone, home, path } = await bookPhone(h)
  expect((await mkcol(phone, `${home}mine/`)).status).toBe(201)
  await putCard(phone, `${home}mine/one.vcf`, cardOf('uid'))
  expect(refusal(await phone.send('DELETE', path))).toEqual([403, dav('need-privileges')])
  expect((await phone.send('DELETE', `${home}mine/`)).status).toBe(204)
  expect((await ada.request('GET', '/api/people')).body.people).toEqual([])
  expect((await phone.propfind(`${home}mine/`, ['d:displayname'])).status).toBe(404)
  const [item] = (await ada.request('GET', '/api/trash')).body.items
  expect(item.type).toBe('address_book')
  expect((await ada.request('POST', `/api/trash/${item.id}/restore`)).status).toBe(200)
  expect((await phone.send('GET', `${home}mine/one.vcf`)).text).toBe(cardOf('uid'))
})
