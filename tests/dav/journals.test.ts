import { describe, expect, test } from 'bun:test'
import { purgeJournal } from '../../src/access/journal/service'
import { cs } from '../../src/lib/xml/names'
import { newBook, newPerson } from '../support/books'
import { cardOf, followBook as follow, putCard } from '../support/cards'
import { type Phone, phoneOf } from '../support/dav'
import { organiser } from '../support/events'
import type { Actor } from '../support/harness'
import { putText, todoText } from '../support/todo-objects'
import { did, undone } from '../support/undoing'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const GONE = 'HTTP/1.1 404 Not Found'
const MORE = 'HTTP/1.1 507 Insufficient Storage'

async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const { calendars } = (await ada.request('GET', '/api/calendars')).body
  const { id } = calendars.find(({ is_system }: { readonly is_system: boolean }) => is_system)
  return {
    ada,
    phone,
    todos: `${phone.home}todos/`,
    reminders: `${phone.home}reminders/`,
    birthdays: `${phone.home}calendar-${id}/`,
  }
}

/** Forgets all deletions of which the journal knows. */
const forget = () =>
  purgeJournal({ ...h.deps, clock: { ...h.deps.clock, now: () => new Date('2100-01-01') } })

const ctagOf = async (phone: Phone, path: string) =>
  (await phone.propfind(path, ['cs:getctag'])).responses.get(path)?.found.get(cs('getctag'))?.text

/** Follows a collection from nothing, one object at a time: the names that are told, and the last token. */
async function followSlowly(phone: Phone, path: string) {
  const told: string[] = []
  for (let [token, hasMore] = ['', true]; ;) {
    const { status, changes, ...next } = await follow(phone, path, token, 1)
    expect(status).toBe(207)
    const { '': more, ...objects } = changes
    expect(Object.values(objects)).not.toContain(GONE)
    told.push(...Object.keys(objects))
    ;[token, hasMore] = [next.token, more === MORE]
    if (!hasMore) return { told: told.toSorted(), token }
  }
}

const put = (phone: Phone, path: string, name: string) => {
  if (path.includes('addressbooks')) return putCard(phone, `${path}${name}.vcf`, cardOf(name))
  const todo = todoText([`UID:${name}`, `SUMMARY:${name}`])
  const event = todo.replaceAll('VTODO', 'VEVENT').replace('UID:', 'DTSTART:20260310T120000Z\r\nUID:')
  return putText(phone, `${path}${name}.ics`, path.includes('calendar-') ? event : todo)
}

/** A collection with three objects of which two are deleted, and their names. */
async function furnished(phone: Phone, path: string) {
  const extension = path.includes('addressbooks') ? 'vcf' : 'ics'
  for (const name of ['x', 'y', 'z']) expect((await put(phone, path, name)).status).toBe(201)
  const before = await follow(phone, path)
  for (const name of ['x', 'y'])
    expect((await phone.send('DELETE', `${path}${name}.${extension}`)).status).toBe(204)
  return { before, named: (...names: string[]) => names.map((name) => `${name}.${extension}`) }
}

const book = async (ada: Actor, { userId }: Phone) => {
  const id = await newBook(ada)
  return { path: `/dav/addressbooks/${userId}/book-${id}/`, json: `/api/address-books/${id}` }
}
const list = async (ada: Actor, { home }: Phone) => {
  const { id } = (await did(ada, 'POST /api/todo-lists', { name: 'Other' })).body
  return { path: `${home}list-${id}/`, json: `/api/todo-lists/${id}` }
}

const calendar = async (ada: Actor, { home }: Phone) => {
  const { id } = (await did(ada, 'POST /api/calendars', { name: 'Other' })).body
  return { path: `${home}calendar-${id}/`, json: `/api/calendars/${id}` }
}

describe.each([
  ['an address book', book],
  ['a list of todos', list],
  ['a calendar', calendar],
])('%s that comes back from the trash', (_, make) => {
  test('is told a few objects at a time, to the end', async () => {
    const { ada, phone } = await start()
    const { path, json } = await make(ada, phone)
    const { named } = await furnished(phone, path)
    await undone(ada, (await did(ada, `DELETE ${json}`)).operation)
    await put(phone, path, 'new')
    const { told, token } = await followSlowly(phone, path)
    expect(told).toEqual(named('new', 'z'))
    await put(phone, path, 'later')
    expect(Object.keys((await follow(phone, path, token)).changes)).toEqual(named('later'))
  })

  test('refuses the tokens of before, as it may come back without what was in it', async () => {
    const { ada, phone } = await start()
    const { path, json } = await make(ada, phone)
    const { before, named } = await furnished(phone, path)
    await undone(ada, (await did(ada, `DELETE ${json}`)).operation)
    expect((await follow(phone, path, before.token)).status).toBe(403)
    expect(Object.keys((await follow(phone, path)).changes)).toEqual(named('z'))
  })
})

describe('a client that begins', () => {
  test('a few objects at a time is told all, wherever the journal has forgotten deletions', async () => {
    const { ada, phone, todos, reminders, birthdays } = await start()
    const { path } = await book(ada, phone)
    for (const at of [path, todos, reminders]) {
      const { named } = await furnished(phone, at)
      await put(phone, at, 'w')
      await phone.send('DELETE', `${at}${named('w').join('')}`)
      await forget()
      await put(phone, at, 'new')
      expect((await followSlowly(phone, at)).told).toEqual(named('new', 'z'))
    }
    const ids = []
    for (const birthday of ['1990-01-01', '1990-01-02', '1990-01-03'])
      ids.push((await did(ada, 'POST /api/people', { nickname: birthday, birthday })).body.id)
    await did(ada, `DELETE /api/people/${ids.pop()}`)
    await forget()
    expect((await followSlowly(phone, birthdays)).told).toEqual(ids.map((id) => `birthday-${id}.ics`))
  })

  test('starts over where a deletion is forgotten before it heard of that', async () => {
    const { ada, phone } = await start()
    const { path } = await book(ada, phone)
    await furnished(phone, path)
    await put(phone, path, 'w')
    const first = await follow(phone, path, '', 3)
    expect(first.changes).toEqual({ 'z.vcf': expect.any(String), '': MORE })
    await phone.send('DELETE', `${path}z.vcf`)
    expect((await follow(phone, path, first.token, 1)).status).toBe(207)
    await forget()
    expect((await follow(phone, path, first.token, 1)).status).toBe(403)
  })

  test('hears of no object that was gone before, and of each that goes meanwhile', async () => {
    const { phone, todos } = await start()
    for (const name of ['a', 'b', 'c', 'd']) await put(phone, todos, name)
    await phone.send('DELETE', `${todos}b.ics`)
    const first = await follow(phone, todos, '', 1)
    expect(first.changes).toEqual({ 'a.ics': expect.any(String), '': MORE })
    await phone.send('DELETE', `${todos}a.ics`)
    const second = await follow(phone, todos, first.token)
    expect(second.changes).toEqual({
      'a.ics': GONE,
      'c.ics': expect.any(String),
      'd.ics': expect.any(String),
    })
  })

  test('may send no token with a place that is still to come', async () => {
    const { phone, todos } = await start()
    for (const name of ['a', 'b']) await put(phone, todos, name)
    const { token } = await follow(phone, todos, '', 1)
    expect(token).toMatch(/\/\d+\.\d+$/)
    expect((await follow(phone, todos, `${token}000`)).status).toBe(403)
  })
})

test('tokens of birthdays, todos and reminders count on while deletions of other things are forgotten', async () => {
  const { ada, phone, todos, reminders, birthdays } = await start()
  const { id } = (await did(ada, 'POST /api/people', { nickname: 'Grace', birthday: '1906-12-09' })).body
  await put(phone, todos, 'x')
  await put(phone, reminders, 'x')
  const paths = [todos, reminders, birthdays]
  const tokens = await Promise.all(paths.map(async (path) => (await follow(phone, path)).token))
  const other = await newPerson(ada, 'Other')
  await did(ada, `DELETE /api/people/${other}`)
  await did(ada, 'PUT /api/settings', { preferred_name: 'A' })
  const { id: project } = (await did(ada, 'POST /api/projects', { name: 'Project' })).body
  await did(ada, `DELETE /api/projects/${project}`)
  await forget()
  for (const [index, path] of paths.entries())
    expect(await follow(phone, path, tokens[index])).toMatchObject({ status: 207, changes: {} })
  await did(ada, `DELETE /api/people/${id}`)
  expect((await follow(phone, birthdays, tokens[2])).changes).toEqual({ [`birthday-${id}.ics`]: GONE })
})

test('the ctags of lists and reminders stand still while other things change', async () => {
  const { ada, phone, todos, reminders } = await start()
  const other = await list(ada, phone)
  await put(phone, todos, 'x')
  await put(phone, reminders, 'x')
  const ctags = () => Promise.all([todos, reminders, other.path].map((path) => ctagOf(phone, path)))
  const before = await ctags()
  await newPerson(ada, 'Somebody')
  await did(ada, 'POST /api/projects', { name: 'Project' })
  expect(await ctags()).toEqual(before)
  await put(phone, other.path, 'y')
  const after = await ctags()
  expect(after.slice(0, 2)).toEqual(before.slice(0, 2))
  expect(after[2]).not.toBe(before[2] ?? '')
  await put(phone, reminders, 'y')
  expect((await ctags()).map((ctag, index) => ctag === after[index])).toEqual([true, false, true])
})
