import { afterAll, beforeAll, expect } from 'bun:test'
import { readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { cardOf, groupOf } from '../../support/cards'
import { configureVdirsyncer, eventText, type Household, startHousehold } from '../../support/household'
import { needing } from '../../support/needing'

const OBJECTS = 1000
const stack = new AsyncDisposableStack()
const vdirsyncer = Bun.which('vdirsyncer')
const khal = Bun.which('khal')

let own: Household
const contact = (path: string) => join(own.home, '.contacts', path)
const folder = () => join(own.home, '.calendars/calendar-1')

const run = (program: string | null, ...args: string[]): Promise<string> =>
  own.run([program ?? '', ...args], 'y\n'.repeat(10))

const event = (n: number, title = `Event ${n}`) =>
  eventText(`event-${n}@laptop`, title, {
    start: `DTSTART;TZID=Europe/Berlin:202603${String(1 + (n % 28)).padStart(2, '0')}T120000`,
  })
const write = (n: number, title?: string) => Bun.write(join(folder(), `event-${n}.ics`), event(n, title))
const files = async () => (await readdir(folder())).filter((name) => name.endsWith('.ics'))
const texted = async () => Promise.all((await files()).map((name) => Bun.file(join(folder(), name)).text()))
const titled = async (title: string): Promise<Array<{ readonly id: number; readonly title: string }>> => {
  const query = new URLSearchParams({ from: '2026-03-01', to: '2026-04-01', q: title })
  const { events } = JSON.parse(await own.json('GET', `/api/events?${query.toString()}`))
  return events.filter((one: { title: string }) => one.title === title)
}

const installed = needing('vdirsyncer and khal', vdirsyncer !== null && khal !== null)
const { test } = installed

installed.describe('vdirsyncer, set up by the guide', () => {
  beforeAll(async () => {
    own = await startHousehold(stack)
    await configureVdirsyncer(own)
  }, 60_000)
  afterAll(() => stack.disposeAsync())

  test('finds the calendars by the host alone, and makes them here', async () => {
    expect(await run(vdirsyncer, 'discover')).toContain('calendar-1')
    await run(vdirsyncer, 'sync')
    await run(vdirsyncer, 'metasync')
    expect(await Bun.file(join(folder(), 'displayname')).text()).toBe('Personal')
  }, 120_000)

  test('uploads a thousand events, all of which JSON shows, and khal too', async () => {
    for (let n = 0; n < OBJECTS; n++) await write(n)
    await run(vdirsyncer, 'sync')
    const { events } = JSON.parse(await own.json('GET', '/api/calendars/1/events?limit=1'))
    expect(events).toHaveLength(1)
    expect(await titled('Event 999')).toHaveLength(1)
    await own.write(
      '.config/khal/config',
      `[calendars]\n[[ada]]\npath = ${folder()}\n[locale]\ndateformat = %Y-%m-%d\n[default]\ndefault_calendar = ada\n`,
    )
    expect(await run(khal, 'list', '2026-03-20', '1d')).toContain('Event 999')
  }, 300_000)

  test('syncs again without a word when nothing has changed', async () => {
    const said = await run(vdirsyncer, 'sync')
    expect(said).not.toMatch(/Copying|Deleting/)
  }, 120_000)

  test('brings changes and deletions of both sides together, and keeps every line that JSON did not mean', async () => {
    const [one] = await titled('Event 1')
    const [two] = await titled('Event 2')
    await own.json('PUT', `/api/events/${one?.id}`, { title: 'Named in JSON' })
    await own.json('DELETE', `/api/events/${two?.id}`)
    const gone = (await files()).find((name) => name === 'event-3.ics') ?? ''
    await rm(join(folder(), gone))
    await write(4, 'Named on the laptop')
    await run(vdirsyncer, 'sync')
    const texts = await texted()
    expect(texts).toHaveLength(OBJECTS - 2)
    const named = texts.find((text) => text.includes('SUMMARY:Named in JSON')) ?? ''
    expect(named).toContain('X-SOMETHING;PARAM="a:b":kept')
    expect(await titled('Named on the laptop')).toHaveLength(1)
    expect(await titled('Event 3')).toEqual([])
  }, 120_000)

  test('tells of a conflict, and loses neither side until somebody decides', async () => {
    const [five] = await titled('Event 5')
    await own.json('PUT', `/api/events/${five?.id}`, { title: 'Five in JSON' })
    await write(5, 'Five on the laptop')
    const outcome = await run(vdirsyncer, 'sync').catch((error: unknown) => String(error))
    expect(outcome).toMatch(/conflict/i)
    expect(await titled('Five in JSON')).toHaveLength(1)
    expect(await Bun.file(join(folder(), 'event-5.ics')).text()).toContain('Five on the laptop')
  }, 120_000)

  test('lets the laptop win where its owner says so', async () => {
    const config = '.config/vdirsyncer/config'
    const said = await Bun.file(join(own.home, config)).text()
    await own.write(
      config,
      said.replace('b = "organiser"', 'b = "organiser"\nconflict_resolution = "a wins"'),
    )
    await run(vdirsyncer, 'sync')
    expect(await titled('Five on the laptop')).toHaveLength(1)
    expect(await titled('Five in JSON')).toEqual([])
  }, 120_000)

  test('agrees with a deletion on both sides, and keeps what one side deleted and the other changed', async () => {
    const [six, seven, eight] = [await titled('Event 6'), await titled('Event 7'), await titled('Event 8')]
    await own.json('DELETE', `/api/events/${six[0]?.id}`)
    await rm(join(folder(), 'event-6.ics'))
    await own.json('PUT', `/api/events/${seven[0]?.id}`, { title: 'Seven in JSON' })
    await rm(join(folder(), 'event-7.ics'))
    await own.json('DELETE', `/api/events/${eight[0]?.id}`)
    await write(8, 'Eight on the laptop')
    await run(vdirsyncer, 'sync')
    expect(await titled('Event 6')).toEqual([])
    expect((await texted()).filter((text) => text.includes('SUMMARY:Seven in JSON'))).toHaveLength(1)
    expect(await titled('Eight on the laptop')).toHaveLength(1)
    expect(await run(vdirsyncer, 'sync')).not.toMatch(/Copying|Deleting/)
  }, 120_000)

  test('syncs contacts and groups, makes an address book, and brings changes of both sides together', async () => {
    await Bun.write(contact('contacts/one.vcf'), cardOf('one', 'Ada', ['EMAIL:ada@example.org']))
    await Bun.write(contact('contacts/team.vcf'), groupOf('team', ['one']))
    await Bun.write(contact('club/two.vcf'), cardOf('two', 'Grace'))
    await Bun.write(contact('club/three.vcf'), cardOf('three', 'Joan'))
    await run(vdirsyncer, 'discover', 'contacts')
    await run(vdirsyncer, 'sync', 'contacts')
    const people = async (): Promise<Array<{ readonly id: number; readonly first_name: string }>> =>
      JSON.parse(await own.json('GET', '/api/people')).people
    expect((await people()).map((one) => one.first_name).toSorted((a, b) => a.localeCompare(b))).toEqual([
      'Ada',
      'Grace',
      'Joan',
    ])
    const { address_books: books } = JSON.parse(await own.json('GET', '/api/address-books'))
    expect(books).toMatchObject([{ name: 'Contacts' }, { name: 'club' }])
    const ada = (await people()).find((one) => one.first_name === 'Ada')
    await own.json('PUT', `/api/people/${ada?.id}`, { company: 'Engines' })
    await rm(contact('club/two.vcf'))
    await run(vdirsyncer, 'sync', 'contacts')
    const text = await Bun.file(contact('contacts/one.vcf')).text()
    expect(text).toContain('ORG:Engines')
    expect(text).toContain('X-ODD;X-Q="a;b:c":kept')
    expect(await people()).toHaveLength(2)
    expect(await run(vdirsyncer, 'sync', 'contacts')).not.toMatch(/Copying|Deleting/)
  }, 120_000)
})
