import { describe, expect, test } from 'bun:test'
import { carddav, cs, dav, ical } from '../../../src/lib/xml/names'
import { ADDRESS_BOOKS } from '../../support/address-books'
import { newBook } from '../../support/books'
import { bookPhone, cardOf, cardTexts, groupOf, multigetOfCards, putCard, shown } from '../../support/cards'
import { PREFIXES } from '../../support/dav'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const NAMES = [
  'd:resourcetype',
  'd:displayname',
  'd:owner',
  'd:current-user-privilege-set',
  'd:supported-report-set',
  'd:sync-token',
  'cs:getctag',
  'a:calendar-color',
  'card:supported-address-data',
  'card:supported-collation-set',
  'card:max-resource-size',
  'd:add-member',
] as const

describe('the home of address books', () => {
  test('holds those of its user, contacts first, each with all that clients ask for', async () => {
    const { ada, phone, home, path } = await bookPhone(h)
    const work = await newBook(ada, 'Work & <Play>')
    const other = `${home}book-${work}/`
    const { responses } = await phone.propfind(home, NAMES, '1')
    expect([...responses.keys()]).toEqual([home, path, other])
    expect([...responses.values()].slice(1).flatMap(({ missing }) => missing)).toEqual([])
    const book = await shown(phone, path, NAMES)
    expect(book.text(dav('displayname'))).toBe('Contacts')
    expect(book.names(dav('resourcetype'))).toEqual([dav('collection'), carddav('addressbook')])
    const versions = book.children(carddav('supported-address-data'))
    expect(versions.map(({ attributes }) => Object.fromEntries(attributes))).toEqual([
      { 'content-type': 'text/vcard', version: '3.0' },
      { 'content-type': 'text/vcard', version: '4.0' },
    ])
    expect(book.text(carddav('max-resource-size'))).toBe('10485760')
    expect(book.children(carddav('supported-collation-set')).map(({ text }) => text)).toEqual([
      'i;ascii-casemap',
      'i;octet',
      'i;unicode-casemap',
    ])
    expect(book.text(cs('getctag'))).toBe(book.text(dav('sync-token')))
    expect(book.text(ical('calendar-color'))).toMatch(/^#[0-9A-F]{6}FF$/)
    const reports = book.children(dav('supported-report-set'))
    expect(
      reports.flatMap((one) => one.children.flatMap((report) => report.children)).map(({ name }) => name),
    ).toEqual([
      carddav('addressbook-query'),
      carddav('addressbook-multiget'),
      dav('sync-collection'),
      dav('expand-property'),
    ])
    expect((await shown(phone, other, NAMES)).text(dav('displayname'))).toBe('Work & <Play>')
  })

  test('is the home that the principal names, and OPTIONS says that there are address books', async () => {
    const { phone, home } = await bookPhone(h)
    const principal = `/dav/principals/${phone.userId}/`
    const { responses } = await phone.propfind(principal, ['card:addressbook-home-set'])
    const homes = responses.get(principal)?.found.get(carddav('addressbook-home-set'))
    expect(homes?.children.map(({ text }) => text)).toEqual([home])
    const { headers } = await phone.send('OPTIONS', home)
    expect(headers.get('dav')?.split(', ')).toContain('addressbook')
  })

  test('is empty without a scope of people, below it is nothing, and with people alone there are no calendars', async () => {
    const { phone, home, path } = await bookPhone(h, ['dav', 'calendars:write'])
    const { status, responses } = await phone.propfind(home, ['d:displayname'], '1')
    expect([status, [...responses.keys()]]).toEqual([207, [home]])
    expect((await phone.propfind(path, ['d:displayname'])).status).toBe(404)
    const other = await bookPhone(h, ['dav', 'people:read'])
    expect([...(await other.phone.propfind(other.phone.home, NAMES, '1')).responses.keys()]).toHaveLength(1)
    const { responses: read } = await other.phone.propfind(other.path, NAMES)
    const privileges = read.get(other.path)?.found.get(dav('current-user-privilege-set'))?.children
    expect(privileges?.map((one) => one.children[0]?.name)).not.toContain(dav('write-content'))
    expect((await bookPhone(h)).phone.userId).not.toBe(phone.userId)
  })

  test('is not there for others', async () => {
    const { path } = await bookPhone(h)
    const { phone } = await bookPhone(h)
    expect((await phone.propfind(path, ['d:displayname'], '1')).status).toBe(404)
  })
})

describe('a card', () => {
  test('has a tag, a type and a length in PROPFIND, and its text in no allprop', async () => {
    const { phone, path } = await bookPhone(h)
    const { headers } = await putCard(phone, `${path}one.vcf`, cardOf('one'))
    const names = ['d:getetag', 'd:getcontenttype', 'd:getcontentlength', 'd:resourcetype', 'd:resource-id']
    const one = await shown(phone, `${path}one.vcf`, names)
    expect(one.text(dav('getetag'))).toBe(headers.get('etag') ?? '')
    expect(one.text(dav('getcontenttype'))).toBe('text/vcard; charset=utf-8')
    expect(one.text(dav('getcontentlength'))).toBe(String(Buffer.byteLength(cardOf('one'))))
    expect(one.children(dav('resourcetype'))).toEqual([])
    const body = `<d:propfind ${PREFIXES}><d:allprop/></d:propfind>`
    expect((await phone.send('PROPFIND', `${path}one.vcf`, { body })).text).not.toContain('BEGIN:VCARD')
  })

  test('comes as it was put, and in the other version only for who asks', async () => {
    const { phone, path } = await bookPhone(h)
    const modern = cardOf('four').replace('VERSION:3.0', 'VERSION:4.0')
    await putCard(phone, `${path}three.vcf`, cardOf('three'))
    await putCard(phone, `${path}four.vcf`, modern)
    const get = async (name: string, accept?: string) =>
      (await phone.send('GET', `${path}${name}.vcf`, accept === undefined ? {} : { headers: { accept } }))
        .text
    expect(await get('three', '*/*')).toBe(cardOf('three'))
    expect(await get('four', 'text/vcard')).toBe(modern)
    expect(await get('three', 'text/vcard; version=3.0')).toBe(cardOf('three'))
    expect(await get('three', 'text/vcard;version=4.0, text/vcard;q=0.5')).toContain('VERSION:4.0\r\n')
    expect(await get('four', 'text/vcard; version="3.0"')).toContain('VERSION:3.0\r\n')
    const hrefs = [`${path}three.vcf`, `${path}four.vcf`]
    const told = async (attributes: string) =>
      Object.values(
        cardTexts(await phone.report(path, multigetOfCards(hrefs, `<card:address-data${attributes}/>`))),
      )
    expect(await told('')).toEqual(await told(' version="3.0"'))
    for (const version of ['3.0', '4.0']) {
      const texts = await told(` content-type="text/vcard" version="${version}"`)
      expect(texts.map((text) => /^VERSION:(.*)\r$/m.exec(text ?? '')?.[1])).toEqual([version, version])
      for (const text of texts) expect(text).toContain('X-ODD;X-Q="a;b:c":kept\r\nEND:VCARD\r\n')
    }
  })

  test('of an old program that was imported is told as 3.0', async () => {
    const { ada, phone, path } = await bookPhone(h)
    await ada.request('POST', '/api/people/import', {
      body: ADDRESS_BOOKS.OUTLOOK,
      headers: { 'content-type': 'text/vcard' },
    })
    const { responses } = await phone.propfind(path, ['d:getetag'], '1')
    const [, ...hrefs] = [...responses.keys()]
    for (const text of Object.values(cardTexts(await phone.report(path, multigetOfCards(hrefs)))))
      expect(text).toContain('VERSION:3.0\r\n')
  })

  test('in a version or of a type that there is not is refused', async () => {
    const { phone, path } = await bookPhone(h)
    for (const attributes of ['version="5.0"', 'content-type="text/calendar"']) {
      const body = multigetOfCards([], `<card:address-data ${attributes}/>`)
      const { status, xml } = await phone.report(path, body)
      expect([status, xml.children[0]?.name]).toEqual([403, carddav('supported-address-data')])
    }
  })

  test('keeps pictures, groups of lines, labels and birthdays without a year through both conversions', async () => {
    const { phone, path } = await bookPhone(h)
    const more = [
      'BDAY;X-APPLE-OMIT-YEAR=1604:1604-12-10',
      'PHOTO;ENCODING=b;TYPE=JPEG:/9j/4AAQSkZJRgABAQ==',
      'item2.X-ABDATE;type=pref:1835-07-08',
      'item2.X-ABLabel:_$!<Anniversary>!$_',
    ]
    await putCard(phone, `${path}one.vcf`, cardOf('one', 'Ada', more))
    const as = async (name: string, version: string) =>
      (
        await phone.send('GET', `${path}${name}.vcf`, {
          headers: { accept: `text/vcard; version=${version}` },
        })
      ).text
    const modern = await as('one', '4.0')
    expect(modern).toContain('BDAY:--1210\r\n')
    expect(modern).toContain('PHOTO:data:image/jpeg;base64,/9j/4AAQSkZJRgABAQ==\r\n')
    await phone.send('DELETE', `${path}one.vcf`)
    await putCard(phone, `${path}two.vcf`, modern)
    const back = await as('two', '3.0')
    for (const line of more) expect(back.replaceAll('\r\n ', '').toLowerCase()).toContain(line.toLowerCase())
  })
})

describe('a group', () => {
  test('is kept and told, and is no person in JSON', async () => {
    const { ada, phone, path } = await bookPhone(h)
    await putCard(phone, `${path}one.vcf`, cardOf('one'))
    const text = groupOf('g', ['one'])
    const made = await putCard(phone, `${path}g.vcf`, text)
    expect(made.headers.get('etag')).toMatch(/^"g\d+-1"$/)
    expect((await ada.request('GET', '/api/people')).body.people).toHaveLength(1)
    expect((await phone.send('GET', `${path}g.vcf`)).text).toBe(text)
    const more = groupOf('g', ['one', 'two'])
    expect((await putCard(phone, `${path}g.vcf`, more, { 'if-match': '"1-1"' })).status).toBe(412)
    const etag = made.headers.get('etag') ?? ''
    const changed = await putCard(phone, `${path}g.vcf`, more, { 'if-match': etag })
    expect([changed.status, changed.headers.get('etag')]).toEqual([204, etag.replace('-1', '-2')])
    const gone = await phone.send('DELETE', `${path}g.vcf`, { headers: { 'if-match': etag } })
    expect(gone.status).toBe(412)
    expect((await phone.send('DELETE', `${path}g.vcf`)).status).toBe(204)
    expect((await phone.send('GET', `${path}g.vcf`)).status).toBe(404)
  })

  test('may become a person under its name, and a person a group', async () => {
    const { ada, phone, path } = await bookPhone(h)
    await putCard(phone, `${path}x.vcf`, groupOf('x', []))
    const as = await putCard(phone, `${path}x.vcf`, cardOf('x'))
    expect([as.status, (await ada.request('GET', '/api/people')).body.people.length]).toEqual([204, 1])
    await putCard(phone, `${path}x.vcf`, groupOf('x', []))
    expect((await phone.send('GET', `${path}x.vcf`)).text).toBe(groupOf('x', []))
    expect((await ada.request('GET', '/api/people')).body.people).toEqual([])
  })
})

test('multiget tells 404 for what is not there, and shares no card of another address book', async () => {
  const { ada, phone, home, path } = await bookPhone(h)
  const other = `${home}book-${await newBook(ada)}/`
  await putCard(phone, `${path}one.vcf`, cardOf('one'))
  await putCard(phone, `${other}two.vcf`, cardOf('two'))
  const hrefs = [`${path}one.vcf`, `${path}none.vcf`, `${other}two.vcf`, '/dav/nowhere']
  const { status, responses } = await phone.report(path, multigetOfCards(hrefs))
  expect(status).toBe(207)
  expect(hrefs.map((href) => responses.get(href)?.status)).toEqual([
    undefined,
    ...Array(3).fill('HTTP/1.1 404 Not Found'),
  ])
})
