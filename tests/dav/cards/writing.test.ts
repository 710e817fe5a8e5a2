import { describe, expect, test } from 'bun:test'
import * as fc from 'fast-check'
import { vCards } from '../../../src/adapters/vcard'
import { splitLines } from '../../../src/lib/vcard/lines'
import { childOf, textOfChild } from '../../../src/lib/xml/element'
import { carddav, dav } from '../../../src/lib/xml/names'
import { ADDRESS_BOOKS } from '../../support/address-books'
import { newBook } from '../../support/books'
import { bookPhone, cardOf, cardTexts, followBook, multigetOfCards, putCard } from '../../support/cards'
import type { DavAnswer } from '../../support/dav'
import type { Actor } from '../../support/harness'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const people = async (actor: Actor) => (await actor.request('GET', '/api/people?sort=created_at')).body.people
const statusesOf = (answers: ReadonlyArray<{ readonly status: number }>) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)
const refusal = ({ status, xml }: DavAnswer) => [status, xml.children[0]?.name]

describe('PUT of a card', () => {
  test('keeps the text byte for byte under the name that the client chose, and JSON shows the person', async () => {
    const { ada, phone, path } = await bookPhone(h)
    const text = cardOf('one@phone')
    const made = await putCard(phone, `${path}%C3%84%20b.vcf`, text, { 'if-none-match': '*' })
    expect([made.status, made.text]).toEqual([201, ''])
    const [person] = await people(ada)
    expect(person).toMatchObject({ first_name: 'Ada', phone: '+1 2' })
    expect(made.headers.get('etag')).toBe(`"${person.id}-${person.version}"`)
    const read = await phone.send('GET', `${path}%C3%84%20b.vcf`)
    expect([read.text, read.headers.get('etag')]).toEqual([text, made.headers.get('etag')])
    expect(read.headers.get('content-type')).toBe('text/vcard; charset=utf-8')
    const { responses } = await phone.propfind(path, ['d:getetag', 'd:getcontenttype'], '1')
    expect([...responses.keys()]).toEqual([path, `${path}%C3%84%20b.vcf`])
  })

  test('replaces a card, and a change in JSON rewrites only the lines that it means', async () => {
    const { ada, phone, path } = await bookPhone(h)
    const href = `${path}one.vcf`
    await putCard(phone, href, cardOf('one'))
    const replaced = await putCard(phone, href, cardOf('one', 'Grace'))
    expect(replaced.status).toBe(204)
    const [person] = await people(ada)
    await ada.request('PUT', `/api/people/${person.id}`, { body: { phone: '3', company: 'Navy' } })
    const { text, headers } = await phone.send('GET', href)
    expect(headers.get('etag')).not.toBe(replaced.headers.get('etag'))
    const expected = cardOf('one', 'Grace').replace('+1 2', '3')
    expect(text.replace(/^(?:REV|ORG):.*\r\n/gm, '')).toBe(expected)
    expect(text).toContain('ORG:Navy\r\n')
  })

  test('with the same text changes nothing, and is told to nobody', async () => {
    const { phone, path } = await bookPhone(h)
    const first = await putCard(phone, `${path}one.vcf`, cardOf('one'))
    const { token } = await followBook(phone, path)
    const second = await putCard(phone, `${path}one.vcf`, cardOf('one'))
    expect([second.status, second.headers.get('etag')]).toEqual([204, first.headers.get('etag')])
    expect(await followBook(phone, path, token)).toMatchObject({ changes: {}, token })
  })

  test('of a person who was made in JSON takes what was read, and keeps the name', async () => {
    const { ada, phone, path } = await bookPhone(h)
    const { id } = (await ada.request('POST', '/api/people', { body: { first_name: 'Ada' } })).body
    const href = `${path}${id}.vcf`
    const read = await phone.send('GET', href)
    expect(read.text).toContain('VERSION:3.0\r\n')
    expect((await putCard(phone, href, read.text)).headers.get('etag')).toBe(read.headers.get('etag'))
    const changed = read.text.replace('END:VCARD', 'X-ODD:1\r\nEND:VCARD')
    expect((await putCard(phone, href, changed)).status).toBe(204)
    expect((await phone.send('GET', href)).text).toBe(changed)
    const copied = await putCard(phone, `${path}copy.vcf`, changed)
    expect([copied.status, (await people(ada)).length]).toEqual([409, 1])
  })

  test('holds its conditions: of ten at once with one If-Match one succeeds and nine are 412', async () => {
    const { phone, path } = await bookPhone(h)
    const href = `${path}one.vcf`
    const etag = (await putCard(phone, href, cardOf('one'))).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        putCard(phone, href, cardOf('one', `Try ${n}`), { 'if-match': etag }),
      ),
    )
    expect(statusesOf(answers)).toEqual([204, ...Array(9).fill(412)])
    expect((await putCard(phone, href, cardOf('one'), { 'if-none-match': '*' })).status).toBe(412)
    expect((await putCard(phone, `${path}two.vcf`, cardOf('two'), { 'if-match': '*' })).status).toBe(412)
  })

  test('without a UID is taken, and the card may get one later', async () => {
    const { ada, phone, path } = await bookPhone(h)
    const text = cardOf('x').replace('UID:x\r\n', '')
    expect((await putCard(phone, `${path}one.vcf`, text)).status).toBe(201)
    expect((await phone.send('GET', `${path}one.vcf`)).text).toBe(text)
    expect((await putCard(phone, `${path}one.vcf`, cardOf('later', 'Grace'))).status).toBe(204)
    expect(await people(ada)).toMatchObject([{ first_name: 'Grace' }])
  })

  test('refuses a UID that another card of the address book has, with its address', async () => {
    const { ada, phone, home, path } = await bookPhone(h)
    const other = `${home}book-${await newBook(ada)}/`
    await putCard(phone, `${path}one.vcf`, cardOf('one'))
    await putCard(phone, `${path}two.vcf`, cardOf('two'))
    for (const href of [`${path}new.vcf`, `${path}two.vcf`]) {
      const { status, xml } = await putCard(phone, href, cardOf('one', 'Other'))
      const conflict = childOf(xml, carddav('no-uid-conflict'))
      expect([status, conflict && textOfChild(conflict, dav('href'))]).toEqual([409, `${path}one.vcf`])
    }
    const renamed = await putCard(phone, `${path}two.vcf`, cardOf('three'))
    expect(refusal(renamed)).toEqual([409, carddav('no-uid-conflict')])
    expect((await putCard(phone, `${other}one.vcf`, cardOf('one', 'Elsewhere'))).status).toBe(201)
    expect((await phone.send('GET', `${path}one.vcf`)).text).toBe(cardOf('one'))
  })

  test('refuses what is no card, and keeps none of it', async () => {
    const { ada, phone, path } = await bookPhone(h)
    const href = `${path}one.vcf`
    const refusals = [
      await putCard(phone, href, 'hello'),
      await putCard(phone, href, cardOf('a') + cardOf('b')),
      await phone.send('PUT', href, { body: '\u0000' }),
      await putCard(phone, href, cardOf('a'), { 'content-type': 'text/calendar' }),
      await putCard(phone, href, cardOf('a').replace('VERSION:3.0', 'VERSION:2.1')),
    ]
    const words = ['valid', 'valid', 'valid', 'supported', 'supported']
    expect(refusals.map(refusal)).toEqual(words.map((word) => [403, carddav(`${word}-address-data`)]))
    expect(await people(ada)).toEqual([])
  })

  test('takes a picture of five megabytes and gives it back; more than ten are refused', async () => {
    const { phone, path } = await bookPhone(h)
    const picture = Buffer.alloc(5 * 2 ** 20, 'picture').toString('base64')
    const text = cardOf('big', 'Big', [`PHOTO;ENCODING=b;TYPE=JPEG:${picture}`])
    expect((await putCard(phone, `${path}big.vcf`, text)).status).toBe(201)
    expect((await phone.send('GET', `${path}big.vcf`)).text === text).toBe(true)
    const told = cardTexts(await phone.report(path, multigetOfCards([`${path}big.vcf`])))
    expect(told[`${path}big.vcf`] === text).toBe(true)
    const modern = await phone.send('GET', `${path}big.vcf`, {
      headers: { accept: 'text/vcard; version=4.0' },
    })
    expect(modern.text.includes(`data:image/jpeg;base64,${picture.slice(0, 20)}`)).toBe(true)
    const huge = cardOf('huge', 'Huge', [`NOTE:${'x'.repeat(10 * 2 ** 20)}`])
    expect(refusal(await putCard(phone, `${path}huge.vcf`, huge))).toEqual([
      403,
      carddav('max-resource-size'),
    ])
  }, 60_000)

  test('needs a password that may write people', async () => {
    const { phone, path } = await bookPhone(h, ['dav', 'people:read'])
    expect(refusal(await putCard(phone, `${path}one.vcf`, cardOf('one')))).toEqual([
      403,
      dav('need-privileges'),
    ])
  })
})

test('POST to the add-member of an address book adds a card under a name of its own', async () => {
  const { phone, path } = await bookPhone(h)
  const { responses } = await phone.propfind(path, ['d:add-member'])
  const member = responses.get(path)?.found.get(dav('add-member'))
  const address = (member && textOfChild(member, dav('href'))) ?? ''
  const headers = { 'content-type': 'text/vcard' }
  const made = await phone.send('POST', address, { body: cardOf('one'), headers })
  expect([made.status, made.headers.get('location')?.startsWith(path)]).toEqual([201, true])
  expect((await phone.send('GET', made.headers.get('location') ?? '')).text).toBe(cardOf('one'))
})

describe('DELETE of a card', () => {
  test('moves the person to the trash, from where they come back under their name', async () => {
    const { ada, phone, path } = await bookPhone(h)
    const etag = (await putCard(phone, `${path}one.vcf`, cardOf('uid'))).headers.get('etag') ?? ''
    expect((await phone.send('DELETE', `${path}one.vcf`, { headers: { 'if-match': '"1-9"' } })).status).toBe(
      412,
    )
    expect((await phone.send('DELETE', `${path}one.vcf`, { headers: { 'if-match': etag } })).status).toBe(204)
    expect((await phone.send('GET', `${path}one.vcf`)).status).toBe(404)
    const [item] = (await ada.request('GET', '/api/trash')).body.items
    expect((await ada.request('POST', `/api/trash/${item.id}/restore`)).status).toBe(200)
    const back = await phone.send('GET', `${path}one.vcf`)
    expect(back.text).toBe(cardOf('uid'))
    expect(back.headers.get('etag')).not.toBe(etag)
  })

  test('leaves its name to others: a restored person whose name is taken gets another', async () => {
    const { ada, phone, path } = await bookPhone(h)
    await putCard(phone, `${path}one.vcf`, cardOf('first'))
    await phone.send('DELETE', `${path}one.vcf`)
    await putCard(phone, `${path}one.vcf`, cardOf('second'))
    const [item] = (await ada.request('GET', '/api/trash')).body.items
    await ada.request('POST', `/api/trash/${item.id}/restore`)
    const { responses } = await phone.propfind(path, ['d:getetag'], '1')
    expect([...responses.keys()].slice(1).toSorted()).toEqual([`${path}first.vcf`, `${path}one.vcf`])
    expect((await phone.send('GET', `${path}one.vcf`)).text).toBe(cardOf('second'))
  })
})

test('a person whose UID would give them a name that is taken gets another, however they come', async () => {
  const { ada, phone, home, path } = await bookPhone(h)
  await putCard(phone, `${path}taken.vcf`, cardOf('first'))
  const send = (body: string) =>
    ada.request('POST', '/api/people/import', { body, headers: { 'content-type': 'text/vcard' } })
  await send(cardOf('taken', 'Imported'))
  const work = await newBook(ada)
  await putCard(phone, `${home}book-${work}/taken.vcf`, cardOf('moved', 'Moved'))
  const moved = (await people(ada)).find((one: { first_name: string }) => one.first_name === 'Moved')
  const contacts = (await people(ada))[0].book_id
  await ada.request('PUT', `/api/people/${moved.id}`, { body: { book_id: contacts } })
  const { responses } = await phone.propfind(path, ['d:getetag'], '1')
  const hrefs = [...responses.keys()].slice(1)
  expect(new Set(hrefs).size).toBe(3)
  const texts = cardTexts(await phone.report(path, multigetOfCards(hrefs)))
  expect(
    Object.values(texts)
      .map((text) => /^FN:(.*)$/m.exec(text ?? '')?.[1] ?? '')
      .toSorted((a, b) => a.localeCompare(b)),
  ).toEqual(['Ada', 'Imported', 'Moved'])
  expect(texts[`${path}taken.vcf`]).toContain('FN:Ada')
})

/** The properties that a change of a field may write. */
const MEANT: Readonly<Record<string, readonly string[]>> = {
  first_name: ['N', 'FN'],
  last_name: ['N', 'FN'],
  company: ['ORG'],
  job_title: ['TITLE'],
  birthday: ['BDAY'],
  notes: ['NOTE'],
  is_favourite: ['X-ORGANISER-FAVOURITE'],
}
const edit = fc.record(
  {
    first_name: fc.constantFrom('New; name', 'Zoë'),
    last_name: fc.constantFrom('Other, last', 'Ö'),
    company: fc.constantFrom('C; D', '東京'),
    job_title: fc.constantFrom(null, 'Chef'),
    birthday: fc.constantFrom(null, '1990-01-02', '--02-29'),
    notes: fc.constantFrom(null, 'two\nlines; x', 'é'.repeat(200)),
    is_favourite: fc.constant(true),
  },
  { requiredKeys: [] },
)
const odd = fc.constantFrom(
  'X-ODD;X-Q="a;b:c":kept \\\\ whole\r\n',
  'item9.X-ABLabel:folded\r\n  here\r\n',
  'no line at all\r\n',
  '\r\n',
  'IMPP;X-A=1:xmpp:a@b.example\n',
  'RELATED;TYPE=friend:urn:uuid:1\r\n',
)

test('what a change by JSON does not mean is byte for byte what the client put, whatever the card', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(ADDRESS_BOOKS.APPLE, ADDRESS_BOOKS.GOOGLE, ADDRESS_BOOKS.THUNDERBIRD),
      fc.array(odd, { maxLength: 4 }),
      edit,
      async (book, more, changes) => {
        const file = book.replaceAll(/^END:VCARD\r\n/gm, (end) => more.join('') + end)
        const texts = Array.from(vCards.read(new TextEncoder().encode(file)), ({ text }) => text)
        const { ada, phone, path } = await bookPhone(h)
        const hrefs = texts.map((_, n) => `${path}card-${n}.vcf`)
        for (const [n, href] of hrefs.entries())
          expect((await putCard(phone, href, texts[n] ?? '')).status).toBe(201)
        const reads = async () => Promise.all(hrefs.map(async (href) => (await phone.send('GET', href)).text))
        expect(await reads()).toEqual(texts)
        for (const { id } of await people(ada))
          expect((await ada.request('PUT', `/api/people/${id}`, { body: changes })).status).toBe(200)
        const meant = new Set(['REV', 'UID', ...Object.keys(changes).flatMap((field) => MEANT[field] ?? [])])
        const rest = (text: string) =>
          splitLines(text).flatMap(({ name, raw }) => (meant.has(name) ? [] : [raw]))
        expect((await reads()).map(rest)).toEqual(texts.map(rest))
      },
    ),
    { numRuns: 12 },
  )
}, 120_000)
