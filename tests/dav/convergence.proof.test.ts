import { expect, test } from 'bun:test'
import { dav } from '../../src/lib/xml/names'
import { textOfChild } from '../../src/lib/xml/element'
import { type DavResponse, type Phone, phoneOf, syncOf } from '../support/dav'
import { organiser } from '../support/events'
import { useHarness } from '../support/use-harness'
import { defaultBook, newBook, newPerson } from '../support/books'
import { makeMixed, mixedOwner } from '../support/mixed'
import { bookPhone, cardOf, groupOf, putCard } from '../support/cards'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const WRITERS = 20
const WRITES = 12
const ROUNDS = 3

/** What a client keeps of a collection: names and tags, brought up to date by sync-collection alone. */
class Copy {
  readonly tags = new Map<string, string>()
  readonly #phone: Phone
  readonly #path: string
  #token = ''

  constructor(phone: Phone, path: string) {
    this.#phone = phone
    this.#path = path
  }

  async follow(): Promise<void> {
    const { status, responses, xml } = await this.#phone.report(this.#path, syncOf(this.#token))
    expect(status).toBe(207)
    for (const [href, { status: gone, found }] of responses) {
      if (gone !== undefined) this.tags.delete(href)
      else this.tags.set(href, found.get(dav('getetag'))?.text ?? '')
    }
    this.#token = textOfChild(xml, dav('sync-token')) ?? ''
  }
}

async function present(phone: Phone, path: string) {
  const { responses } = await phone.propfind(path, ['d:getetag'], '1')
  const objects = [...responses].filter(([href]) => href !== path)
  return Object.fromEntries(
    objects
      .map(([href, { found }]) => [href, found.get(dav('getetag'))?.text ?? ''])
      .toSorted(([a = ''], [b = '']) => (a < b ? -1 : 1)),
  )
}

const text = (uid: string, n: number, component: string) =>
  `BEGIN:VCALENDAR\r\nVERSION:2.0\r\nPRODID:-//x//EN\r\nBEGIN:${component}\r\nUID:${uid}\r\nDTSTAMP:20260301T100000Z\r\nDTSTART:20260310T100000Z\r\nSUMMARY:Write ${n}\r\nEND:${component}\r\nEND:VCALENDAR\r\n`

const pick = <T>(list: readonly T[]): T | undefined => list[Math.floor(Math.random() * list.length)]

async function byDav(phone: Phone, paths: readonly string[], component: string, writer: number) {
  for (let n = 0; n < WRITES; n++) {
    const href = `${pick(paths)}w${writer}-${n % 3}.ics`
    if (Math.random() < 0.25) await phone.send('DELETE', href)
    else await phone.send('PUT', href, { body: text(`w${writer}-${n % 3}`, n, component) })
  }
}

/** Follows collections while all write, several times, and compares what was kept with what is there. */
async function converge(phone: Phone, paths: readonly string[], write: (writer: number) => Promise<void>) {
  const copies = paths.map((path) => new Copy(phone, path))
  for (let round = 0; round < ROUNDS; round++) {
    const state = { isOver: false }
    const writing = Promise.all(Array.from({ length: WRITERS }, (_, writer) => write(writer))).finally(() => {
      state.isOver = true
    })
    while (!state.isOver) for (const copy of copies) await copy.follow()
    await writing
    for (const [index, copy] of copies.entries()) {
      await copy.follow()
      const kept = Object.fromEntries([...copy.tags].toSorted(([a], [b]) => (a < b ? -1 : 1)))
      expect(kept).toEqual(await present(phone, paths[index] ?? ''))
    }
  }
}

async function pathsLike(phone: Phone, like: RegExp): Promise<string[]> {
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const isOwn = ([path, { found }]: readonly [string, DavResponse]) =>
    like.test(path) && found.get(dav('displayname'))?.text !== 'Birthdays'
  return [...responses].filter(isOwn).map(([path]) => path)
}

test('a reader that loops while twenty write by JSON and DAV, into two calendars, has what is there at the end', async () => {
  const ada = await organiser(h)
  const phone = await phoneOf(h, ada)
  await ada.request('POST', '/api/calendars', { body: { name: 'Other' } })
  const { calendars } = (await ada.request('GET', '/api/calendars')).body
  const ids: number[] = calendars
    .filter(({ is_system }: { readonly is_system: boolean }) => !is_system)
    .map(({ id }: { readonly id: number }) => id)
  const paths = ids.map((id) => `${phone.home}calendar-${id}/`)

  const byJson = async () => {
    const own: number[] = []
    for (let n = 0; n < WRITES; n++) {
      const id = pick(own)
      if (id === undefined || Math.random() < 0.4)
        own.push(
          (
            await ada.create({
              title: `Event ${n}`,
              calendar_id: pick(ids),
              start_at: '2026-03-10T12:00:00',
              end_at: '2026-03-10T13:00:00',
            })
          ).id,
        )
      else if (Math.random() < 0.3) await ada.request('DELETE', `/api/events/${id}`)
      else if (Math.random() < 0.5)
        await ada.request('PUT', `/api/events/${id}`, { body: { calendar_id: pick(ids) } })
      else await ada.request('PUT', `/api/events/${id}`, { body: { title: `Named ${n}` } })
    }
  }

  expect(paths).toHaveLength(2)
  await converge(phone, paths, (writer) => (writer % 2 ? byJson() : byDav(phone, paths, 'VEVENT', writer)))
}, 300_000)

test('a reader that loops while twenty write by JSON and DAV, into two lists of todos, has what is there at the end', async () => {
  const ada = await organiser(h)
  const phone = await phoneOf(h, ada)
  await ada.request('POST', '/api/todo-lists', { body: { name: 'Other' } })
  const paths = await pathsLike(phone, /(?:todos|list-\d+)\/$/)
  const ids = (await ada.request('GET', '/api/todo-lists')).body.todo_lists.map(
    ({ id }: { readonly id: number }) => id,
  )

  const byJson = async () => {
    for (let n = 0; n < WRITES; n++) {
      const { todos } = (await ada.request('GET', '/api/todos')).body
      const id = pick<{ readonly id: number }>(todos ?? [])?.id
      if (id === undefined || Math.random() < 0.4)
        await ada.request('POST', '/api/todos', { body: { title: `Todo ${n}`, list_id: pick(ids) } })
      else if (Math.random() < 0.3) await ada.request('DELETE', `/api/todos/${id}`)
      else if (Math.random() < 0.5) await ada.request('POST', `/api/todos/${id}/toggle`)
      else await ada.request('PUT', `/api/todos/${id}`, { body: { list_id: pick(ids), position: 1 } })
    }
  }

  expect(paths).toHaveLength(2)
  await converge(phone, paths, (writer) => (writer % 2 ? byJson() : byDav(phone, paths, 'VTODO', writer)))
}, 300_000)

test('a reader that loops while twenty write events and todos by JSON and DAV, into mixed collections, has what is there at the end', async () => {
  const { ada, phone, path } = await mixedOwner(h)
  const paths = [path, await makeMixed(phone, 'second')]
  const halves = (all: ReadonlyArray<{ readonly id: number; readonly name: string }>) =>
    all.filter(({ name }) => name.startsWith('Home')).map(({ id }) => id)
  const calendars = halves((await ada.request('GET', '/api/calendars')).body.calendars)
  const lists = halves((await ada.request('GET', '/api/todo-lists')).body.todo_lists)
  expect([calendars.length, lists.length]).toEqual([2, 2])
  const times = { start_at: '2026-03-10T12:00:00', end_at: '2026-03-10T13:00:00' }
  const eventsByJson = async () => {
    const own: number[] = []
    for (let n = 0; n < WRITES; n++) {
      const id = pick(own)
      if (id === undefined || Math.random() < 0.4)
        own.push((await ada.create({ title: `Event ${n}`, calendar_id: pick(calendars), ...times })).id)
      else if (Math.random() < 0.3) await ada.request('DELETE', `/api/events/${id}`)
      else await ada.request('PUT', `/api/events/${id}`, { body: { calendar_id: pick(calendars) } })
    }
  }
  const todosByJson = async () => {
    for (let n = 0; n < WRITES; n++) {
      const { todos } = (await ada.request('GET', '/api/todos')).body
      const id = pick<{ readonly id: number }>(todos ?? [])?.id
      if (id === undefined || Math.random() < 0.4)
        await ada.request('POST', '/api/todos', { body: { title: `Todo ${n}`, list_id: pick(lists) } })
      else if (Math.random() < 0.3) await ada.request('DELETE', `/api/todos/${id}`)
      else await ada.request('PUT', `/api/todos/${id}`, { body: { list_id: pick(lists) } })
    }
  }
  // Both kinds are put under the same names and UIDs.
  const write = [
    eventsByJson,
    todosByJson,
    (writer: number) => byDav(phone, paths, 'VEVENT', writer % 3),
    (writer: number) => byDav(phone, paths, 'VTODO', writer % 3),
  ]
  await converge(phone, paths, (writer) => write[writer % 4]?.(writer) ?? Promise.resolve())
}, 300_000)

test('a reader that loops while twenty write people by JSON and DAV, into two address books, has what is there at the end', async () => {
  const { ada, phone, home, path } = await bookPhone(h)
  const ids = [await defaultBook(ada), await newBook(ada)]
  const paths = [path, `${home}book-${ids[1]}/`]
  const cardsByDav = async (writer: number) => {
    for (let n = 0; n < WRITES; n++) {
      const uid = `w${writer}-${n % 3}`
      const href = `${pick(paths)}${uid}.vcf`
      if (Math.random() < 0.25) await phone.send('DELETE', href)
      else await putCard(phone, href, n % 4 ? cardOf(uid, `Write ${n}`) : groupOf(uid, [], `Write ${n}`))
    }
  }
  const byJson = async () => {
    const own: number[] = []
    for (let n = 0; n < WRITES; n++) {
      const id = pick(own)
      if (id === undefined || Math.random() < 0.4) own.push(await newPerson(ada, `Person ${n}`, pick(ids)))
      else if (Math.random() < 0.3) await ada.request('DELETE', `/api/people/${id}`)
      else if (Math.random() < 0.5)
        await ada.request('PUT', `/api/people/${id}`, { body: { book_id: pick(ids) } })
      else await ada.request('PUT', `/api/people/${id}`, { body: { nickname: `Named ${n}` } })
    }
  }
  await converge(phone, paths, (writer) => (writer % 2 ? byJson() : cardsByDav(writer)))
}, 300_000)
