import { expect } from 'bun:test'
import { DAV_SCOPES, type Phone, phoneOf, PREFIXES } from './dav'
import { EVENTS, TODOS } from './dav-kinds'
import { organiser } from './events'
import type { Actor, Harness } from './harness'

/** What the tests of mixed collections do over and over. */

const COMPONENTS = ['VEVENT', 'VTODO'].map((name) => `<c:comp name="${name}"/>`).join('')
const SET = `<c:supported-calendar-component-set>${COMPONENTS}</c:supported-calendar-component-set>`

/** A body that makes a mixed collection, with these properties beside. */
export const mixedBody = (
  properties = '<d:displayname>Home</d:displayname>',
  root = 'c:mkcalendar',
): string => `<${root} ${PREFIXES}><d:set><d:prop>${SET}${properties}</d:prop></d:set></${root}>`

export async function makeMixed(phone: Phone, slug = 'home', body = mixedBody()): Promise<string> {
  const path = `${phone.home}${slug}/`
  expect((await phone.send('MKCALENDAR', path, { body })).status).toBe(201)
  return path
}

/** A user with a phone and a mixed collection. */
export async function mixedOwner(h: Harness) {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada, DAV_SCOPES)
  const path = await makeMixed(phone)
  const idOf = (all: ReadonlyArray<{ readonly id: number; readonly name: string }>) =>
    all.find(({ name }) => name === 'Home')?.id ?? 0
  return { ada, phone, path, calendarId: idOf(await calendarsOf(ada)), listId: idOf(await listsOf(ada)) }
}

export const eventText = (uid: string, title = 'Lunch', lines: readonly string[] = []): string =>
  EVENTS.textOf(uid, title, lines)
export const todoText = (uid: string, title = 'Milk', lines: readonly string[] = []): string =>
  TODOS.textOf(uid, title, lines)

export { putText as put } from './todo-objects'

export type Asker = Pick<Actor, 'request'>

export const calendarsOf = async (actor: Asker) =>
  (await actor.request('GET', '/api/calendars')).body.calendars
export const listsOf = async (actor: Asker) => (await actor.request('GET', '/api/todo-lists')).body.todo_lists
export const namesOf = (all: ReadonlyArray<{ readonly name: string }>) => all.map(({ name }) => name)

export const proppatch = (phone: Phone, path: string, properties: string) =>
  phone.send('PROPPATCH', path, {
    body: `<d:propertyupdate ${PREFIXES}><d:set><d:prop>${properties}</d:prop></d:set></d:propertyupdate>`,
  })

/** What is in a collection, by name: its tag and its media type. */
export async function listed(phone: Phone, path: string): Promise<Record<string, string>> {
  const { responses } = await phone.propfind(path, ['d:getetag', 'd:getcontenttype'], '1')
  const objects = [...responses].filter(([href]) => href !== path)
  return Object.fromEntries(
    objects.map(([href, { found }]) => [
      decodeURIComponent(href.slice(path.length)),
      /component=(\w+)/.exec(found.get('{DAV:}getcontenttype')?.text ?? '')?.[1] ?? '',
    ]),
  )
}

/** The components that a collection takes, as it says. */
export async function componentsOf(phone: Phone, path: string): Promise<ReadonlyArray<string | undefined>> {
  const name = 'supported-calendar-component-set'
  const { responses } = await phone.propfind(path, [`c:${name}`])
  const set = responses.get(path)?.found.get(`{urn:ietf:params:xml:ns:caldav}${name}`)
  return (set?.children ?? []).map(({ attributes }) => attributes.get('name'))
}
