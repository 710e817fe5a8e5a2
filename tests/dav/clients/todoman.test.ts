import { afterAll, beforeAll, expect } from 'bun:test'
import { configureVdirsyncer, type Household, startHousehold } from '../../support/household'
import { needing } from '../../support/needing'

interface TodoView {
  readonly id: number
  readonly title: string
  readonly completed: boolean
  readonly due_date: string | null
  readonly priority: string
}

const stack = new AsyncDisposableStack()
const [todoman, vdirsyncer] = [Bun.which('todoman'), Bun.which('vdirsyncer')]
let own: Household

const todo = (...args: readonly string[]) => own.run([todoman ?? '', ...args])
const sync = (...args: readonly string[]) =>
  own.run([vdirsyncer ?? '', ...(args.length > 0 ? args : ['sync', 'calendars'])], 'y\n'.repeat(20))
const todos = async (): Promise<readonly TodoView[]> =>
  JSON.parse(await own.json('GET', '/api/todos?show=all')).todos
const titled = async (title: string) => (await todos()).find((one) => one.title === title)
/** The number by which todoman knows a todo. */
const numberOf = async (title: string): Promise<string> => {
  const listed: Array<{ readonly id: number; readonly summary: string }> = JSON.parse(
    await todo('--porcelain', 'list', '--status', 'ANY'),
  )
  return String(listed.find(({ summary }) => summary === title)?.id)
}

const installed = needing('todoman and vdirsyncer', todoman !== null && vdirsyncer !== null)
const { test } = installed

installed.describe('todoman beside vdirsyncer, which is set up by the guide', () => {
  beforeAll(async () => {
    own = await startHousehold(stack)
    await configureVdirsyncer(own)
    await own.write(
      '.config/todoman/config.py',
      `path = "${own.home}/.calendars/*"\ndate_format = "%Y-%m-%d"\ntime_format = "%H:%M"\ndefault_list = "todos"\n`,
    )
    await own.json('POST', '/api/todos', { title: 'Milk', due_date: '2026-11-30', priority: 'high' })
    await own.json('POST', '/api/todos', { title: 'Tea' })
    await sync('discover', 'calendars')
    await sync()
    await sync('metasync', 'calendars')
  }, 120_000)
  afterAll(() => stack.disposeAsync())

  test('shows what JSON made, and brings what it makes, changes and completes', async () => {
    expect(await todo('list')).toContain('Milk')
    await todo('new', '--list', 'todos', '--due', '2026-12-01', 'Bread')
    await todo('done', await numberOf('Milk'))
    await sync()
    expect(await titled('Bread')).toMatchObject({ completed: false, due_date: '2026-12-01' })
    expect(await titled('Milk')).toMatchObject({ completed: true })
    await todo('edit', '--due', '2026-12-02', await numberOf('Bread'))
    await sync()
    expect(await titled('Bread')).toMatchObject({ due_date: '2026-12-02' })
  }, 120_000)

  test('hears of what JSON changes and deletes, and JSON of what it deletes', async () => {
    const bread = await titled('Bread')
    await own.json('PUT', `/api/todos/${bread?.id}`, { title: 'Rye bread' })
    const milk = await titled('Milk')
    await own.json('DELETE', `/api/todos/${milk?.id}`)
    await sync()
    const listed = await todo('list', '--status', 'ANY')
    expect(listed).toContain('Rye bread')
    expect(listed).not.toContain('Milk')
    await todo('delete', '--yes', await numberOf('Rye bread'))
    await sync()
    expect((await todos()).map(({ title }) => title)).toEqual(['Tea'])
    expect(await sync()).not.toMatch(/Copying|Deleting/)
  }, 120_000)
})
