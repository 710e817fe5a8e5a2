import { afterAll, beforeAll, describe, expect, test } from 'bun:test'
import { createDAVClient, type DAVCalendar, type DAVCalendarObject, fetchCalendarUserAddresses } from 'tsdav'
import { eventText, type Household, startHousehold } from '../../support/household'

const stack = new AsyncDisposableStack()
let own: Household
const at = (path: string) => `${own.url}/dav/calendars/1/${path}`

/** The client of a program that knows the host alone. */
const clientOf = () =>
  createDAVClient({
    serverUrl: `${own.url}/`,
    credentials: { username: own.user, password: own.token },
    authMethod: 'Basic',
    defaultAccountType: 'caldav',
  })
type Client = Awaited<ReturnType<typeof clientOf>>
let client: Client

const MARCH = { start: '2026-03-01T00:00:00Z', end: '2026-04-01T00:00:00Z' }
const WEEKLY = { start: 'DTSTART:20160106T180000Z', more: ['RRULE:FREQ=WEEKLY'] }

/** The calendar of that slug as the client reads it now. */
async function calendarAt(slug: string): Promise<DAVCalendar> {
  const found = (await client.fetchCalendars()).find(({ url }) => url === at(`${slug}/`))
  if (!found) throw new Error(`there is no ${slug}`)
  return found
}

/** A new calendar with these events. */
async function calendarWith(slug: string, texts: Readonly<Record<string, string>>): Promise<DAVCalendar> {
  const [made] = await client.makeCalendar({
    url: at(`${slug}/`),
    props: { 'd:displayname': slug, 'c:calendar-description': 'By train' },
  })
  expect(made).toMatchObject({ ok: true, status: 201 })
  const calendar = await calendarAt(slug)
  for (const [name, iCalString] of Object.entries(texts)) {
    const { status } = await client.createCalendarObject({ calendar, filename: `${name}.ics`, iCalString })
    expect(status).toBe(201)
  }
  return calendarAt(slug)
}

const names = (objects: readonly DAVCalendarObject[]) =>
  objects.map(({ url }) => url.slice(url.lastIndexOf('/') + 1)).toSorted()

describe('tsdav', () => {
  beforeAll(async () => {
    own = await startHousehold(stack)
    client = await clientOf()
  }, 60_000)
  afterAll(() => stack.disposeAsync())

  test('finds the principal, its home and its calendars from the host', async () => {
    const account = await client.createAccount({
      account: { accountType: 'caldav' },
      loadCollections: true,
      loadObjects: true,
    })
    expect(account).toMatchObject({
      rootUrl: `${own.url}/dav/`,
      principalUrl: `${own.url}/dav/principals/1/`,
      homeUrl: at(''),
    })
    const named = new Map(account.calendars?.map(({ url, ...calendar }) => [url, calendar]))
    expect(named.get(at('calendar-1/'))).toMatchObject({
      displayName: 'Personal',
      components: ['VEVENT'],
      objects: [],
    })
    expect(named.get(at('todos/'))).toMatchObject({ components: ['VTODO'], objects: [] })
    const headers = { authorization: own.authorization }
    expect(await fetchCalendarUserAddresses({ account, headers })).toEqual([
      '/dav/principals/1/',
      expect.stringMatching(/^urn:uuid:/),
    ])
  })

  test('makes a calendar with a name and a description, and is told its reports', async () => {
    const calendar = await calendarWith('made', {})
    expect(calendar).toMatchObject({ displayName: 'made', description: 'By train', components: ['VEVENT'] })
    const reports = await client.supportedReportSet({ collection: calendar })
    expect(reports).toEqual(
      expect.arrayContaining(['calendarQuery', 'calendarMultiget', 'freeBusyQuery', 'syncCollection']),
    )
    const [found] = await client.propfind({
      url: calendar.url,
      props: { 'd:displayname': {}, 'd:nothing': {} },
      depth: '0',
    })
    expect(found).toMatchObject({ href: '/dav/calendars/1/made/', props: { displayname: 'made' } })
    expect(found?.props).not.toHaveProperty('nothing')
  })

  test('reads all objects, those of a time, and their occurrences, with one multiget and without', async () => {
    const [one, weekly] = [eventText('one@ts', 'One'), eventText('weekly@ts', 'Weekly', WEEKLY)]
    const old = eventText('old@ts', 'Old', { start: 'DTSTART:20160106T180000Z' })
    const calendar = await calendarWith('read', { one, weekly, old })
    const all = await client.fetchCalendarObjects({ calendar })
    expect(names(all)).toEqual(['old.ics', 'one.ics', 'weekly.ics'])
    expect(all.find(({ url }) => url.endsWith('one.ics'))?.data).toBe(one.trimEnd())
    for (const useMultiGet of [true, false]) {
      const within = await client.fetchCalendarObjects({ calendar, timeRange: MARCH, useMultiGet })
      expect(names(within)).toEqual(['one.ics', 'weekly.ics'])
      const expanded = await client.fetchCalendarObjects({
        calendar,
        timeRange: MARCH,
        expand: true,
        useMultiGet,
      })
      const data: string = expanded.find(({ url }) => url.endsWith('weekly.ics'))?.data
      expect(data.match(/^DTSTART:.*/gm)?.map((line) => line.trim())).toEqual([
        'DTSTART:20260304T180000Z',
        'DTSTART:20260311T180000Z',
        'DTSTART:20260318T180000Z',
        'DTSTART:20260325T180000Z',
      ])
      expect(data).not.toContain('RRULE')
    }
    const named = await client.calendarMultiGet({
      url: calendar.url,
      props: { 'd:getetag': {}, 'c:calendar-data': {} },
      objectUrls: ['/dav/calendars/1/read/one.ics', '/dav/calendars/1/read/old.ics'],
      depth: '1',
    })
    expect(named.map(({ href, props }) => [href, props?.['calendarData']])).toEqual([
      ['/dav/calendars/1/read/one.ics', one.trimEnd()],
      ['/dav/calendars/1/read/old.ics', old.trimEnd()],
    ])
    const event = { 'comp-filter': { _attributes: { name: 'VEVENT' } } }
    const queried = await client.calendarQuery({
      url: calendar.url,
      props: { 'd:getetag': {} },
      filters: [{ 'comp-filter': { _attributes: { name: 'VCALENDAR' }, ...event } }],
      depth: '1',
    })
    expect(queried).toHaveLength(3)
  })

  test('creates nothing over another object, and updates and deletes by the version that it knows', async () => {
    const one = eventText('one@ts', 'One')
    const calendar = await calendarWith('write', { one })
    const again = await client.createCalendarObject({ calendar, filename: 'one.ics', iCalString: one })
    expect(again.status).toBe(412)
    const twin = await client.createCalendarObject({ calendar, filename: 'two.ics', iCalString: one })
    expect(twin.status).toBe(409)
    const [object] = await client.fetchCalendarObjects({ calendar })
    if (!object) throw new Error('there is no object')
    const update = (title: string, etag = object.etag) =>
      client.updateCalendarObject({
        calendarObject: { ...object, data: eventText('one@ts', title), ...(etag && { etag }) },
      })
    const done = await update('Uno')
    expect(done.status).toBe(204)
    expect((await update('Stale')).status).toBe(412)
    expect((await client.deleteCalendarObject({ calendarObject: object })).status).toBe(412)
    const [newest] = await client.fetchCalendarObjects({ calendar })
    expect(newest?.data).toContain('SUMMARY:Uno')
    expect(newest?.etag).toBe(done.headers.get('etag') ?? '')
    if (newest) expect((await client.deleteCalendarObject({ calendarObject: newest })).status).toBe(204)
    expect(await client.fetchCalendarObjects({ calendar })).toEqual([])
  })

  test('is told when somebody is busy', async () => {
    const calendar = await calendarWith('busy', { weekly: eventText('weekly@ts', 'Weekly', WEEKLY) })
    const answer = await client.freeBusyQuery({ url: calendar.url, timeRange: MARCH })
    expect(String(answer.raw).match(/^FREEBUSY.*/gm)).toHaveLength(4)
  })

  test('sees by ctag that a calendar changed, and syncs what did, by token and without', async () => {
    const texts = Object.fromEntries(['kept', 'changed', 'gone'].map((name) => [name, eventText(name, name)]))
    const before = await calendarWith('sync', texts)
    const objects = await client.fetchCalendarObjects({ calendar: before })
    expect((await client.isCollectionDirty({ collection: before })).isDirty).toBe(false)
    const named = (name: string) => objects.find(({ url }) => url.endsWith(`/${name}.ics`))
    const [changed, gone] = [named('changed'), named('gone')]
    if (!changed || !gone) throw new Error('objects are missing')
    await client.updateCalendarObject({
      calendarObject: { ...changed, data: eventText('changed', 'Changed') },
    })
    await client.deleteCalendarObject({ calendarObject: gone })
    await client.createCalendarObject({
      calendar: before,
      filename: 'new.ics',
      iCalString: eventText('new', 'New'),
    })
    expect((await client.isCollectionDirty({ collection: before })).isDirty).toBe(true)
    const told = await client.syncCollection({
      url: before.url,
      props: { 'd:getetag': {} },
      ...(before.syncToken && { syncToken: before.syncToken }),
    })
    const statuses = new Map(told.map(({ href, status }) => [href?.slice(href.lastIndexOf('/') + 1), status]))
    expect(Object.fromEntries(statuses)).toEqual({ 'changed.ics': 207, 'gone.ics': 404, 'new.ics': 207 })
    const fetchObjects = (params?: { readonly collection: DAVCalendar }) =>
      client.fetchCalendarObjects({ calendar: params?.collection ?? before })
    const ways = { webdav: { objectMultiGet: client.calendarMultiGet }, basic: { fetchObjects } }
    for (const [method, way] of Object.entries(ways)) {
      const synced = await client.smartCollectionSync({
        collection: { ...before, objects, ...way },
        method: method === 'basic' ? 'basic' : 'webdav',
        detailedResult: true,
      })
      const { created, updated, deleted } = synced.objects
      expect([created, updated, deleted].map((part) => names(part ?? []))).toEqual([
        ['new.ics'],
        ['changed.ics'],
        ['gone.ics'],
      ])
    }
  })

  test('syncs the whole home: calendars that are new, changed and gone', async () => {
    const [changed, gone] = [await calendarWith('home-changed', {}), await calendarWith('home-gone', {})]
    const oldCalendars = await client.fetchCalendars()
    await calendarWith('home-new', {})
    await client.createCalendarObject({
      calendar: changed,
      filename: 'one.ics',
      iCalString: eventText('one', 'One'),
    })
    await client.deleteObject({ url: gone.url })
    const synced = await client.syncCalendars({ oldCalendars, detailedResult: true })
    const slugs = (calendars: readonly DAVCalendar[]) => calendars.map(({ displayName }) => displayName)
    expect([synced.created, synced.deleted].map(slugs)).toEqual([['home-new'], ['home-gone']])
    // The lists share the journal of their user, so that their tags may move with it.
    const changedOnes = slugs(synced.updated).filter((name) => name !== 'Todos' && name !== 'Reminders')
    expect(changedOnes).toEqual(['home-changed'])
  })

  test('is refused a token that the service never gave, by the name of what is wrong', async () => {
    const calendar = await calendarWith('token', {})
    const [answer] = await client.syncCollection({
      url: calendar.url,
      props: { 'd:getetag': {} },
      syncToken: 'made-up',
    })
    expect(answer).toMatchObject({ ok: false, status: 403 })
    expect(answer?.raw).toContain('valid-sync-token')
  })
})
