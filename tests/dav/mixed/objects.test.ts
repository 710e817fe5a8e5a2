import { describe, expect, test } from 'bun:test'
import { textOfChild } from '../../../src/lib/xml/element'
import { caldav, dav } from '../../../src/lib/xml/names'
import { type DavAnswer, multigetOf, type Phone, phoneOf, PREFIXES } from '../../support/dav'
import { exportOf, importInto } from '../../support/calendar-files'
import { invitedTo } from '../../support/inviting'
import { eventText, listed, makeMixed, mixedOwner, put, todoText } from '../../support/mixed'
import { did, undone } from '../../support/undoing'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const filled = async () => {
  const own = await mixedOwner(h)
  await put(own.phone, `${own.path}e.ics`, eventText('e'))
  await put(own.phone, `${own.path}t.ics`, todoText('t'))
  return own
}

/** The precondition of a refusal, and the address in it. */
const refusal = ({ status, xml }: DavAnswer) => {
  const [first] = xml.children
  return [status, first?.name, first && textOfChild(first, dav('href'))]
}

const move = (phone: Phone, from: string, destination: string, headers: Record<string, string> = {}) =>
  phone.send('MOVE', from, { headers: { destination, ...headers } })

const queryOf = (filter: string) =>
  `<c:calendar-query ${PREFIXES}><d:prop><d:getetag/><c:calendar-data/></d:prop><c:filter><c:comp-filter name="VCALENDAR">${filter}</c:comp-filter></c:filter></c:calendar-query>`

const UID_CONFLICT = caldav('no-uid-conflict')

describe('PUT into a mixed collection', () => {
  test('makes an event of the calendar of a VEVENT, and a todo of the list of a VTODO, kept byte for byte', async () => {
    const { ada, phone, path, calendarId, listId } = await mixedOwner(h)
    const [event, todo] = [eventText('e'), todoText('t')]
    const answers = [await put(phone, `${path}e.ics`, event), await put(phone, `${path}t.ics`, todo)]
    expect(answers.map(({ status }) => status)).toEqual([201, 201])
    expect((await phone.send('GET', `${path}e.ics`)).text).toBe(event)
    const told = await phone.send('GET', `${path}t.ics`)
    expect([told.text, told.headers.get('etag')]).toEqual([todo, answers[1]?.headers.get('etag') ?? ''])
    const { events } = (await ada.request('GET', '/api/events?from=2026-03-10&to=2026-03-11')).body
    expect(events).toMatchObject([{ title: 'Lunch', calendar_id: calendarId }])
    const { todos } = (await ada.request('GET', `/api/todos?list_id=${listId}`)).body
    expect(todos).toMatchObject([{ title: 'Milk' }])
    expect((await put(phone, `${path}t.ics`, todoText('t', 'Bread'))).status).toBe(204)
    expect((await put(phone, `${path}e.ics`, eventText('e', 'Dinner'))).status).toBe(204)
    const exported = await exportOf(ada, calendarId)
    expect(exported).toContain('SUMMARY:Dinner')
    expect(exported).not.toContain('VTODO')
  })

  test('refuses any other component, and what is no object', async () => {
    const { phone, path } = await mixedOwner(h)
    expect(
      refusal(await put(phone, `${path}j.ics`, eventText('j').replaceAll('VEVENT', 'VJOURNAL'))),
    ).toEqual([403, caldav('supported-calendar-component'), undefined])
    expect(refusal(await put(phone, `${path}x.ics`, 'no calendar'))).toEqual([
      403,
      caldav('valid-calendar-data'),
      undefined,
    ])
    const both = eventText('b').replace('END:VCALENDAR', 'BEGIN:VTODO\r\nUID:b\r\nEND:VTODO\r\nEND:VCALENDAR')
    expect(refusal(await put(phone, `${path}b.ics`, both))).toEqual([
      403,
      caldav('valid-calendar-object-resource'),
      undefined,
    ])
  })

  test('refuses a UID or a name that an object of the other kind has, with its address', async () => {
    const { phone, path } = await filled()
    for (const [name, text, other] of [
      ['n.ics', eventText('t'), 't.ics'],
      ['n.ics', todoText('e'), 'e.ics'],
      ['t.ics', eventText('n'), 't.ics'],
      ['e.ics', todoText('n'), 'e.ics'],
      ['t.ics', eventText('t'), 't.ics'],
    ] as const)
      expect([name, refusal(await put(phone, path + name, text))]).toEqual([
        name,
        [409, UID_CONFLICT, path + other],
      ])
    for (const [name, text] of [
      ['t.ics', eventText('n')],
      ['e.ics', todoText('n')],
    ] as const)
      expect((await put(phone, path + name, text, { 'if-none-match': '*' })).status).toBe(412)
    expect((await put(phone, `${path}inv-1.ics`, todoText('n'))).status).toBe(403)
    expect(await listed(phone, path)).toEqual({ 'e.ics': 'VEVENT', 't.ics': 'VTODO' })
  })

  test('of ten at once under one name, with a UID of events and todos, makes one object', async () => {
    const { phone, path } = await mixedOwner(h)
    for (const [name, uid] of [
      ['same', (n: number) => `u${n}`],
      ['other', () => 'same'],
    ] as const) {
      const answers = await Promise.all(
        Array.from({ length: 10 }, (_, n) =>
          put(
            phone,
            `${path}${name}${name === 'same' ? '' : n}.ics`,
            (n % 2 ? eventText : todoText)(uid(n), `Write ${n}`),
            { 'if-none-match': '*' },
          ),
        ),
      )
      expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    }
    expect(Object.keys(await listed(phone, path))).toHaveLength(2)
  })

  test('by POST adds either kind under a name of the service', async () => {
    const { phone, path } = await mixedOwner(h)
    for (const body of [eventText('e'), todoText('t')]) {
      const { status, headers } = await phone.send('POST', path, { body })
      expect([status, (await phone.send('GET', headers.get('location') ?? '')).text]).toEqual([201, body])
    }
    expect(Object.values(await listed(phone, path)).toSorted()).toEqual(['VEVENT', 'VTODO'])
  })
})

describe('reports of a mixed collection', () => {
  test('find objects of the kind that a query asks for, or of both', async () => {
    const { phone, path } = await filled()
    const found = async (filter: string) =>
      [...(await phone.report(path, queryOf(filter), { depth: '1' })).responses].map(
        ([href, { found: properties }]) => [
          href.slice(path.length),
          /BEGIN:(V(?:EVENT|TODO))/.exec(properties.get(caldav('calendar-data'))?.text ?? '')?.[1],
        ],
      )
    const [event, todo] = [
      ['e.ics', 'VEVENT'],
      ['t.ics', 'VTODO'],
    ]
    const range = (day: number) =>
      `<c:time-range start="202603${day}T000000Z" end="202603${day + 1}T000000Z"/>`
    expect(await found('<c:comp-filter name="VEVENT"/>')).toEqual([event])
    expect(await found('<c:comp-filter name="VTODO"/>')).toEqual([todo])
    expect(await found('')).toEqual([event, todo])
    expect(await found(`<c:comp-filter name="VEVENT">${range(10)}</c:comp-filter>`)).toEqual([event])
    expect(await found(`<c:comp-filter name="VTODO">${range(10)}</c:comp-filter>`)).toEqual([todo])
    expect(await found(`<c:comp-filter name="VTODO">${range(20)}</c:comp-filter>`)).toEqual([])
    expect(await found('<c:comp-filter name="VJOURNAL"/>')).toEqual([])
  })

  test('give the objects of both kinds that a multiget names, and 404 for others', async () => {
    const { phone, path } = await filled()
    const names = ['t.ics', 'none.ics', 'e.ics']
    const { responses } = await phone.report(path, multigetOf(names.map((name) => path + name)))
    const told = names.map((name) => {
      const { status, found } = responses.get(path + name) ?? {}
      return status ?? found?.get(caldav('calendar-data'))?.text
    })
    expect(told).toEqual([todoText('t'), 'HTTP/1.1 404 Not Found', eventText('e')])
  })

  test('tell of todos nothing in free-busy', async () => {
    const { phone, path } = await filled()
    const body = `<c:free-busy-query ${PREFIXES}><c:time-range start="20260310T000000Z" end="20260311T000000Z"/></c:free-busy-query>`
    const { text } = await phone.report(path, body)
    expect(text.match(/^FREEBUSY:.*Z/gm)).toEqual(['FREEBUSY:20260310T110000Z/20260310T120000Z'])
  })
})

describe('MOVE, COPY and DELETE', () => {
  test('take an object of either kind out of a mixed collection and into one, and keep it the same', async () => {
    const { ada, phone, path } = await filled()
    const { calendars } = (await ada.request('GET', '/api/calendars')).body
    const personal = calendars.find(({ name }: { readonly name: string }) => name === 'Personal').id
    const other = await makeMixed(phone, 'second')
    const trips = [
      ['e.ics', `${phone.home}calendar-${personal}/`],
      ['t.ics', `${phone.home}todos/`],
    ] as const
    for (const [name, pure] of trips) {
      expect((await move(phone, path + name, pure + name)).status).toBe(201)
      expect((await move(phone, pure + name, `${other}moved-${name}`)).status).toBe(201)
      expect((await phone.send('COPY', `${other}moved-${name}`, { headers: { destination: path + name } })).status).toBe(201) // prettier-ignore
    }
    expect(await listed(phone, path)).toEqual({ 'e.ics': 'VEVENT', 't.ics': 'VTODO' })
    expect(await listed(phone, other)).toEqual({ 'moved-e.ics': 'VEVENT', 'moved-t.ics': 'VTODO' })
    expect((await phone.send('GET', `${other}moved-t.ics`)).text).toBe(todoText('t'))
    const wrong = await move(phone, `${path}t.ics`, `${phone.home}calendar-${personal}/t.ics`)
    expect(refusal(wrong)).toEqual([403, caldav('supported-calendar-component'), undefined])
  })

  test('are refused where an object of the other kind has the name or the UID', async () => {
    const { phone, path } = await filled()
    const other = await makeMixed(phone, 'second')
    await put(phone, `${other}e.ics`, todoText('u'))
    await put(phone, `${other}x.ics`, eventText('t'))
    expect(refusal(await move(phone, `${path}e.ics`, `${other}e.ics`))).toEqual([409, UID_CONFLICT, `${other}e.ics`]) // prettier-ignore
    expect((await move(phone, `${path}e.ics`, `${other}e.ics`, { overwrite: 'F' })).status).toBe(412)
    expect(refusal(await move(phone, `${path}t.ics`, `${other}y.ics`))).toEqual([409, UID_CONFLICT, `${other}x.ics`]) // prettier-ignore
    expect(refusal(await move(phone, `${path}e.ics`, `${path}t.ics`))).toEqual([409, UID_CONFLICT, `${path}t.ics`]) // prettier-ignore
    expect(await listed(phone, path)).toEqual({ 'e.ics': 'VEVENT', 't.ics': 'VTODO' })
  })

  test('of an object take it to the trash, from which it comes back', async () => {
    const { ada, phone, path } = await filled()
    for (const name of ['e.ics', 't.ics']) {
      expect((await phone.send('DELETE', path + name)).status).toBe(204)
      expect((await phone.send('GET', path + name)).status).toBe(404)
      const [{ id }] = (await ada.request('GET', '/api/operations')).body.operations
      await undone(ada, id)
    }
    expect(await listed(phone, path)).toEqual({ 'e.ics': 'VEVENT', 't.ics': 'VTODO' })
  })
})

test('an invitation that the calendar shows is an object beside the todos', async () => {
  const times = { start_at: '2026-03-10T12:00:00', end_at: '2026-03-10T13:00:00' }
  const { bob, invitation } = await invitedTo(h, { title: 'Lunch', ...times })
  const phone = await phoneOf(h, bob)
  const path = await makeMixed(phone)
  const { calendars } = (await bob.request('GET', '/api/calendars')).body
  await bob.display(invitation.id, calendars.find(({ name }: { name: string }) => name === 'Home').id)
  await put(phone, `${path}t.ics`, todoText('t'))
  const name = `inv-${invitation.id}.ics`
  expect(await listed(phone, path)).toEqual({ [name]: 'VEVENT', 't.ics': 'VTODO' })
  const [, uid = ''] = /^UID:(.*)\r$/m.exec((await phone.send('GET', path + name)).text) ?? []
  expect(refusal(await put(phone, `${path}n.ics`, todoText(uid)))).toEqual([409, UID_CONFLICT, path + name])
})

describe('what comes in by JSON where an object of the other kind has its UID and name', () => {
  const clash = async () => {
    const own = await mixedOwner(h)
    const { ada, phone, path } = own
    const { calendars } = (await ada.request('GET', '/api/calendars')).body
    const personal: number = calendars.find(({ name }: { readonly name: string }) => name === 'Personal').id
    return { ...own, personal, at: (slug: string, name: string) => `${phone.home}${slug}/${name}`, ada, path }
  }
  const idOfTodo = async ({ ada }: Pick<Awaited<ReturnType<typeof clash>>, 'ada'>) =>
    (await ada.request('GET', '/api/todos')).body.todos[0].id

  test('gives the todo another where the todo comes', async () => {
    const own = await clash()
    const { ada, phone, path, listId, at } = own
    await put(phone, `${path}same.ics`, eventText('same'))
    await put(phone, at('todos', 'same.ics'), todoText('same'))
    await did(ada, `PUT /api/todos/${await idOfTodo(own)}`, { list_id: listId })
    const names = await listed(phone, path)
    expect(names['same.ics']).toBe('VEVENT')
    const [other = ''] = Object.keys(names).filter((name) => name !== 'same.ics')
    expect(names[other]).toBe('VTODO')
    expect((await phone.send('GET', path + other)).text).not.toContain('UID:same\r\n')
  })

  test('gives the todo another where the event comes, and back when that is undone', async () => {
    const own = await clash()
    const { ada, phone, path, calendarId, personal, at } = own
    await put(phone, `${path}same.ics`, todoText('same'))
    await put(phone, at(`calendar-${personal}`, 'same.ics'), eventText('same'))
    const { events } = (await ada.request('GET', '/api/events?from=2026-03-10&to=2026-03-11')).body
    const { operation } = await did(ada, `PUT /api/events/${events[0].id}`, { calendar_id: calendarId })
    const names = await listed(phone, path)
    expect(Object.values(names).toSorted()).toEqual(['VEVENT', 'VTODO'])
    const [todo = ''] = Object.entries(names).flatMap(([name, kind]) => (kind === 'VTODO' ? name : []))
    expect(todo).not.toBe('same.ics')
    expect((await phone.send('GET', path + todo)).text).not.toContain('UID:same\r\n')
    await undone(ada, operation)
    expect(await listed(phone, path)).toEqual({ 'same.ics': 'VTODO' })
    expect((await phone.send('GET', `${path}same.ics`)).text).toContain('UID:same\r\n')
  })

  test('lets an import bring an event whose UID a todo has', async () => {
    const { ada, phone, path, calendarId } = await clash()
    await put(phone, `${path}same.ics`, todoText('same'))
    expect((await importInto(ada, calendarId, eventText('same'))).status).toBe(200)
    const names = await listed(phone, path)
    expect(Object.entries(names)).toHaveLength(2)
    expect(names['same.ics']).toBe('VEVENT')
  })
})
