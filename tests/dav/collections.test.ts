import { describe, expect, test } from 'bun:test'
import { caldav, cs, dav, ical } from '../../src/lib/xml/names'
import { childOf, textOfChild, type XmlElement } from '../../src/lib/xml/element'
import { type Phone, phoneOf } from '../support/dav'
import { organiser } from '../support/events'
import { sharedWith } from '../support/sharing'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const NAMES = [
  'd:resourcetype',
  'd:displayname',
  'd:owner',
  'a:calendar-color',
  'c:supported-calendar-component-set',
  'd:current-user-privilege-set',
  'd:supported-report-set',
  'd:sync-token',
  'cs:getctag',
  'c:max-resource-size',
] as const

async function listed(phone: Phone) {
  const { responses } = await phone.propfind(phone.home, NAMES, '1')
  return [...responses].filter(([path]) => path !== phone.home)
}
const token = async (phone: Phone, path: string) =>
  (await phone.propfind(path, ['d:sync-token'])).responses.get(path)?.found.get(dav('sync-token'))?.text
const ctag = async (phone: Phone) =>
  (await phone.propfind(phone.home, ['cs:getctag'])).responses.get(phone.home)?.found.get(cs('getctag'))?.text

type Found = ReadonlyMap<string, XmlElement>
const textIn = (found: Found, name: string) => found.get(name)?.text ?? ''
const namesIn = (found: Found, name: string) => found.get(name)?.children.map((child) => child.name)

describe('a home', () => {
  test('holds the calendars of its user, the default one first, and lists of todos, each with all that clients ask for', async () => {
    const ada = await organiser(h)
    const phone = await phoneOf(h, ada)
    await ada.request('POST', '/api/calendars', { body: { name: 'Work & <Play>', color: '#aa00ff' } })
    await ada.request('POST', '/api/todo-lists', { body: { name: 'Shopping' } })
    const found = await listed(phone)
    const names = found.map(([, { found: properties }]) => textIn(properties, dav('displayname')))
    expect(names).toEqual(['Personal', 'Birthdays', 'Work & <Play>', 'Todos', 'Shopping', 'Reminders'])
    for (const [at, [path, { found: properties, missing }]] of found.entries()) {
      expect(path).toMatch(new RegExp(`^${phone.home}(?:calendar-\\d+|todos|list-\\d+|reminders)/$`))
      expect(missing).toEqual([])
      expect(namesIn(properties, dav('resourcetype'))).toEqual([dav('collection'), caldav('calendar')])
      const kinds = properties.get(caldav('supported-calendar-component-set'))?.children
      expect(kinds?.map(({ attributes }) => attributes.get('name'))).toEqual([at < 3 ? 'VEVENT' : 'VTODO'])
      expect(textIn(properties, dav('sync-token'))).toBe(textIn(properties, cs('getctag')))
    }
    const [, [, work] = []] = found.slice(1)
    expect(work && textIn(work.found, ical('calendar-color'))).toBe('#AA00FFFF')
  })

  test('says what a member may do, and changes its ctag when a calendar is shared or taken away', async () => {
    const { ada, bob, calendar, member } = await sharedWith(h, 'read')
    const phone = await phoneOf(h, bob)
    const path = `${phone.home}calendar-${calendar.id}/`
    const privileges = async () => {
      const { responses } = await phone.propfind(path, ['d:current-user-privilege-set'])
      const set = responses.get(path)?.found.get(dav('current-user-privilege-set'))
      return set?.children.map(({ children: [privilege] }) => privilege?.name)
    }
    expect(await privileges()).not.toContain(dav('write-content'))
    expect(await privileges()).toContain(dav('read'))
    const before = await ctag(phone)
    await ada.permit(calendar.id, member.id, 'write')
    expect(await privileges()).toContain(dav('write-content'))
    const between = await ctag(phone)
    await ada.dismiss(calendar.id, member.id)
    expect(new Set([before, between, await ctag(phone)]).size).toBe(3)
    expect((await phone.propfind(path, ['d:displayname'])).status).toBe(404)
  })

  test('lets an app password that only reads write nothing, and says so', async () => {
    const ada = await organiser(h)
    const phone = await phoneOf(h, ada, ['dav', 'calendars:read'])
    const [[, { found }] = ['', { found: new Map() }]] = await listed(phone)
    const names = found
      .get(dav('current-user-privilege-set'))
      ?.children.map(({ children: [one] }: { children: Array<{ name: string }> }) => one?.name)
    expect(names).toContain(dav('read'))
    expect(names).not.toContain(dav('write-content'))
  })
})

describe('the ctag and the sync token of a collection', () => {
  test('move with every change of its events, and of no other calendar', async () => {
    const ada = await organiser(h)
    const phone = await phoneOf(h, ada)
    const other = (await ada.request('POST', '/api/calendars', { body: { name: 'Other' } })).body
    const [[path] = ['']] = await listed(phone)
    const [first, still] = [
      await token(phone, path),
      await token(phone, `${phone.home}calendar-${other.id}/`),
    ]
    const event = await ada.create({
      title: 'One',
      start_at: '2026-03-10T12:00:00',
      end_at: '2026-03-10T13:00:00',
    })
    const second = await token(phone, path)
    await ada.request('PUT', `/api/events/${event.id}`, { body: { title: 'Two' } })
    const third = await token(phone, path)
    await ada.request('DELETE', `/api/events/${event.id}`)
    expect(new Set([first, second, third, await token(phone, path)]).size).toBe(4)
    expect(await token(phone, `${phone.home}calendar-${other.id}/`)).toBe(still)
    expect(first).toMatch(/^https:\/\/organiser\.invalid\/ns\/sync\/calendar-\d+\/[\w-]+\/\d+$/)
  })

  test('without its final slash a collection answers the same, and says what it is called', async () => {
    const phone = await phoneOf(h, await organiser(h))
    const [[path] = ['']] = await listed(phone)
    const bare = await phone.propfind(path.slice(0, -1), ['d:displayname'])
    expect([...bare.responses.keys()]).toEqual([path])
    expect(bare.headers.get('content-location')).toBe(path)
    expect(childOf(bare.xml, dav('response')) && textOfChild(bare.xml, dav('response'))).toBeDefined()
  })
})
