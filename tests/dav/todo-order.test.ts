import { describe, expect, test } from 'bun:test'
import { textOfChild } from '../../src/lib/xml/element'
import { dav } from '../../src/lib/xml/names'
import { numberAt } from '../../src/features/tasks/todo-order/rules'
import { type Phone, phoneOf, syncOf } from '../support/dav'
import { createTodo } from '../support/records'
import { createList } from '../support/todo-lists'
import { putText, todoText } from '../support/todo-objects'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const todo = (uid: string, ...more: readonly string[]) =>
  todoText([`UID:${uid}`, 'DTSTAMP:20260301T100000Z', `SUMMARY:${uid}`, ...more])
const numbered = (uid: string, number: number) => todo(uid, `X-APPLE-SORT-ORDER:${number}`)

/** The second in which the text says that the todo was created, by which programs sort one without a number. */
function createdIn(text: string): number {
  const [, ...parts] = /^CREATED:(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z/m.exec(text) ?? []
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = parts.map(Number)
  return numberAt(new Date(Date.UTC(year, month - 1, day, hour, minute, second)))
}

/** What a phone keeps of a list: it shows the todos by their numbers. */
async function mirrorOf(phone: Phone, path: string) {
  const texts = new Map<string, string>()
  let token = ''
  /** Follows the list, and returns the names of what it heard of. */
  const follow = async () => {
    const answer = await phone.report(path, syncOf(token))
    token = textOfChild(answer.xml, dav('sync-token')) ?? ''
    for (const [href, { status }] of answer.responses) {
      if (status?.includes('404')) texts.delete(href)
      else texts.set(href, (await phone.send('GET', href)).text)
    }
    return [...answer.responses.keys()].map((href) => /^SUMMARY:(.*)\r$/m.exec(texts.get(href) ?? '')?.[1])
  }
  const shown = () =>
    [...texts.values()]
      .map((text) => ({
        title: /^SUMMARY:(.*)\r$/m.exec(text)?.[1] ?? '',
        number: Number(/^X-APPLE-SORT-ORDER:(.*)\r$/m.exec(text)?.[1] ?? createdIn(text)),
      }))
      .toSorted((one, other) => one.number - other.number)
  await follow()
  return { follow, titles: () => shown().map(({ title }) => title), shown }
}

async function start() {
  const ada = await h.signedIn()
  const phone = await phoneOf(h, ada)
  const path = `${phone.home}todos/`
  const listed = async (): Promise<Array<{ id: number; title: string; version: number }>> =>
    (await ada.request('GET', '/api/todos?limit=200')).body.todos
  const titles = async () => (await listed()).map(({ title }) => title)
  const idOf = async (wanted: string) => (await listed()).find(({ title }) => title === wanted)?.id
  const put = async (uid: string, number: number, at = path) =>
    expect([201, 204]).toContain((await putText(phone, `${at}${uid}.ics`, numbered(uid, number))).status)
  const move = async (title: string, position: number) =>
    (await ada.request('PUT', `/api/todos/${await idOf(title)}`, { body: { position } })).body
  const reorder = async (...wanted: readonly string[]) => {
    const ids = new Map((await listed()).map(({ id, title }) => [title, id]))
    const body = { todo_ids: wanted.map((title) => ids.get(title)) }
    expect((await ada.request('PUT', '/api/todos/reorder', { body })).status).toBe(200)
  }
  return { ada, phone, path, listed, titles, idOf, put, move, reorder }
}

/** Likewise, with todos that a phone numbered. */
async function startWith(numbers: Readonly<Record<string, number>>) {
  const started = await start()
  for (const [uid, number] of Object.entries(numbers)) await started.put(uid, number)
  return { ...started, mirror: await mirrorOf(started.phone, started.path) }
}

describe('a program that sorts', () => {
  test('puts a new todo where its number says, and JSON shows it there', async () => {
    const { put, titles } = await startWith({ a: 100, b: 200 })
    await put('c', 150)
    expect(await titles()).toEqual(['a', 'c', 'b'])
  })

  test('moves a todo by another number, to the beginning, into the middle and to the end', async () => {
    const { put, titles } = await startWith({ a: 100, b: 200, c: 300 })
    for (const [uid, number, order] of [
      ['c', 50, 'cab'],
      ['c', 150, 'acb'],
      ['a', 400, 'cba'],
      ['b', -3, 'bca'],
    ] as const) {
      await put(uid, number)
      expect((await titles()).join('')).toBe(order)
    }
  })

  test('that numbers all anew has the order of its numbers, in whatever order they come', async () => {
    const { put, titles } = await startWith({ a: 1, b: 2, c: 3, d: 4, e: 5 })
    for (const [uid, number] of Object.entries({ c: 5, a: 4, e: 1, d: 2, b: 3 })) await put(uid, number)
    expect((await titles()).join('')).toBe('edbac')
  })

  test('puts a todo among those of its list, and those of other lists stay', async () => {
    const { ada, phone, put, titles, path } = await start()
    const list = await createList(ada)
    const other = `${phone.home}list-${list.id}/`
    await put('a1', 100)
    await put('b1', 1, other)
    await put('a2', 200)
    await put('b2', 2, other)
    await put('a2', 50)
    expect(await titles()).toEqual(['a2', 'a1', 'b1', 'b2'])
    await put('b1', 3, other)
    expect(await titles()).toEqual(['a2', 'a1', 'b2', 'b1'])
    expect((await mirrorOf(phone, path)).titles()).toEqual(['a2', 'a1'])
  })

  test('that changes something else, or leaves the number out, moves nothing', async () => {
    const { phone, path, titles, reorder, mirror } = await startWith({ a: 100, b: 200, c: 300 })
    await reorder('c', 'a', 'b')
    await mirror.follow()
    const number = mirror.shown()[0]?.number ?? 0
    const text = numbered('c', number).replace('END:VTODO', 'PRIORITY:1\r\nEND:VTODO')
    expect((await putText(phone, `${path}c.ics`, text)).status).toBe(204)
    expect(await titles()).toEqual(['c', 'a', 'b'])
    expect((await putText(phone, `${path}c.ics`, todo('c', 'PRIORITY:5'))).status).toBe(204)
    expect(await titles()).toEqual(['c', 'a', 'b'])
  })

  test('sorts a todo without a number by the second in which it was created', async () => {
    const { phone, path, put, titles } = await start()
    await put('a', numberAt(new Date('2020-01-01T00:00:00Z')))
    await put('b', numberAt(new Date('2022-01-01T00:00:00Z')))
    await putText(phone, `${path}c.ics`, todo('c', 'CREATED:20210101T000000Z'))
    await putText(phone, `${path}d.ics`, todo('d'))
    expect(await titles()).toEqual(['a', 'c', 'b', 'd'])
    await put('d', numberAt(new Date('2020-06-01T00:00:00Z')))
    expect(await titles()).toEqual(['a', 'd', 'c', 'b'])
  })

  test('gets the text that it sent, also where many have one number', async () => {
    const { phone, path, titles, put } = await start()
    for (const uid of ['a', 'b', 'c']) await put(uid, 7)
    expect((await phone.send('GET', `${path}b.ics`)).text).toBe(numbered('b', 7))
    expect(await titles()).toEqual(['a', 'b', 'c'])
  })

  test('says what is no number, and the todo is at the end', async () => {
    const { phone, path, titles } = await startWith({ a: 100 })
    const text = todo('b', 'X-APPLE-SORT-ORDER:soon')
    await putText(phone, `${path}b.ics`, text)
    expect((await phone.send('GET', `${path}b.ics`)).text).toBe(text)
    expect(await titles()).toEqual(['a', 'b'])
  })

  test('moves a todo to another list, where it is where its number says', async () => {
    const { ada, phone, path, put, titles } = await start()
    const list = await createList(ada)
    const other = `${phone.home}list-${list.id}/`
    await put('a', 100, other)
    await put('b', 300, other)
    await put('c', 200)
    const headers = { destination: `${other}c.ics` }
    expect((await phone.send('MOVE', `${path}c.ics`, { headers })).status).toBe(201)
    expect(await titles()).toEqual(['a', 'c', 'b'])
    expect((await phone.send('GET', `${other}c.ics`)).text).toBe(numbered('c', 200))
  })
})

describe('a change of order in JSON', () => {
  test('shows on the phone, which hears of the todo that moved and of no other', async () => {
    const { mirror, move, reorder, titles } = await startWith({ a: 100, b: 200, c: 300, d: 400 })
    await move('d', 2)
    expect(await mirror.follow()).toEqual(['d'])
    expect(mirror.shown()).toEqual([
      { title: 'a', number: 100 },
      { title: 'd', number: 150 },
      { title: 'b', number: 200 },
      { title: 'c', number: 300 },
    ])
    await reorder('b', 'a', 'd', 'c')
    expect(await mirror.follow()).toEqual(['b'])
    expect(mirror.titles()).toEqual(await titles())
  })

  test('gives the todo that moved another tag, and leaves the others theirs', async () => {
    const { listed, reorder } = await startWith({ a: 100, b: 200, c: 300 })
    await reorder('c', 'a', 'b')
    expect((await listed()).map(({ title, version }) => [title, version])).toEqual([
      ['c', 2],
      ['a', 1],
      ['b', 1],
    ])
  })

  test('rewrites the line in its place, and nothing else but the stamps', async () => {
    const { phone, path, reorder } = await start()
    const text = (number: number, stamps: readonly string[] = []) =>
      todo('a', `x-apple-sort-order:${number}`, 'X-OTHER:kept', ...stamps)
    await putText(phone, `${path}a.ics`, text(100))
    await putText(phone, `${path}b.ics`, numbered('b', 200))
    await reorder('b', 'a')
    const { text: now } = await phone.send('GET', `${path}b.ics`)
    const [, number] = /^X-APPLE-SORT-ORDER:(.*)\r$/m.exec(now) ?? []
    expect(Number(number)).toBeLessThan(100)
    expect((await phone.send('GET', `${path}a.ics`)).text).toBe(text(100))
  })

  test('of todos that JSON made shows on the phone, and those that stay have no line', async () => {
    const { ada, phone, path, reorder } = await start()
    for (const title of ['a', 'b', 'c']) {
      await createTodo(ada, { title })
      h.clock.advance({ minutes: 1 })
    }
    const mirror = await mirrorOf(phone, path)
    expect(mirror.titles()).toEqual(['a', 'b', 'c'])
    await reorder('c', 'a', 'b')
    expect(await mirror.follow()).toEqual(['c'])
    expect(mirror.titles()).toEqual(['c', 'a', 'b'])
  })

  test('shows also among todos that came within one second, as new ones at a place do', async () => {
    const { ada, phone, path, move, titles } = await start()
    for (const title of ['a', 'b', 'c', 'd']) await createTodo(ada, { title })
    const mirror = await mirrorOf(phone, path)
    expect(mirror.titles()).toEqual(['a', 'b', 'c', 'd'])
    for (const title of ['e', 'f', 'g', 'h', 'i', 'j', 'k']) await createTodo(ada, { title, position: 3 })
    await move('a', 4)
    await mirror.follow()
    expect(mirror.titles()).toEqual(await titles())
  })

  test('of todos in several lists shows in each', async () => {
    const { ada, phone, path, put, reorder, listed } = await start()
    const list = await createList(ada)
    const other = `${phone.home}list-${list.id}/`
    for (const [at, uid] of ['a', 'b', 'c', 'x', 'y', 'z'].entries())
      await put(uid, at * 10, at < 3 ? path : other)
    const mirrors = [await mirrorOf(phone, path), await mirrorOf(phone, other)]
    await reorder('z', 'c', 'x', 'a', 'y', 'b')
    const changed = (await listed()).filter(({ version }) => version > 1)
    expect(changed.map(({ title }) => title)).toEqual(['z', 'c'])
    for (const { follow } of mirrors) await follow()
    expect(mirrors.map((mirror) => mirror.titles().join(''))).toEqual(['cab', 'zxy'])
  })

  test('past todos of other lists rewrites nothing', async () => {
    const { ada, phone, path, put, reorder } = await start()
    const list = await createList(ada)
    await put('a', 10)
    await put('b', 20)
    await put('x', 10, `${phone.home}list-${list.id}/`)
    const mirror = await mirrorOf(phone, path)
    await reorder('x', 'a', 'b')
    expect(await mirror.follow()).toEqual([])
  })

  test('of list moves the todo among those of the other list to where JSON shows it', async () => {
    const { ada, phone, put, idOf, titles } = await start()
    const list = await createList(ada)
    const other = `${phone.home}list-${list.id}/`
    await put('a', 10, other)
    await put('x', 999)
    await put('b', 20, other)
    const body = { list_id: list.id }
    expect((await ada.request('PUT', `/api/todos/${await idOf('x')}`, { body })).status).toBe(200)
    expect(await titles()).toEqual(['a', 'x', 'b'])
    expect((await mirrorOf(phone, other)).titles()).toEqual(['a', 'x', 'b'])
  })

  test('that is undone is undone on the phone', async () => {
    const { ada, mirror, reorder } = await startWith({ a: 100, b: 200, c: 300 })
    await reorder('c', 'a', 'b')
    await mirror.follow()
    const [operation] = (await ada.request('GET', '/api/operations')).body.operations
    expect((await ada.request('POST', `/api/operations/${operation.id}/undo`)).status).toBe(200)
    expect(await mirror.follow()).toEqual(['c'])
    expect(mirror.titles()).toEqual(['a', 'b', 'c'])
  })

  test('rewrites few of many todos that have one number', async () => {
    const { ada, phone, path, listed, reorder, titles } = await start()
    const uids = Array.from({ length: 60 }, (_, at) => `t${at}`)
    for (const uid of uids) await putText(phone, `${path}${uid}.ics`, numbered(uid, 7))
    const mirror = await mirrorOf(phone, path)
    const [last = '', ...others] = uids.toReversed()
    const order = others.toReversed()
    order.splice(5, 0, last)
    await reorder(...order)
    expect((await titles()).slice(0, 8)).toEqual(order.slice(0, 8))
    // Those before it make room, as they are fewer.
    expect(new Set(await mirror.follow())).toEqual(new Set([...order.slice(0, 5), last]))
    expect(new Set((await listed()).map(({ version }) => version))).toEqual(new Set([1, 2]))
    expect(ada.row.id).toBe(phone.userId)
  })
})
