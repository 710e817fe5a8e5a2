import { describe, expect, test } from 'bun:test'
import { childOf } from '../../../src/lib/xml/element'
import { caldav, dav } from '../../../src/lib/xml/names'
import { type Phone, phoneOf } from '../../support/dav'
import { organiser } from '../../support/events'
import {
  type Asker,
  calendarsOf,
  componentsOf,
  eventText,
  listed,
  listsOf,
  mixedBody,
  mixedOwner,
  namesOf,
  proppatch,
  put,
  todoText,
} from '../../support/mixed'
import { undone } from '../../support/undoing'
import { useHarness } from '../../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const todosIn = async (actor: Asker, listId: number) =>
  (await actor.request('GET', `/api/todos?list_id=${listId}`)).body.todos
const trashOf = async (actor: Asker) => (await actor.request('GET', '/api/trash')).body.items
const lastOf = async (actor: Asker): Promise<string> =>
  (await actor.request('GET', '/api/operations')).body.operations[0].id

const textsAt = async (phone: Phone, path: string, names: readonly string[]) => {
  const { responses } = await phone.propfind(path, names)
  return [...(responses.get(path)?.found.values() ?? [])].map(({ text }) => text)
}

describe('a mixed collection', () => {
  test.each(['MKCALENDAR', 'MKCOL'])('that %s makes is a calendar and a list in JSON', async (method) => {
    const ada = await organiser(h)
    const phone = await phoneOf(h, ada)
    const path = `${phone.home}Mixed%20one/`
    const properties = `<d:displayname>Home</d:displayname><a:calendar-color>#FF0000FF</a:calendar-color><a:calendar-order>7</a:calendar-order>`
    const body =
      method === 'MKCALENDAR'
        ? mixedBody(properties)
        : mixedBody(`${properties}<d:resourcetype><d:collection/><c:calendar/></d:resourcetype>`, 'd:mkcol')
    expect((await phone.send(method, path, { body })).status).toBe(201)
    expect(await calendarsOf(ada)).toContainEqual(
      expect.objectContaining({ name: 'Home', color: '#ff0000', access: 'owner' }),
    )
    expect(await listsOf(ada)).toMatchObject([{ name: 'Todos' }, { name: 'Home', color: '#ff0000' }])
    const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
    expect([...responses.values()].map(({ found }) => found.get(dav('displayname'))?.text)).toEqual([
      'Calendars',
      'Personal',
      'Birthdays',
      'Home',
      'Todos',
      'Reminders',
    ])
    expect(await componentsOf(phone, path)).toEqual(['VEVENT', 'VTODO'])
    expect(await textsAt(phone, path, ['d:displayname', 'a:calendar-color', 'a:calendar-order'])).toEqual([
      'Home',
      '#FF0000FF',
      '7',
    ])
  })

  test('may be made, as its home says', async () => {
    const phone = await phoneOf(h, await organiser(h))
    const { responses } = await phone.propfind(phone.home, ['c:supported-calendar-component-sets'])
    const sets = responses.get(phone.home)?.found.get(caldav('supported-calendar-component-sets'))
    expect(
      sets?.children.map(({ children }) => children.map(({ attributes }) => attributes.get('name'))),
    ).toEqual([['VEVENT'], ['VTODO'], ['VEVENT', 'VTODO']])
  })

  test('is made whole or not at all', async () => {
    const ada = await organiser(h)
    const phone = await phoneOf(h, ada)
    for (let n = 0; n < 199; n++) await ada.request('POST', '/api/todo-lists', { body: { name: `L${n}` } })
    const before = [namesOf(await calendarsOf(ada)), (await listsOf(ada)).length]
    const full = await phone.send('MKCALENDAR', `${phone.home}full/`, { body: mixedBody() })
    expect(full.status).toBe(503)
    const wrong = mixedBody('<a:calendar-color>red</a:calendar-color>')
    expect((await phone.send('MKCALENDAR', `${phone.home}wrong/`, { body: wrong })).status).toBe(403)
    expect([namesOf(await calendarsOf(ada)), (await listsOf(ada)).length]).toEqual(before)
    expect((await phone.propfind(`${phone.home}full/`, ['d:displayname'])).status).toBe(404)
  })

  test('of ten at once at one address is made once', async () => {
    const ada = await organiser(h)
    const phone = await phoneOf(h, ada)
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => phone.send('MKCALENDAR', `${phone.home}same/`, { body: mixedBody() })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(namesOf(await calendarsOf(ada)).filter((name) => name === 'Home')).toHaveLength(1)
    expect(namesOf(await listsOf(ada))).toEqual(['Todos', 'Home'])
  })

  test('is renamed, recoloured and ordered in both halves, each under a name that is free', async () => {
    const { ada, phone, path } = await mixedOwner(h)
    const changed = await proppatch(
      phone,
      path,
      '<d:displayname>Todos</d:displayname><a:calendar-color>#00ff00</a:calendar-color><a:calendar-order>3</a:calendar-order>',
    )
    expect(changed.text).toContain('HTTP/1.1 200 OK')
    expect(await calendarsOf(ada)).toContainEqual(
      expect.objectContaining({ name: 'Todos', color: '#00ff00' }),
    )
    expect(await listsOf(ada)).toMatchObject([{ name: 'Todos' }, { name: 'Todos (2)', color: '#00ff00' }])
    for (const scope of ['calendars:write', 'tasks:write'] as const) {
      const half = await phoneOf(h, ada, ['dav', scope])
      expect(await textsAt(half, path, ['d:displayname', 'a:calendar-color', 'a:calendar-order'])).toEqual([
        'Todos',
        '#00ff00',
        '3',
      ])
    }
    const set =
      '<c:supported-calendar-component-set><c:comp name="VEVENT"/></c:supported-calendar-component-set>'
    expect((await proppatch(phone, path, set)).text).toContain('403 Forbidden')
    expect(await componentsOf(phone, path)).toEqual(['VEVENT', 'VTODO'])
  })

  test('moves its ctag and that of the home with a change of either half', async () => {
    const { phone, path } = await mixedOwner(h)
    const tags = async () => [
      ...(await textsAt(phone, path, ['cs:getctag'])),
      ...(await textsAt(phone, phone.home, ['cs:getctag'])),
    ]
    const seen = [await tags()]
    await put(phone, `${path}e.ics`, eventText('e'))
    seen.push(await tags())
    await put(phone, `${path}t.ics`, todoText('t'))
    seen.push(await tags())
    expect(seen.map(([own]) => own)).toEqual([...new Set(seen.map(([own]) => own))])
    expect(new Set(seen.map(([, home]) => home)).size).toBe(3)
  })
})

describe('deleting', () => {
  test('a mixed collection takes both halves with their contents to the trash, and undoing it brings back the one collection', async () => {
    const { ada, phone, path, calendarId, listId } = await mixedOwner(h)
    await put(phone, `${path}e.ics`, eventText('e'))
    await put(phone, `${path}t.ics`, todoText('t'))
    await proppatch(phone, path, '<a:calendar-order>3</a:calendar-order>')
    const before = await listed(phone, path)
    expect((await phone.send('DELETE', path)).status).toBe(204)
    expect(namesOf(await calendarsOf(ada))).not.toContain('Home')
    expect(namesOf(await listsOf(ada))).toEqual(['Todos'])
    expect(
      (await trashOf(ada)).map(({ type, contains }: Record<string, unknown>) => [type, contains]),
    ).toEqual(
      expect.arrayContaining([
        ['calendar', 1],
        ['todo_list', 1],
      ]),
    )
    await undone(ada, await lastOf(ada))
    expect(await listed(phone, path)).toEqual(before)
    expect(await componentsOf(phone, path)).toEqual(['VEVENT', 'VTODO'])
    expect(await textsAt(phone, path, ['a:calendar-order'])).toEqual(['3'])
    expect((await phone.send('GET', `${path}t.ics`)).text).toBe(todoText('t'))
    expect((await ada.request('GET', `/api/calendars/${calendarId}`)).status).toBe(200)
    expect(await todosIn(ada, listId)).toHaveLength(1)
  })

  test('restores it half by half from the trash, and both are one collection again', async () => {
    const { ada, phone, path } = await mixedOwner(h)
    await put(phone, `${path}e.ics`, eventText('e'))
    await put(phone, `${path}t.ics`, todoText('t'))
    await phone.send('DELETE', path)
    const components: unknown[] = []
    for (const { id } of await trashOf(ada)) {
      expect((await ada.request('POST', `/api/trash/${id}/restore`)).status).toBe(200)
      components.push(await componentsOf(phone, path))
    }
    expect(components.map((names) => (names as string[]).length)).toEqual([1, 2])
    expect(await listed(phone, path)).toEqual({ 'e.ics': 'VEVENT', 't.ics': 'VTODO' })
  })

  test('the calendar in JSON leaves a list at the address, and deleting the list a calendar', async () => {
    for (const half of ['calendar', 'list'] as const) {
      const { ada, phone, path, calendarId, listId } = await mixedOwner(h)
      await put(phone, `${path}e.ics`, eventText('e'))
      await put(phone, `${path}t.ics`, todoText('t'))
      const route = half === 'calendar' ? `/api/calendars/${calendarId}` : `/api/todo-lists/${listId}`
      expect((await ada.request('DELETE', route)).status).toBe(204)
      const [left, component] = half === 'calendar' ? ['t.ics', 'VTODO'] : ['e.ics', 'VEVENT']
      expect(await componentsOf(phone, path)).toEqual([component])
      expect(await listed(phone, path)).toEqual({ [left]: component })
      expect(await textsAt(phone, path, ['d:displayname'])).toEqual(['Home'])
      const again = await phone.send('MKCALENDAR', path, { body: mixedBody() })
      expect(childOf(again.xml, dav('resource-must-be-null'))).toBeDefined()
      await undone(ada, await lastOf(ada))
      expect(await listed(phone, path)).toEqual({ 'e.ics': 'VEVENT', 't.ics': 'VTODO' })
    }
  })

  test('is refused while a half is the default one', async () => {
    const { ada, phone, path, listId } = await mixedOwner(h)
    await ada.request('PUT', `/api/todo-lists/${listId}`, { body: { is_default: true } })
    expect((await phone.send('DELETE', path)).status).toBe(403)
    expect(await componentsOf(phone, path)).toEqual(['VEVENT', 'VTODO'])
  })
})

describe('renaming a half in JSON', () => {
  test('renames the collection where it is the calendar, and only the list where it is that', async () => {
    const { ada, phone, path, calendarId, listId } = await mixedOwner(h)
    await ada.request('PUT', `/api/todo-lists/${listId}`, { body: { name: 'Chores', color: '#111111' } })
    expect(await textsAt(phone, path, ['d:displayname'])).toEqual(['Home'])
    await ada.request('PUT', `/api/calendars/${calendarId}`, { body: { name: 'House', color: '#222222' } })
    expect(await textsAt(phone, path, ['d:displayname', 'a:calendar-color'])).toEqual(['House', '#222222FF'])
    expect(await listsOf(ada)).toMatchObject([{ name: 'Todos' }, { name: 'Chores', color: '#111111' }])
  })
})
