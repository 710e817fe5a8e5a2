import { describe, expect, test } from 'bun:test'
import { caldav, dav } from '../../src/lib/xml/names'
import { childOf, textOfChild } from '../../src/lib/xml/element'
import { multigetOf, type Phone, phoneOf, PREFIXES, syncOf } from '../support/dav'
import type { Actor } from '../support/harness'
import { organiser } from '../support/events'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

/** An actor with a phone, and the address of their birthdays. */
async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const [path = ''] =
    [...responses].find(([, { found }]) => found.get(dav('displayname'))?.text === 'Birthdays') ?? []
  return { ada, phone, path }
}

const person = async (ada: Actor, first_name: string, birthday: string | null) =>
  Number((await ada.request('POST', '/api/people', { body: { first_name, birthday } })).body.id)
const change = (ada: Actor, id: number, body: object) =>
  ada.request('PUT', `/api/people/${id}`, { body }).then(({ status }) => expect(status).toBe(200))

const token = async (phone: Phone, path: string) =>
  (await phone.propfind(path, ['d:sync-token'])).responses.get(path)?.found.get(dav('sync-token'))?.text ?? ''

/** What a client hears since a token: people, and whether their birthdays are there. */
async function heard(phone: Phone, path: string, since: string) {
  const { responses } = await phone.report(path, syncOf(since))
  return Object.fromEntries(
    [...responses].map(([href, { status }]) => [
      Number(/birthday-(\d+)\.ics$/.exec(href)?.[1]),
      status === undefined,
    ]),
  )
}

describe('the Birthdays calendar', () => {
  test('has a yearly event for each birthday, which JSON celebrates on the same days', async () => {
    const { ada, phone, path } = await start()
    const ids = [
      await person(ada, 'Grace; Hopper', '1906-12-09'),
      await person(ada, 'Leap', '2000-02-29'),
      await person(ada, 'Ageless', '--02-29'),
      await person(ada, 'Somebody', '--07-01'),
    ]
    await person(ada, 'Unknown', null)
    const hrefs = ids.map((id) => `${path}birthday-${id}.ics`)
    const { responses } = await phone.report(path, multigetOf(hrefs))
    const texts = hrefs.map((href) => responses.get(href)?.found.get(caldav('calendar-data'))?.text ?? '')
    const shown = texts.map((text) =>
      ['UID', 'DTSTART;VALUE=DATE', 'DTEND;VALUE=DATE', 'RRULE', 'SUMMARY', 'TRANSP'].map(
        (name) => new RegExp(`^${name}:(.*)$`, 'm').exec(text)?.[1]?.trim() ?? '',
      ),
    )
    const leap = 'FREQ=YEARLY;BYMONTH=2;BYMONTHDAY=-1'
    const uid = (n: number) => `birthday-${ids[n]}@organiser.invalid`
    expect(shown).toEqual([
      [uid(0), '19061209', '19061210', 'FREQ=YEARLY', String.raw`Grace\; Hopper's birthday`, 'TRANSPARENT'],
      [uid(1), '20000229', '20000301', leap, "Leap's birthday", 'TRANSPARENT'],
      [uid(2), '19720229', '19720301', leap, "Ageless's birthday", 'TRANSPARENT'],
      [uid(3), '19720701', '19720702', 'FREQ=YEARLY', "Somebody's birthday", 'TRANSPARENT'],
    ])
    const expanded = await phone.report(
      path,
      `<c:calendar-query ${PREFIXES}><d:prop><c:calendar-data><c:expand start="20270101T000000Z" end="20290101T000000Z"/></c:calendar-data></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range start="20270101T000000Z" end="20290101T000000Z"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`,
    )
    const days = [...expanded.text.matchAll(/DTSTART;VALUE=DATE:(\d{8})/g)].map(([, day]) => day ?? '')
    const years = await Promise.all(
      ['2027', '2028'].map((year) => ada.list(`${year}-01-01`, `${Number(year) + 1}-01-01`)),
    )
    const celebrated = years.flat().map(({ start_date }) => String(start_date).replaceAll('-', ''))
    expect(celebrated).toHaveLength(8)
    expect(days.toSorted((a, b) => a.localeCompare(b))).toEqual(
      celebrated.toSorted((a, b) => a.localeCompare(b)),
    )
  })

  test('is read-only: neither it nor what is in it can be changed or deleted, but for its colour and its name there', async () => {
    const { ada, phone, path } = await start()
    const href = `${path}birthday-${await person(ada, 'Grace', '1906-12-09')}.ics`
    const { text, headers } = await phone.send('GET', href)
    const { responses } = await phone.propfind(path, ['d:current-user-privilege-set', 'd:add-member'])
    expect(responses.get(path)?.missing).toEqual([dav('add-member')])
    const names = responses
      .get(path)
      ?.found.get(dav('current-user-privilege-set'))
      ?.children.map(({ children: [one] }) => one?.name)
    expect(names).toContain(dav('read'))
    expect(names).not.toContain(dav('write'))
    for (const [method, address] of [
      ['PUT', href],
      ['PUT', `${path}new.ics`],
      ['DELETE', href],
      ['DELETE', path],
      ['POST', path],
    ] as const) {
      const { status, xml } = await phone.send(method, address, method === 'DELETE' ? {} : { body: text })
      expect([method, address, status]).toEqual([method, address, 403])
      expect(childOf(xml, dav('need-privileges'))).toBeDefined()
    }
    const { headers: after } = await phone.send('GET', href)
    expect(after.get('etag')).toBe(headers.get('etag'))
    const named = `<d:propertyupdate ${PREFIXES}><d:set><d:prop><d:displayname>Feste</d:displayname><a:calendar-color>#112233FF</a:calendar-color></d:prop></d:set></d:propertyupdate>`
    expect((await phone.send('PROPPATCH', path, { body: named })).text).toContain('200 OK')
    const shown = (await phone.propfind(path, ['d:displayname'])).responses.get(path)
    expect(shown?.found.get(dav('displayname'))?.text).toBe('Feste')
    const { calendars } = (await ada.request('GET', '/api/calendars')).body
    expect(calendars.find((one: { is_system: boolean }) => one.is_system)).toMatchObject({
      name: 'Birthdays',
      color: '#112233',
    })
  })

  test('follows people: sync tells what is shown otherwise, and nothing else', async () => {
    const { ada, phone, path } = await start()
    const [grace, nobody] = [await person(ada, 'Grace', '1906-12-09'), await person(ada, 'Nobody', null)]
    const at = async () => (await phone.send('GET', `${path}birthday-${grace}.ics`)).headers.get('etag')
    let since = await token(phone, path)
    const next = async () => {
      const answer = await heard(phone, path, since)
      since = await token(phone, path)
      return answer
    }
    const etag = await at()
    await change(ada, grace, { notes: 'Compiler', is_favourite: true })
    await change(ada, nobody, { first_name: 'Still nobody' })
    expect([await token(phone, path), await at()]).toEqual([since, etag])
    await change(ada, grace, { first_name: 'Amazing Grace' })
    expect(await at()).not.toBe(etag)
    expect(await next()).toEqual({ [grace]: true })
    await change(ada, nobody, { birthday: '--03-03' })
    await change(ada, grace, { birthday: null })
    expect(await next()).toEqual({ [grace]: false, [nobody]: true })
    const removed = await ada.request('DELETE', `/api/people/${nobody}`)
    expect(await next()).toEqual({ [nobody]: false })
    await ada.request('POST', `/api/operations/${removed.headers.get('x-operation-id')}/undo`)
    expect(await next()).toEqual({ [nobody]: true })
    expect(await next()).toEqual({})
  })

  test('loses the people of an address book that is deleted, and has them again with it', async () => {
    const { ada, phone, path } = await start()
    const book = (await ada.request('POST', '/api/address-books', { body: { name: 'Club' } })).body.id
    const body = { first_name: 'Member', birthday: '1990-05-05', book_id: book }
    const { id } = (await ada.request('POST', '/api/people', { body })).body
    const since = await token(phone, path)
    const removed = await ada.request('DELETE', `/api/address-books/${book}`)
    expect(await heard(phone, path, since)).toEqual({ [id]: false })
    await ada.request('POST', `/api/operations/${removed.headers.get('x-operation-id')}/undo`)
    expect(await heard(phone, path, since)).toEqual({ [id]: true })
  })

  test('is there for an app password of calendars alone, and nobody sees the birthdays of others', async () => {
    const { ada, path } = await start()
    const { phone: other, path: theirs } = await start()
    await person(ada, 'Grace', '1906-12-09')
    const reader = await phoneOf(h, ada, ['dav', 'calendars:read'])
    const { xml } = await reader.report(path, syncOf(''))
    expect(textOfChild(xml, dav('sync-token'))).toMatch(/birthdays-\d+/)
    expect((await reader.propfind(path, ['d:getetag'], '1')).responses.size).toBe(2)
    expect((await other.propfind(theirs, ['d:getetag'], '1')).responses.size).toBe(1)
    expect((await other.propfind(path, ['d:getetag'], '1')).status).toBe(404)
    const people = await phoneOf(h, ada, ['dav', 'people:write'])
    expect((await people.propfind(path, ['d:getetag'])).status).toBe(404)
  })
})
