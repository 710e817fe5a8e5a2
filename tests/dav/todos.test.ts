import { describe, expect, test } from 'bun:test'
import { textOfChild } from '../../src/lib/xml/element'
import { caldav, dav } from '../../src/lib/xml/names'
import { phoneOf, PREFIXES, syncOf } from '../support/dav'
import { organiser } from '../support/events'
import { putText, todoLines, todoText, withoutStamps } from '../support/todo-objects'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const list = async () => (await ada.request('GET', '/api/todos')).body.todos
  return { ada, phone, list, path: `${phone.home}todos/` }
}

describe('PUT', () => {
  test('keeps the text byte for byte under the name that the client chose, and JSON shows the todo', async () => {
    const { phone, list, path } = await start()
    const text = todoText(
      todoLines(
        'one@phone',
        'DESCRIPTION:Two lines\\nof text',
        'DUE;TZID=America/New_York:20260310T060000',
        'PRIORITY:3',
        'CATEGORIES:Home\\, garden,Other',
      ),
    )
    const made = await putText(phone, `${path}one.ics`, text, { 'if-none-match': '*' })
    expect([made.status, made.text]).toEqual([201, ''])
    const read = await phone.send('GET', `${path}one.ics`)
    expect([read.text, read.headers.get('etag')]).toEqual([text, made.headers.get('etag')])
    expect(read.headers.get('content-type')).toBe('text/calendar; charset=utf-8; component=VTODO')
    const [todo, ...others] = await list()
    expect(others).toEqual([])
    expect(todo).toMatchObject({
      title: 'Water the plants',
      description: 'Two lines\nof text',
      due_date: '2026-03-10',
      due_time: '11:00',
      priority: 'high',
      category: 'Home, garden',
      completed: false,
      recurrence: null,
      recurrence_unsupported: false,
    })
    expect(made.headers.get('etag')).toBe(`"${todo.id}-${todo.version}"`)
  })

  test('replaces a todo, and a change in JSON rewrites only the lines that it means', async () => {
    const { ada, phone, list, path } = await start()
    const lines = ['DUE;TZID=America/New_York:20260310T060000', 'CATEGORIES:Home,Other']
    await putText(phone, `${path}one.ics`, todoText(todoLines('one@phone', ...lines)))
    const text = todoText(todoLines('one@phone', ...lines, 'PRIORITY:5'))
    const replaced = await putText(phone, `${path}one.ics`, text)
    expect(replaced.status).toBe(204)
    const [{ id }] = await list()
    await ada.request('PUT', `/api/todos/${id}`, {
      body: { title: 'Feed, then water', due_time: '12:30', category: 'Garden', completed: true },
    })
    const { text: now, headers } = await phone.send('GET', `${path}one.ics`)
    expect(headers.get('etag')).not.toBe(replaced.headers.get('etag'))
    const [{ completed_at }] = await list()
    const at = `${new Date(completed_at).toISOString().replaceAll(/[-:]|\.\d+Z/g, '')}Z`
    expect(withoutStamps(now).split('\r\n')).toEqual(
      withoutStamps(
        text
          .replace('Water the plants', 'Feed\\, then water')
          .replace('T060000', 'T073000')
          .replace('CATEGORIES:Home,', 'CATEGORIES:Garden,')
          .replace(
            'BEGIN:VALARM',
            `STATUS:COMPLETED\r\nCOMPLETED:${at}\r\nPERCENT-COMPLETE:100\r\nBEGIN:VALARM`,
          ),
      ).split('\r\n'),
    )
    expect(now).toContain('SEQUENCE:1\r\n')
  })
})

describe('texts that JSON cannot say', () => {
  test('are kept, and JSON shows what it can', async () => {
    const { ada, phone, list, path } = await start()
    const rule = ['DUE;VALUE=DATE:20260310', 'RRULE:FREQ=WEEKLY;INTERVAL=2']
    const text = todoText([
      ...todoLines('long@phone', ...rule).filter((line) => !line.startsWith('SUMMARY')),
      `SUMMARY:${'Long '.repeat(100)}`,
    ])
    expect((await putText(phone, `${path}long.ics`, text)).status).toBe(201)
    const [todo] = await list()
    expect(todo.title).toBe(`${'Long '.repeat(40).slice(0, 199)}…`)
    expect(todo).toMatchObject({ due_date: '2026-03-10', recurrence: null, recurrence_unsupported: true })
    const moved = await ada.request('PUT', `/api/todos/${todo.id}`, { body: { due_date: '2026-03-11' } })
    expect([moved.status, moved.body.detail]).toEqual([409, 'Change this in the program that made it'])
    await ada.request('PUT', `/api/todos/${todo.id}`, { body: { description: 'Words may be changed' } })
    const { text: now } = await phone.send('GET', `${path}long.ics`)
    const unfolded = now.replaceAll('\r\n ', '')
    expect(withoutStamps(unfolded)).toBe(
      withoutStamps(text).replace('BEGIN:VALARM', 'DESCRIPTION:Words may be changed\r\nBEGIN:VALARM'),
    )
  })

  test.each([
    ['nothing but a UID', ['UID:x@phone'], { title: '(no title)', due_date: null, completed: false }],
    ['a cancelled one', ['UID:x@phone', 'STATUS:CANCELLED'], { completed: true }],
    ['one in process', ['UID:x@phone', 'STATUS:IN-PROCESS', 'PERCENT-COMPLETE:40'], { completed: false }],
    ['a time that is none', ['UID:x@phone', 'DUE:tomorrow'], { due_date: null }],
    [
      'a start and a length',
      ['UID:x@phone', 'DTSTART:20260310T080000', 'DURATION:PT90M'],
      { due_time: '09:30' },
    ],
    ['a priority of its own', ['UID:x@phone', 'PRIORITY:7'], { priority: 'low' }],
    [
      'an occurrence alone',
      ['UID:x@phone', 'RECURRENCE-ID:20260310T080000', 'DUE:20260310T080000'],
      { due_time: '08:00' },
    ],
    [
      'a rule that names its day',
      ['UID:x@phone', 'DUE:20260310T080000', 'RRULE:FREQ=WEEKLY;BYDAY=TU'],
      { recurrence: 'weekly' },
    ],
    [
      'a rule that names another day',
      ['UID:x@phone', 'DUE:20260310T080000', 'RRULE:FREQ=WEEKLY;BYDAY=FR'],
      { recurrence_unsupported: true },
    ],
  ])('take %s', async (_, lines, shown) => {
    const { phone, list, path } = await start()
    const text = todoText(lines)
    expect((await putText(phone, `${path}x.ics`, text)).status).toBe(201)
    expect(await list()).toMatchObject([shown])
    expect((await phone.send('GET', `${path}x.ics`)).text).toBe(text)
  })
})

describe('a list', () => {
  const EVENT = todoText(['UID:e@phone', 'DTSTART:20260310T080000']).replaceAll('VTODO', 'VEVENT')

  test('takes todos only, and calendars take none', async () => {
    const { phone, path } = await start()
    const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
    const calendar = [...responses.keys()].find((one) => one.includes('calendar-')) ?? ''
    const event = await putText(phone, `${path}e.ics`, EVENT)
    const todo = await putText(phone, `${calendar}x.ics`, todoText(['UID:x@phone']))
    for (const { status, xml } of [event, todo]) {
      expect(status).toBe(403)
      expect(xml.children.map(({ name }) => name)).toEqual([caldav('supported-calendar-component')])
    }
  })

  test.each(['MKCALENDAR', 'MKCOL'])(
    'is made by %s, renamed, recoloured and deleted as JSON does',
    async (method) => {
      const { ada, phone } = await start()
      const path = `${phone.home}Shopping%20list/`
      const set = `<c:supported-calendar-component-set><c:comp name="VTODO"/></c:supported-calendar-component-set><d:displayname>Shopping</d:displayname><a:calendar-color>#ff0000ff</a:calendar-color>${
        method === 'MKCOL' ? '<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>' : ''
      }`
      const root = method === 'MKCOL' ? 'd:mkcol' : 'c:mkcalendar'
      const body = `<${root} ${PREFIXES}><d:set><d:prop>${set}</d:prop></d:set></${root}>`
      expect((await phone.send(method, path, { body })).status).toBe(201)
      const lists = async () => (await ada.request('GET', '/api/todo-lists')).body.todo_lists
      expect(await lists()).toMatchObject([{ name: 'Todos' }, { name: 'Shopping', color: '#ff0000' }])
      expect((await putText(phone, `${path}milk.ics`, todoText(['UID:milk', 'SUMMARY:Milk']))).status).toBe(
        201,
      )
      const [, { id }] = await lists()
      expect((await ada.request('GET', `/api/todos?list_id=${id}`)).body.todos).toMatchObject([
        { title: 'Milk' },
      ])
      const update = `<d:propertyupdate ${PREFIXES}><d:set><d:prop><d:displayname>Todos</d:displayname><a:calendar-color>#00ff00</a:calendar-color><a:calendar-order>3</a:calendar-order></d:prop></d:set></d:propertyupdate>`
      expect((await phone.send('PROPPATCH', path, { body: update })).text).toContain('HTTP/1.1 200 OK')
      expect(await lists()).toMatchObject([{ name: 'Todos' }, { name: 'Todos (2)', color: '#00ff00' }])
      const { responses } = await phone.propfind(path, ['d:displayname', 'a:calendar-order'])
      expect([...(responses.get(path)?.found.values() ?? [])].map(({ text }) => text)).toEqual(['Todos', '3'])
      expect((await phone.send('DELETE', path)).status).toBe(204)
      expect(await lists()).toMatchObject([{ name: 'Todos' }])
      expect((await phone.send('GET', `${path}milk.ics`)).status).toBe(404)
    },
  )

  test('that is the default one, and the reminders, cannot be deleted', async () => {
    const { phone, path } = await start()
    expect((await phone.send('DELETE', path)).status).toBe(403)
    expect((await phone.send('DELETE', `${phone.home}reminders/`)).status).toBe(403)
  })

  test('is there only for app passwords with a scope of tasks, and only read with that to read', async () => {
    const { ada, path, phone } = await start()
    await putText(phone, `${path}x.ics`, todoText(['UID:x@phone']))
    const other = await phoneOf(h, ada, ['dav', 'calendars:write'])
    expect((await other.propfind(path, ['d:displayname'])).status).toBe(404)
    const reader = await phoneOf(h, ada, ['dav', 'tasks:read'])
    const { responses } = await reader.propfind(reader.home, ['d:displayname'], '1')
    expect([...responses.keys()]).toEqual([reader.home, path, `${reader.home}reminders/`])
    expect((await reader.send('GET', `${path}x.ics`)).status).toBe(200)
    const refused = await Promise.all([
      putText(reader, `${path}x.ics`, todoText(['UID:x@phone', 'SUMMARY:Other'])),
      reader.send('DELETE', `${path}x.ics`),
    ])
    for (const { status, xml } of refused) {
      expect(status).toBe(403)
      expect(xml.children.map(({ name }) => name)).toEqual([dav('need-privileges')])
    }
  })

  test('tells a client what changed: todos that came, changed, moved to another list and went', async () => {
    const { ada, phone, list, path } = await start()
    const other = (await ada.request('POST', '/api/todo-lists', { body: { name: 'Other' } })).body.id
    for (const uid of ['a', 'b', 'c', 'd'])
      await putText(phone, `${path}${uid}.ics`, todoText([`UID:${uid}@phone`]))
    const follow = async (at: string, token: string) => {
      const { status, responses, xml } = await phone.report(at, syncOf(token))
      expect(status).toBe(207)
      const names = [...responses].map(([href, { status: gone }]) =>
        `${href.slice(at.length)} ${gone ?? ''}`.trim(),
      )
      return { names: names.toSorted(), token: textOfChild(xml, dav('sync-token')) ?? '' }
    }
    const first = await follow(path, '')
    expect(first.token).toMatch(/^https:\/\/organiser\.invalid\/ns\/sync\/list-\d+\/[\w-]+\/\d+$/)
    expect(first.names).toEqual(['a.ics', 'b.ics', 'c.ics', 'd.ics'])
    const [a, b, c] = await list()
    await ada.request('DELETE', `/api/todos/${a.id}`)
    await ada.request('PUT', `/api/todos/${b.id}`, { body: { list_id: other } })
    await ada.request('PUT', `/api/todos/${c.id}`, { body: { title: 'Changed' } })
    await phone.send('DELETE', `${path}d.ics`)
    const { id } = (await ada.request('POST', '/api/todos', { body: { title: 'New' } })).body
    await ada.request('POST', '/api/reminders', { body: { title: 'Elsewhere' } })
    const later = await follow(path, first.token)
    const made = later.names.find((name) => name.startsWith('todo-'))
    expect(made).toMatch(new RegExp(`^todo-${id}-\\d+@organiser\\.invalid\\.ics$`))
    const NOT_FOUND = 'HTTP/1.1 404 Not Found'
    expect(later.names).toEqual([
      `a.ics ${NOT_FOUND}`,
      `b.ics ${NOT_FOUND}`,
      'c.ics',
      `d.ics ${NOT_FOUND}`,
      made ?? '',
    ])
    expect((await follow(path, later.token)).names).toEqual([])
    expect((await follow(`${phone.home}list-${other}/`, '')).names).toEqual(['b.ics'])
  })

  test('has one todo of a UID, and refuses another with the address of that', async () => {
    const { ada, phone, list, path } = await start()
    await ada.request('POST', '/api/todos', { body: { title: 'Own' } })
    const { responses } = await phone.propfind(path, ['d:getetag'], '1')
    const own = [...responses.keys()].find((href) => href !== path) ?? ''
    const text = (await phone.send('GET', own)).text
    const refused = await putText(phone, `${path}other.ics`, text)
    expect([refused.status, refused.text.includes('no-uid-conflict'), refused.text.includes(own)]).toEqual([
      409,
      true,
      true,
    ])
    expect((await putText(phone, own, text.replace('SUMMARY:Own', 'SUMMARY:Changed'))).status).toBe(204)
    expect(await list()).toMatchObject([{ title: 'Changed' }])
    expect((await phone.send('GET', own)).text).toBe(text.replace('SUMMARY:Own', 'SUMMARY:Changed'))
  })

  test('of which a todo goes where its UID and name are taken gives it others', async () => {
    const { ada, phone, list, path } = await start()
    const other = (await ada.request('POST', '/api/todo-lists', { body: { name: 'Other' } })).body.id
    const there = `${phone.home}list-${other}/`
    await putText(phone, `${path}x.ics`, todoText(['UID:x@phone', 'SUMMARY:Here']))
    await putText(phone, `${there}x.ics`, todoText(['UID:x@phone', 'SUMMARY:There']))
    const [{ id }] = await list()
    expect((await ada.request('PUT', `/api/todos/${id}`, { body: { list_id: other } })).status).toBe(200)
    const { responses } = await phone.propfind(there, ['d:getetag'], '1')
    const moved = [...responses.keys()].find((href) => href.includes(`todo-${id}-`)) ?? ''
    expect((await phone.send('GET', moved)).text).toContain(`UID:todo-${id}-`)
    expect((await phone.send('GET', `${there}x.ics`)).text).toContain('SUMMARY:There')
  })

  test('gives a todo away by MOVE, which stays the same one with its text', async () => {
    const { ada, phone, list, path } = await start()
    const other = (await ada.request('POST', '/api/todo-lists', { body: { name: 'Other' } })).body.id
    const text = todoText(todoLines('x@phone'))
    await putText(phone, `${path}x.ics`, text)
    const [{ id }] = await list()
    const there = `${phone.home}list-${other}/y.ics`
    expect((await phone.send('MOVE', `${path}x.ics`, { headers: { destination: there } })).status).toBe(201)
    expect(await list()).toMatchObject([{ id, list_id: other }])
    expect((await phone.send('GET', there)).text).toBe(text)
    expect((await phone.send('GET', `${path}x.ics`)).status).toBe(404)
    expect((await phone.send('COPY', there, { headers: { destination: `${path}x.ics` } })).status).toBe(201)
    expect(await list()).toMatchObject([{ id }, { title: 'Water the plants' }])
  })

  test('brings back a deleted todo with its text', async () => {
    const { ada, phone, path } = await start()
    const text = todoText(todoLines('x@phone', 'X-KEPT:yes'))
    await putText(phone, `${path}x.ics`, text)
    await phone.send('DELETE', `${path}x.ics`)
    const [entry] = (await ada.request('GET', '/api/trash')).body.items
    expect((await ada.request('POST', `/api/trash/${entry.id}/restore`)).status).toBe(200)
    expect((await phone.send('GET', `${path}x.ics`)).text).toBe(text)
  })
})

describe('calendar-query', () => {
  test('finds todos in a range by their times, and those without times always', async () => {
    const { phone, path } = await start()
    await putText(phone, `${path}in.ics`, todoText(['UID:in', 'DUE:20260310T080000']))
    await putText(phone, `${path}out.ics`, todoText(['UID:out', 'DUE:20260410T080000']))
    await putText(phone, `${path}never.ics`, todoText(['UID:never']))
    const body = `<c:calendar-query ${PREFIXES}><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VTODO"><c:time-range start="20260309T000000Z" end="20260312T000000Z"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`
    const { responses } = await phone.report(path, body, { depth: '1' })
    expect([...responses.keys()].toSorted()).toEqual([`${path}in.ics`, `${path}never.ics`])
  })
})
