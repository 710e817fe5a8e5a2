import { afterAll, beforeAll, expect } from 'bun:test'
import { join } from 'node:path'
import { eventText, type Household, startHousehold } from '../../support/household'
import { needing } from '../../support/needing'

const stack = new AsyncDisposableStack()
const cadaver = Bun.which('cadaver')
const ONE = eventText('one@cadaver', 'One')
let own: Household

/** What cadaver says to these commands in the home of calendars. */
const says = (...commands: readonly string[]): Promise<string> =>
  own.run(
    [cadaver ?? '', `${own.url}/dav/calendars/1/`],
    [...commands, 'quit'].map((line) => `${line}\n`).join(''),
  )

const installed = needing('cadaver', cadaver !== null)
const { test } = installed

installed.describe('cadaver', () => {
  beforeAll(async () => {
    own = await startHousehold(stack)
    await own.write('.netrc', `machine 127.0.0.1\nlogin ${own.user}\npassword ${own.token}\n`)
    await own.write('one.ics', ONE)
  }, 60_000)
  afterAll(() => stack.disposeAsync())

  test('lists calendars, and uploads, lists and downloads an event byte for byte', async () => {
    expect(await says('ls')).toMatch(/Coll:\s+calendar-1/)
    const said = await says('cd calendar-1', 'put one.ics', 'ls', 'get one.ics back.ics')
    expect(said).toMatch(/Uploading one\.ics .*succeeded/)
    expect(said).toMatch(new RegExp(`one\\.ics\\s+${Buffer.byteLength(ONE)}\\b`))
    expect(await Bun.file(join(own.home, 'back.ics')).text()).toBe(ONE)
  }, 60_000)

  test('reads properties, and keeps one of its own with a calendar', async () => {
    const said = await says(
      'propget calendar-1/one.ics',
      'propset calendar-1 note hello',
      'propget calendar-1 note',
    )
    expect(said).toContain('DAV: getcontenttype = text/calendar; charset=utf-8; component=VEVENT')
    expect(said).toMatch(/DAV: getetag = "\d+-1"/)
    expect(said).toContain(`DAV: getcontentlength = ${Buffer.byteLength(ONE)}`)
    expect(said).toContain('Value of note is: hello')
  }, 60_000)

  test('is refused a plain collection among calendars, and goes on', async () => {
    const said = await says('mkcol things', 'ls')
    expect(said).toMatch(/Creating `things': failed:\s*403 Forbidden/)
    expect(said).toMatch(/Coll:\s+calendar-1/)
    expect(said).not.toMatch(/Coll:\s+things/)
  }, 60_000)

  test('deletes an event, which JSON no longer shows', async () => {
    const said = await says('delete calendar-1/one.ics', 'ls calendar-1')
    expect(said).toMatch(/Deleting `calendar-1\/one\.ics': succeeded/)
    expect(said).toContain('collection is empty')
    expect(JSON.parse(await own.json('GET', '/api/calendars/1/events')).events).toEqual([])
  }, 60_000)
})
