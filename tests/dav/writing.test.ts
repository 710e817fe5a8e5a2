import { describe, expect, test } from 'bun:test'
import { childOf, textOfChild } from '../../src/lib/xml/element'
import { caldav, dav } from '../../src/lib/xml/names'
import { multigetOf, type Phone, phoneOf, PREFIXES, syncOf } from '../support/dav'
import { organiser } from '../support/events'
import { sharedWith } from '../support/sharing'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const [, path = ''] = [...responses.keys()]
  return { ada, phone, path }
}

/** An event as a phone writes it, with lines that JSON does not know. */
const lines = (uid: string, title = 'Lunch', more: readonly string[] = []) =>
  [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Phone//EN',
    'X-WR-THING:kept',
    'BEGIN:VEVENT',
    `UID:${uid}`,
    'DTSTAMP:20260301T100000Z',
    'DTSTART;TZID=Europe/Berlin:20260310T120000',
    'DTEND;TZID=Europe/Berlin:20260310T130000',
    `SUMMARY:${title}`,
    'X-APPLE-STRUCTURED-LOCATION;VALUE=URI;X-TITLE="A, B":geo:1,2',
    'ATTENDEE;CN=Bob:mailto:bob@example.org',
    'BEGIN:VALARM',
    'ACTION:DISPLAY',
    'TRIGGER:-PT15M',
    'X-WR-ALARMUID:1',
    'END:VALARM',
    ...more,
    'END:VEVENT',
    'END:VCALENDAR',
    '',
  ].join('\r\n')

const put = (phone: Phone, href: string, body: string, headers: Record<string, string> = {}) =>
  phone.send('PUT', href, { body, headers: { 'content-type': 'text/calendar; charset=utf-8', ...headers } })
const statusesOf = (answers: ReadonlyArray<{ readonly status: number }>) =>
  answers.map(({ status }) => status).toSorted((a, b) => a - b)
const only = (xml: Parameters<typeof childOf>[0], name: string) => expect(childOf(xml, name)).toBeDefined()

describe('PUT', () => {
  test('keeps the text byte for byte under the name that the client chose, and JSON shows the event', async () => {
    const { ada, phone, path } = await start()
    const text = lines('one@phone')
    const href = `${path}Ä b%2B1.ics`
    const made = await put(phone, encodeURI(href).replace('%252B', '%2B'), text, { 'if-none-match': '*' })
    expect([made.status, made.text]).toEqual([201, ''])
    const etag = made.headers.get('etag') ?? ''
    const read = await phone.send('GET', encodeURI(href).replace('%252B', '%2B'))
    expect([read.text, read.headers.get('etag')]).toEqual([text, etag])
    const { responses } = await phone.propfind(path, ['d:getetag'], '1')
    expect([...responses.keys()]).toContain(`${path}%C3%84%20b%2B1.ics`)
    const [event] = await ada.list('2026-03-01', '2026-04-01')
    expect(event).toMatchObject({
      title: 'Lunch',
      start_at: '2026-03-10T12:00:00+01:00',
      reminder_minutes: 15,
    })
    expect(etag).toBe(`"${event?.id}-${event?.version}"`)
  })

  test('replaces an object, and a change in JSON rewrites only the lines that it means', async () => {
    const { ada, phone, path } = await start()
    const href = `${path}one.ics`
    await put(phone, href, lines('one@phone'))
    const replaced = await put(phone, href, lines('one@phone', 'Dinner'))
    expect(replaced.status).toBe(204)
    const [event] = await ada.list('2026-03-01', '2026-04-01')
    expect(event?.title).toBe('Dinner')
    await ada.request('PUT', `/api/events/${event?.id}`, { body: { title: 'Supper' } })
    const { text, headers } = await phone.send('GET', href)
    expect(headers.get('etag')).not.toBe(replaced.headers.get('etag'))
    const stamps = /^(?:DTSTAMP|LAST-MODIFIED|SEQUENCE):.*\r\n/gm
    expect(text.replace(stamps, '')).toBe(lines('one@phone', 'Supper').replace(stamps, ''))
  })

  test('with the same text changes nothing, and is told to nobody', async () => {
    const { phone, path } = await start()
    const href = `${path}one.ics`
    const first = await put(phone, href, lines('one@phone'))
    const token = async () =>
      (await phone.propfind(path, ['d:sync-token'])).responses.get(path)?.found.get(dav('sync-token'))?.text
    const before = await token()
    const second = await put(phone, href, lines('one@phone'))
    expect([second.status, second.headers.get('etag')]).toEqual([204, first.headers.get('etag')])
    expect(await token()).toBe(before)
  })

  test('tells the next sync of the object alone, and of no name that it never had', async () => {
    const { phone, path } = await start()
    const first = await phone.report(path, syncOf(''))
    await put(phone, `${path}one.ics`, lines('uid-of-one'))
    const { responses } = await phone.report(path, syncOf(textOfChild(first.xml, dav('sync-token')) ?? ''))
    expect([...responses.keys()]).toEqual([`${path}one.ics`])
  })

  test('takes a text with a byte order mark, and one whose rule nobody can count, without harm to reports', async () => {
    const { phone, path } = await start()
    const marked = `\uFEFF${lines('marked')}`
    expect((await put(phone, `${path}marked.ics`, marked)).status).toBe(201)
    expect(Buffer.from((await phone.send('GET', `${path}marked.ics`)).bytes).toString()).toBe(marked)
    const dense = lines('dense', 'Dense', ['RRULE:FREQ=SECONDLY']).replaceAll('20260310', '19700110')
    expect((await put(phone, `${path}dense.ics`, dense)).status).toBe(201)
    const expand =
      '<c:calendar-data><c:expand start="20260309T000000Z" end="20260312T000000Z"/></c:calendar-data>'
    const body = multigetOf([`${path}marked.ics`, `${path}dense.ics`], ['d:getetag']).replace(
      '<d:getetag/>',
      `<d:getetag/>${expand}`,
    )
    const { status, responses } = await phone.report(path, body)
    expect(status).toBe(207)
    expect(responses.get(`${path}marked.ics`)?.found.get(caldav('calendar-data'))?.text).toContain(
      'DTSTART:20260310T110000Z',
    )
    expect(responses.get(`${path}dense.ics`)?.found.has(dav('getetag'))).toBe(true)
    const freeBusy = `<c:free-busy-query ${PREFIXES}><c:time-range start="20260310T000000Z" end="20260311T000000Z"/></c:free-busy-query>`
    expect((await phone.report(path, freeBusy)).text).toContain('FREEBUSY:20260310T000000Z/20260311T000000Z')
  })

  test('holds its conditions: of ten at once with one If-Match one succeeds and nine are 412', async () => {
    const { phone, path } = await start()
    const href = `${path}one.ics`
    const etag = (await put(phone, href, lines('one@phone'))).headers.get('etag') ?? ''
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, n) =>
        put(phone, href, lines('one@phone', `Try ${n}`), { 'if-match': etag }),
      ),
    )
    expect(statusesOf(answers)).toEqual([204, ...Array(9).fill(412)])
    expect((await put(phone, href, lines('one@phone'), { 'if-none-match': '*' })).status).toBe(412)
    expect((await put(phone, `${path}two.ics`, lines('two'), { 'if-match': '*' })).status).toBe(412)
  })

  test('holds the lists of If, of which a malformed one is 400 and changes nothing', async () => {
    const { phone, path } = await start()
    const href = `${path}one.ics`
    const etag = (await put(phone, href, lines('one@phone'))).headers.get('etag') ?? ''
    for (const malformed of ['', 'x', '(', '()', '([])', `([${etag}]`, `[${etag}]`, `(Not)`, `([${etag}]) x`])
      for (const method of ['PUT', 'DELETE']) {
        const body = method === 'PUT' ? { body: lines('one@phone', 'Other') } : {}
        const { status } = await phone.send(method, href, { ...body, headers: { if: malformed } })
        expect([method, malformed, status]).toEqual([method, malformed, 400])
      }
    const now = (await phone.send('GET', href)).headers.get('etag') ?? ''
    for (const [held, status] of [
      ['(["x"])', 412],
      [`(Not [${now}])`, 412],
      [`(["x"]) ([${now}])`, 204],
    ] as const)
      expect([held, (await put(phone, href, lines('one@phone'), { if: held })).status]).toEqual([
        held,
        status,
      ])
    const tagged = `<http://localhost${href}> ([${now}] <DAV:x>)`
    expect((await put(phone, href, lines('one@phone'), { if: tagged })).status).toBe(204)
  })

  test('of ten at once of one new object one creates it, and the others find it there', async () => {
    const { ada, phone, path } = await start()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () =>
        put(phone, `${path}one.ics`, lines('one@phone'), { 'if-none-match': '*' }),
      ),
    )
    expect(statusesOf(answers)).toEqual([201, ...Array(9).fill(412)])
    expect(await ada.list('2026-03-01', '2026-04-01')).toHaveLength(1)
  })

  test('refuses another object of the same UID, and another UID under a name, with the address of the object', async () => {
    const { phone, path } = await start()
    await put(phone, `${path}one.ics`, lines('one@phone'))
    for (const [href, uid] of [
      [`${path}two.ics`, 'one@phone'],
      [`${path}one.ics`, 'two@phone'],
    ] as const) {
      const refused = await put(phone, href, lines(uid))
      expect(refused.status).toBe(409)
      const conflict = childOf(refused.xml, caldav('no-uid-conflict'))
      expect(conflict && textOfChild(conflict, dav('href'))).toBe(`${path}one.ics`)
    }
  })

  test('refuses what is no object of the collection, and says why', async () => {
    const { ada, phone, path } = await start()
    const todo = lines('t').replaceAll('VEVENT', 'VTODO')
    const refusals: ReadonlyArray<readonly [string, string]> = [
      ['hello', 'valid-calendar-data'],
      [lines('x').replace('VERSION:2.0', 'METHOD:REQUEST\r\nVERSION:2.0'), 'valid-calendar-object-resource'],
      [lines('x').replace('UID:x\r\n', ''), 'valid-calendar-object-resource'],
      [todo, 'supported-calendar-component'],
      [lines('x', 'L', [`X-LONG:${'x'.repeat(1_048_576)}`]), 'max-resource-size'],
    ]
    for (const [body, precondition] of refusals) {
      const refused = await put(phone, `${path}x.ics`, body)
      expect([precondition, refused.status]).toEqual([precondition, 403])
      only(refused.xml, caldav(precondition))
    }
    const bytes = new Uint8Array([...new TextEncoder().encode(lines('x')), 0xff])
    const invalid = await h.app.fetch(
      new Request(`http://localhost${path}x.ics`, {
        method: 'PUT',
        body: bytes,
        headers: { authorization: phone.authorization },
      }),
    )
    expect([invalid.status, (await invalid.text()).includes('valid-calendar-data')]).toEqual([403, true])
    expect(await ada.list('2026-03-01', '2026-04-01')).toEqual([])
  })

  test('on a collection is 405, below one that is not there 409, and to read-only access 403 with the privileges that are missing', async () => {
    const { ada, phone, path } = await start()
    const onCollection = await put(phone, path, lines('x'))
    expect([onCollection.status, onCollection.headers.get('allow')]).toEqual([
      405,
      expect.stringContaining('PROPFIND'),
    ])
    expect((await put(phone, `${phone.home}none/x.ics`, lines('x'))).status).toBe(409)
    const reader = await phoneOf(h, ada, ['dav', 'calendars:read'])
    const { ada: owner, bob, calendar } = await sharedWith(h, 'read')
    expect(owner.row.id).not.toBe(bob.row.id)
    const member = await phoneOf(h, bob)
    for (const [who, href] of [
      [reader, `${path}x.ics`],
      [member, `${member.home}calendar-${calendar.id}/x.ics`],
    ] as const) {
      const refused = await put(who, href, lines('x'))
      expect(refused.status).toBe(403)
      only(refused.xml, dav('need-privileges'))
    }
  })

  test('by a writing member is seen by the owner, and can be undone', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const phone = await phoneOf(h, bob)
    const href = `${phone.home}calendar-${calendar.id}/x.ics`
    expect((await put(phone, href, lines('x'))).status).toBe(201)
    const events = async () => (await ada.request('GET', `/api/calendars/${calendar.id}/events`)).body.events
    expect(await events()).toHaveLength(1)
    const [operation] = (await bob.request('GET', '/api/operations')).body.operations
    expect((await bob.request('POST', `/api/operations/${operation.id}/undo`)).status).toBe(200)
    expect(await events()).toEqual([])
    expect((await phone.send('GET', href)).status).toBe(404)
  })
})

test('an event that JSON moves keeps its name where that is free, and is called otherwise where it is taken', async () => {
  const { ada, phone, path } = await start()
  const other = (await ada.request('POST', '/api/calendars', { body: { name: 'Other' } })).body.id
  const there = `${phone.home}calendar-${other}/`
  await put(phone, `${path}same.ics`, lines('one'))
  await put(phone, `${there}same.ics`, lines('two'))
  const [event] = (await ada.list('2026-03-01', '2026-04-01')).filter(
    (one: { calendar_id: number }) => one.calendar_id !== other,
  )
  expect(
    (await ada.request('PUT', `/api/events/${event?.id}`, { body: { calendar_id: other } })).status,
  ).toBe(200)
  const { responses } = await phone.propfind(there, ['d:getetag'], '1')
  expect([...responses.keys()].filter((href) => href !== there).toSorted()).toEqual([
    `${there}one.ics`,
    `${there}same.ics`,
  ])
  expect((await phone.send('GET', `${there}one.ics`)).text).toContain('UID:one')
})

describe('a private event in a shared calendar', () => {
  test('shows members Busy, its times and nothing else, under a name that says nothing', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const [own, member] = [await phoneOf(h, ada), await phoneOf(h, bob)]
    const path = (phone: Phone) => `${phone.home}calendar-${calendar.id}/`
    await put(own, `${path(own)}dentist.ics`, lines('dentist@phone', 'Dentist', ['CLASS:PRIVATE']))
    const { responses } = await member.propfind(path(member), ['d:getetag'], '1')
    const [, href = ''] = [...responses.keys()]
    expect(href).toMatch(/\/private-\d+\.ics$/)
    const { responses: read } = await member.report(path(member), multigetOf([href]))
    const text = read.get(href)?.found.get(caldav('calendar-data'))?.text ?? ''
    expect(text).toContain('SUMMARY:Busy')
    expect(text).toContain('20260310T1')
    expect(text).not.toMatch(/dentist|geo|bob@|VALARM/i)
    expect((await member.send('GET', `${path(member)}dentist.ics`)).status).toBe(404)
    for (const uid of ['dentist@phone', `private-${/(\d+)\.ics$/.exec(href)?.[1]}`, 'other'])
      expect([uid, (await put(member, href, lines(uid))).status]).toEqual([uid, 403])
    expect((await put(member, `${path(member)}guess.ics`, lines('dentist@phone'))).status).toBe(403)
    for (const name of ['dentist.ics', 'private-1.ics'])
      expect([name, (await put(member, path(member) + name, lines('mine'))).status]).toEqual([name, 403])
    expect((await member.send('DELETE', href)).status).toBe(403)
    expect((await own.send('GET', `${path(own)}dentist.ics`)).text).toContain('CLASS:PRIVATE')
  })

  test('has no alarms for members who only read', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'read')
    const [own, member] = [await phoneOf(h, ada), await phoneOf(h, bob)]
    await put(own, `${own.home}calendar-${calendar.id}/a.ics`, lines('a'))
    const { text } = await member.send('GET', `${member.home}calendar-${calendar.id}/a.ics`)
    expect(text).toContain('SUMMARY:Lunch')
    expect(text).not.toContain('VALARM')
  })
})
