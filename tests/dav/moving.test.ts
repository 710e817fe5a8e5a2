import { describe, expect, test } from 'bun:test'
import { childOf, textOfChild } from '../../src/lib/xml/element'
import { caldav, carddav, dav } from '../../src/lib/xml/names'
import { type Phone, phoneOf, syncOf } from '../support/dav'
import { CARDS, EVENTS, TODOS } from '../support/dav-kinds'
import { organiser } from '../support/events'
import { invitedTo } from '../support/inviting'
import { sharedWith } from '../support/sharing'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

/** An actor with a phone and two calendars. */
async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const other = (await ada.request('POST', '/api/calendars', { body: { name: 'Other' } })).body.id
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const [, path = ''] = [...responses.keys()]
  return { ada, phone, path, there: `${phone.home}calendar-${other}/`, other: Number(other) }
}

const text = (uid: string, title = 'Lunch') =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Phone//EN',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260301T100000Z',
    'DTSTART;TZID=Europe/Berlin:20260310T120000',
    'DTEND;TZID=Europe/Berlin:20260310T130000',
    `SUMMARY:${title}`,
    'X-KEPT:yes',
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

const put = (phone: Phone, href: string, body: string) => phone.send('PUT', href, { body })
const carry =
  (method: 'MOVE' | 'COPY') =>
  (phone: Phone, from: string, destination: string, headers: Record<string, string> = {}) =>
    phone.send(method, from, { headers: { destination, ...headers } })
const [move, copy] = [carry('MOVE'), carry('COPY')]

/** What a client hears of a collection since the last time: hrefs with whether they are there. */
async function follower(phone: Phone, path: string) {
  const tokenIn = ({ xml }: Awaited<ReturnType<Phone['report']>>) => textOfChild(xml, dav('sync-token')) ?? ''
  let token = tokenIn(await phone.report(path, syncOf('')))
  return async () => {
    const answer = await phone.report(path, syncOf(token))
    token = tokenIn(answer)
    return Object.fromEntries(
      [...answer.responses].map(([href, { status }]) => [href.slice(path.length), status === undefined]),
    )
  }
}

describe('MOVE', () => {
  test.each([
    { ...EVENTS, slug: 'calendar-1' },
    { ...TODOS, slug: 'todos' },
    { ...CARDS, slug: 'contacts' },
  ])('of ten at once of one name, one succeeds: $name', async ({ home, slug, extension, textOf, type }) => {
    const { ada, phone, path: calendar } = await start()
    const path = slug === 'calendar-1' ? calendar : `/dav/${home}/${ada.row.id}/${slug}/`
    const from = `${path}from.${extension}`
    const headers = { 'content-type': type }
    expect((await phone.send('PUT', from, { body: textOf('from', 'From'), headers })).status).toBe(201)
    const targets = Array.from({ length: 10 }, (_, n) => `${path}to-${n}.${extension}`)
    const answers = await Promise.all(targets.map((to) => move(phone, from, to)))
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([
      201,
      ...Array.from({ length: 9 }, () => 404),
    ])
    const there = await Promise.all(targets.map((to) => phone.send('GET', to)))
    expect(there.map(({ status }) => status === 200)).toEqual(answers.map(({ status }) => status === 201))
  })

  test('keeps the event and its text, and sync tells that it is gone at the old name and new at the other', async () => {
    const { ada, phone, path, there, other } = await start()
    await put(phone, `${path}a.ics`, text('a'))
    const [before] = await ada.list('2026-03-01', '2026-04-01')
    const [here, elsewhere] = [await follower(phone, path), await follower(phone, there)]
    const moved = await move(phone, `${path}a.ics`, `http://localhost${there}b.ics`)
    expect([moved.status, moved.text]).toEqual([201, ''])
    expect((await phone.send('GET', `${there}b.ics`)).text).toBe(text('a'))
    expect((await phone.send('GET', `${path}a.ics`)).status).toBe(404)
    const [after] = await ada.list('2026-03-01', '2026-04-01')
    expect(after).toEqual({
      ...before,
      calendar_id: other,
      calendar_name: 'Other',
      calendar_color: expect.any(String),
      version: before.version + 1,
      updated_at: expect.any(String),
    })
    expect([await here(), await elsewhere()]).toEqual([{ 'a.ics': false }, { 'b.ics': true }])
  })

  test('within a collection gives another name, and both names are told', async () => {
    const { phone, path } = await start()
    await put(phone, `${path}a.ics`, text('a'))
    const here = await follower(phone, path)
    expect((await move(phone, `${path}a.ics`, `${path}b%20%C3%A4.ics`)).status).toBe(201)
    expect(await here()).toEqual({ 'a.ics': false, 'b%20%C3%A4.ics': true })
    expect((await move(phone, `${path}b%20%C3%A4.ics`, `${path}a.ics`)).status).toBe(201)
    expect(await here()).toEqual({ 'a.ics': true, 'b%20%C3%A4.ics': false })
  })

  test('replaces an object of the same UID unless Overwrite is F, and never one of another UID', async () => {
    const { ada, phone, path, there } = await start()
    await put(phone, `${path}a.ics`, text('a', 'New'))
    await put(phone, `${there}a.ics`, text('a', 'Old'))
    await put(phone, `${there}x.ics`, text('x'))
    expect((await move(phone, `${path}a.ics`, `${there}a.ics`, { overwrite: 'F' })).status).toBe(412)
    for (const name of ['x.ics', 'free.ics']) {
      const refused = await move(phone, `${path}a.ics`, there + name)
      expect([name, refused.status]).toEqual([name, 409])
      const conflict = childOf(refused.xml, caldav('no-uid-conflict'))
      expect(conflict && textOfChild(conflict, dav('href'))).toBe(
        there + (name === 'x.ics' ? 'x.ics' : 'a.ics'),
      )
    }
    const elsewhere = await follower(phone, there)
    expect((await move(phone, `${path}a.ics`, `${there}a.ics`)).status).toBe(204)
    expect(await elsewhere()).toEqual({ 'a.ics': true })
    expect((await phone.send('GET', `${there}a.ics`)).text).toBe(text('a', 'New'))
    expect(await ada.list('2026-03-01', '2026-04-01')).toHaveLength(2)
  })

  test('keeps the invitations, and can be undone', async () => {
    const { ada, bob, event } = await invitedTo(h, {
      start_at: '2026-03-10T12:00',
      end_at: '2026-03-10T13:00',
    })
    const phone = await phoneOf(h, ada)
    const other = (await ada.request('POST', '/api/calendars', { body: { name: 'Other' } })).body.id
    const [from, to] = [`calendar-${event.calendar_id}`, `calendar-${other}`].map((slug) => phone.home + slug)
    const { responses } = await phone.propfind(`${from}/`, ['d:getetag'], '1')
    const [, href = ''] = [...responses.keys()]
    expect((await move(phone, href, `${to}/moved.ics`)).status).toBe(201)
    expect((await bob.request('GET', `/api/events/${event.id}`)).status).toBe(200)
    const [operation] = (await ada.request('GET', '/api/operations')).body.operations
    expect((await ada.request('POST', `/api/operations/${operation.id}/undo`)).status).toBe(200)
    expect((await phone.send('GET', href)).status).toBe(200)
    expect((await phone.send('GET', `${to}/moved.ics`)).status).toBe(404)
  })

  test('holds its conditions against the object that it moves', async () => {
    const { phone, path, there } = await start()
    const etag = (await put(phone, `${path}a.ics`, text('a'))).headers.get('etag') ?? ''
    const attempt = (headers: Record<string, string>) =>
      move(phone, `${path}a.ics`, `${there}a.ics`, headers).then(({ status }) => status)
    expect(await attempt({ 'if-match': '"1-99"' })).toBe(412)
    expect(await attempt({ if: '(["1-99"])' })).toBe(412)
    expect(await attempt({ 'if-match': etag })).toBe(201)
  })
})

describe('COPY', () => {
  test('makes another event of the same text, which is refused in the same collection', async () => {
    const { ada, phone, path, there } = await start()
    await put(phone, `${path}a.ics`, text('a'))
    expect((await copy(phone, `${path}a.ics`, `${path}b.ics`)).status).toBe(409)
    expect((await copy(phone, `${path}a.ics`, `${there}b.ics`)).status).toBe(201)
    expect((await copy(phone, `${path}a.ics`, `${there}b.ics`, { overwrite: 'F' })).status).toBe(412)
    expect((await copy(phone, `${path}a.ics`, `${there}b.ics`)).status).toBe(204)
    expect((await phone.send('GET', `${there}b.ics`)).text).toBe(text('a'))
    expect((await phone.send('GET', `${path}a.ics`)).text).toBe(text('a'))
    expect(await ada.list('2026-03-01', '2026-04-01')).toHaveLength(2)
  })

  test('can be undone', async () => {
    const { ada, phone, path, there } = await start()
    await put(phone, `${path}a.ics`, text('a'))
    await copy(phone, `${path}a.ics`, `${there}b.ics`)
    const [operation] = (await ada.request('GET', '/api/operations')).body.operations
    expect((await ada.request('POST', `/api/operations/${operation.id}/undo`)).status).toBe(200)
    expect((await phone.send('GET', `${there}b.ics`)).status).toBe(404)
  })
})

describe('MOVE and COPY', () => {
  test('are refused where the destination cannot be, with the status that says why', async () => {
    const { ada, phone, path, there } = await start()
    await put(phone, `${path}a.ics`, text('a'))
    const stranger = await organiser(h)
    const cases: ReadonlyArray<readonly [string, number]> = [
      [`http://elsewhere.example${there}a.ics`, 502],
      [`${phone.home}none/a.ics`, 409],
      [`/dav/calendars/${stranger.row.id}/calendar-1/a.ics`, 403],
      [there, 403],
      ['/elsewhere', 403],
      [`${path}a.ics`, 403],
      [`${there}%FF.ics`, 400],
      ['http://[', 400],
    ]
    for (const send of [move, copy])
      for (const [destination, status] of cases)
        expect([destination, (await send(phone, `${path}a.ics`, destination)).status]).toEqual([
          destination,
          status,
        ])
    expect((await phone.send('MOVE', `${path}a.ics`)).status).toBe(400)
    expect((await move(phone, `${path}a.ics`, `${there}a.ics`, { host: '[' })).status).toBe(400)
    expect((await move(phone, `${path}none.ics`, `${there}a.ics`)).status).toBe(404)
    for (const collection of [path, phone.home])
      expect((await move(phone, collection, `${there}a.ics`)).status).toBe(403)
    const [only] = await ada.list('2026-03-01', '2026-04-01')
    expect(only?.version).toBe(1)
  })

  test('to an address book that is named like the calendar are refused for the kind', async () => {
    const { phone } = await start()
    const book = `/dav/addressbooks/${phone.userId}/made/`
    for (const [path, { make }] of [
      [`${phone.home}made/`, EVENTS],
      [book, CARDS],
    ] as const)
      expect((await phone.send(make.method, path, { body: make.body })).status).toBe(201)
    await put(phone, `${phone.home}made/a.ics`, text('a'))
    for (const [send, why] of [
      [move, 'supported-address-data'],
      [copy, 'valid-address-data'],
    ] as const) {
      const refusal = await send(phone, `${phone.home}made/a.ics`, `${book}a.ics`)
      expect(refusal.status).toBe(403)
      expect(childOf(refusal.xml, carddav(why))).toBeDefined()
    }
    expect((await phone.send('GET', `${phone.home}made/a.ics`)).text).toBe(text('a'))
    expect([...(await phone.propfind(book, ['d:getetag'], '1')).responses.keys()]).toEqual([book])
  })

  test('need the privileges: a member who reads copies, and moves nothing', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'read')
    const [own, member] = [await phoneOf(h, ada), await phoneOf(h, bob)]
    const reader = await phoneOf(h, bob, ['dav', 'calendars:read'])
    await put(own, `${own.home}calendar-${calendar.id}/a.ics`, text('a'))
    const { responses } = await member.propfind(member.home, ['d:displayname'], '1')
    const shared = `${member.home}calendar-${calendar.id}/`
    const [mine = ''] = [...responses.keys()].filter((href) => href !== member.home && href !== shared)
    for (const answer of [
      await move(member, `${shared}a.ics`, `${mine}a.ics`),
      await copy(member, `${shared}a.ics`, `${shared}b.ics`),
      await copy(reader, `${shared}a.ics`, `${mine}a.ics`),
    ]) {
      expect(answer.status).toBe(403)
      expect(childOf(answer.xml, dav('need-privileges'))).toBeDefined()
    }
    expect((await copy(member, `${shared}a.ics`, `${mine}a.ics`)).status).toBe(201)
  })

  test("of a private event in somebody else's calendar show no more than they may", async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const [own, member] = [await phoneOf(h, ada), await phoneOf(h, bob)]
    const shared = (phone: Phone) => `${phone.home}calendar-${calendar.id}/`
    const secret = text('secret').replace('SUMMARY', 'CLASS:PRIVATE\r\nSUMMARY')
    await put(own, `${shared(own)}secret.ics`, secret)
    const { responses } = await member.propfind(shared(member), ['d:getetag'], '1')
    const [, href = ''] = [...responses.keys()]
    expect((await move(member, href, `${shared(member)}x.ics`)).status).toBe(403)
    await put(member, `${shared(member)}plain.ics`, text('plain'))
    expect((await move(member, `${shared(member)}plain.ics`, `${shared(member)}secret.ics`)).status).toBe(403)
    expect((await own.send('GET', `${shared(own)}secret.ics`)).text).toBe(secret)
  })
})

describe('POST', () => {
  test('to the add-member of a collection adds an object under a name of its own', async () => {
    const { ada, phone, path } = await start()
    const { responses } = await phone.propfind(path, ['d:add-member'])
    const member = responses.get(path)?.found.get(dav('add-member'))
    const address = (member && textOfChild(member, dav('href'))) ?? ''
    const made = await phone.send('POST', address, { body: text('a') })
    expect(made.status).toBe(201)
    const location = made.headers.get('location') ?? ''
    expect(location.startsWith(path)).toBe(true)
    const read = await phone.send('GET', location)
    expect([read.text, read.headers.get('etag')]).toEqual([text('a'), made.headers.get('etag')])
    const [operation] = (await ada.request('GET', '/api/operations')).body.operations
    expect((await phone.send('POST', address, { body: text('a') })).status).toBe(409)
    expect((await phone.send('POST', address, { body: 'x' })).status).toBe(403)
    expect((await phone.send('POST', location, { body: text('b') })).status).toBe(405)
    expect((await phone.send('POST', `${phone.home}none/`, { body: text('b') })).status).toBe(404)
    await ada.request('POST', `/api/operations/${operation.id}/undo`)
    expect((await phone.send('GET', location)).status).toBe(404)
  })

  test('that is refused leaves no operation, as neither do a PUT and a MOVE', async () => {
    const { ada, phone, path, there } = await start()
    await put(phone, `${path}a.ics`, text('a'))
    await put(phone, `${there}a.ics`, text('a'))
    const operations = async () => (await ada.request('GET', '/api/operations')).body.operations.length
    const before = await operations()
    expect((await phone.send('POST', path, { body: text('a') })).status).toBe(409)
    expect((await put(phone, `${path}b.ics`, text('a'))).status).toBe(409)
    expect((await move(phone, `${path}a.ics`, `${there}b.ics`)).status).toBe(409)
    expect((await put(phone, `${path}a.ics`, text('b'))).status).toBe(409)
    expect(await operations()).toBe(before)
  })

  test('is not offered where one may only read', async () => {
    const { bob, calendar } = await sharedWith(h, 'read')
    const phone = await phoneOf(h, bob)
    const path = `${phone.home}calendar-${calendar.id}/`
    const { responses } = await phone.propfind(path, ['d:add-member'])
    expect(responses.get(path)?.missing).toEqual([dav('add-member')])
    expect((await phone.send('POST', path, { body: text('a') })).status).toBe(403)
  })
})
