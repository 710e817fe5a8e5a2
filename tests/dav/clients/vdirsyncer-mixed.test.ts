import { afterAll, beforeAll, expect } from 'bun:test'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { configureVdirsyncer, eventText, type Household, startHousehold } from '../../support/household'
import { mixedBody } from '../../support/mixed'
import { needing } from '../../support/needing'

const stack = new AsyncDisposableStack()
const vdirsyncer = Bun.which('vdirsyncer')
let own: Household

const file = (name: string) => join(own.home, '.calendars/home', name)
const sync = (...args: readonly string[]) =>
  own.run([vdirsyncer ?? '', ...(args.length > 0 ? args : ['sync', 'calendars/home'])], 'y\n'.repeat(20))
const names = async () => (await readdir(file(''))).filter((name) => name.endsWith('.ics')).toSorted()
const todoText = (uid: string, title: string) => eventText(uid, title).replaceAll('VEVENT', 'VTODO')
interface Listed {
  readonly id: number
  readonly title: string
  /** Of a collection. */
  readonly name?: string
}
const json = async (path: string, list: string): Promise<Listed[]> =>
  JSON.parse(await own.json('GET', path))[list]
const events = () => json('/api/events?from=2026-03-01&to=2026-04-01', 'events')
const todos = () => json('/api/todos', 'todos')
const titles = (all: ReadonlyArray<{ readonly title: string }>) =>
  all.map(({ title }) => title).toSorted((one, other) => one.localeCompare(other))

const installed = needing('vdirsyncer', vdirsyncer !== null)
const { test } = installed

installed.describe('vdirsyncer with a mixed collection', () => {
  beforeAll(async () => {
    own = await startHousehold(stack)
    await configureVdirsyncer(own)
    const { authorization } = own
    const made = await fetch(`${own.url}/dav/calendars/1/home/`, {
      method: 'MKCALENDAR',
      headers: { authorization },
      body: mixedBody(),
    })
    expect(made.status).toBe(201)
    expect(await sync('discover', 'calendars')).toContain('home')
  }, 60_000)
  afterAll(() => stack.disposeAsync())

  test('finds it as one folder, and brings events and todos of both sides together in it', async () => {
    await Bun.write(file('lunch.ics'), eventText('lunch@laptop', 'Lunch'))
    await Bun.write(file('milk.ics'), todoText('milk@laptop', 'Milk'))
    await sync()
    expect([titles(await events()), titles(await todos())]).toEqual([['Lunch'], ['Milk']])
    const idOf = async (path: string, list: string) =>
      (await json(path, list)).find(({ name }) => name === 'Home')?.id
    await own.json('POST', '/api/events', {
      title: 'Tea',
      calendar_id: await idOf('/api/calendars', 'calendars'),
      start_at: '2026-03-11T12:00:00Z',
      end_at: '2026-03-11T13:00:00Z',
    })
    const list_id = await idOf('/api/todo-lists', 'todo_lists')
    await own.json('POST', '/api/todos', { title: 'Bread', list_id })
    await sync()
    const texts = await Promise.all((await names()).map((name) => Bun.file(file(name)).text()))
    const kinds = texts.map((text) => /^BEGIN:(V(?:EVENT|TODO))/m.exec(text)?.[1] ?? '')
    expect(kinds.join(' ').split('VTODO')).toHaveLength(3)
    expect(kinds.join(' ').split('VEVENT')).toHaveLength(3)
    expect(await sync()).not.toMatch(/Copying|Deleting/)
  }, 120_000)

  test('brings changes and deletions of both kinds and both sides together', async () => {
    const [lunch] = (await events()).filter(({ title }) => title === 'Lunch')
    await own.json('PUT', `/api/events/${lunch?.id}`, { title: 'Brunch' })
    await Bun.write(file('milk.ics'), todoText('milk@laptop', 'Oat milk'))
    const [bread] = (await todos()).filter(({ title }) => title === 'Bread')
    await own.json('DELETE', `/api/todos/${bread?.id}`)
    const all = await Promise.all(
      (await names()).map(async (name) => ({ name, text: await Bun.file(file(name)).text() })),
    )
    await rm(file(all.find(({ text }) => text.includes('SUMMARY:Tea'))?.name ?? ''))
    await sync()
    expect([titles(await events()), titles(await todos())]).toEqual([['Brunch'], ['Oat milk']])
    expect(await names()).toEqual(['lunch.ics', 'milk.ics'])
    const text = await Bun.file(file('lunch.ics')).text()
    expect(text).toContain('SUMMARY:Brunch')
    expect(text).toContain('X-SOMETHING;PARAM="a:b":kept')
    expect(await sync()).not.toMatch(/Copying|Deleting/)
  }, 120_000)

  test('syncs one kind of it alone, where its owner says so, and leaves the other one', async () => {
    const config = '.config/vdirsyncer/config'
    const said = await Bun.file(join(own.home, config)).text()
    await own.write(
      config,
      said
        .replace('collections = ["from a", "from b"]', 'collections = ["home"]')
        .replace(/(type = "caldav"\n)/, '$1item_types = ["VTODO"]\n')
        .replace('"~/.calendars/"', '"~/.todos/"')
        .replace('~/.local/share/vdirsyncer/status/', '~/.status-of-todos/'),
    )
    await sync('discover', 'calendars')
    await sync('sync', 'calendars/home')
    const there = await readdir(join(own.home, '.todos/home'))
    const texts = await Promise.all(
      there
        .filter((name) => name.endsWith('.ics'))
        .map((name) => Bun.file(join(own.home, '.todos/home', name)).text()),
    )
    expect(texts.map((text) => /^SUMMARY:(.*?)\r?$/m.exec(text)?.[1])).toEqual(['Oat milk'])
    expect(titles(await events())).toEqual(['Brunch'])
  }, 120_000)
})
