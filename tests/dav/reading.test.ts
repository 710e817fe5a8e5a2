import { describe, expect, test } from 'bun:test'
import { childOf, textOfChild } from '../../src/lib/xml/element'
import { caldav, dav } from '../../src/lib/xml/names'
import { multigetOf, type Phone, phoneOf, syncOf } from '../support/dav'
import { type Organiser, organiser } from '../support/events'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const [, path = ''] = [...responses.keys()]
  return { ada, phone, path }
}
const meeting = (ada: Organiser, title = 'Meeting') =>
  ada.create({ title, start_at: '2026-03-10T12:00:00', end_at: '2026-03-10T13:00:00' })

/** The names and tags of all objects of a collection. */
async function tagsIn(phone: Phone, path: string) {
  const { responses } = await phone.propfind(path, ['d:getetag'], '1')
  const objects = [...responses].filter(([href]) => href !== path)
  return new Map(objects.map(([href, { found }]) => [href, found.get(dav('getetag'))?.text]))
}

describe('an event that JSON made', () => {
  test('is an object with a name, a tag, a type and a text, the same wherever it is read', async () => {
    const { ada, phone, path } = await start()
    const { id } = await meeting(ada, 'Käse & <Brot>')
    const [[href, etag] = ['', '']] = await tagsIn(phone, path)
    expect(href).toMatch(new RegExp(`^${path}[\\w-]+\\.ics$`))
    expect(etag).toBe(`"${id}-1"`)
    const read = await phone.send('GET', href)
    expect([read.status, read.headers.get('etag'), read.headers.get('content-type')]).toEqual([
      200,
      etag ?? '',
      'text/calendar; charset=utf-8; component=VEVENT',
    ])
    expect(read.headers.get('content-security-policy')).toContain("default-src 'none'")
    expect(read.text).toContain('SUMMARY:Käse & <Brot>\r\n')
    expect(read.text).toContain('BEGIN:VTIMEZONE\r\n')
    expect(read.text.match(/BEGIN:VEVENT/g)).toHaveLength(1)
    const found = await phone.propfind(href, [
      'd:getcontentlength',
      'd:getcontenttype',
      'd:resourcetype',
      'd:getetag',
    ])
    expect(found.responses.get(href)?.found.get(dav('getcontentlength'))?.text).toBe(
      String(Buffer.byteLength(read.text)),
    )
  })

  test('is read by multiget, beside 404 for each address that is none in the collection', async () => {
    const { ada, phone, path } = await start()
    await meeting(ada)
    const [[href, etag = ''] = ['']] = await tagsIn(phone, path)
    const read = await phone.send('GET', href)
    const wrong = [`${path}none.ics`, '/dav/calendars/1/x/y.ics', 'http://elsewhere.example/x.ics']
    const { responses } = await phone.report(path, multigetOf([href, ...wrong]))
    expect(responses.get(href)?.found.get(caldav('calendar-data'))?.text).toBe(read.text)
    expect(responses.get(href)?.found.get(dav('getetag'))?.text).toBe(etag)
    for (const missing of wrong) expect(responses.get(missing)?.status).toBe('HTTP/1.1 404 Not Found')
  })

  test('answers 304 to whoever has it, and 404 under every other name', async () => {
    const { ada, phone, path } = await start()
    await meeting(ada)
    const [[href, etag = ''] = ['']] = await tagsIn(phone, path)
    const known = await phone.send('GET', href, { headers: { 'if-none-match': etag } })
    expect([known.status, known.text]).toEqual([304, ''])
    expect((await phone.send('GET', `${path}other.ics`)).status).toBe(404)
    expect((await phone.send('GET', href.replace('.ics', '.ICS'))).status).toBe(404)
  })

  test('is found however its name is escaped', async () => {
    const { ada, phone, path } = await start()
    await meeting(ada)
    const [[href] = ['']] = await tagsIn(phone, path)
    const name = href.slice(path.length)
    const escaped = path + name.replace(/./g, (one) => `%${one.charCodeAt(0).toString(16)}`)
    expect((await phone.send('GET', escaped)).status).toBe(200)
  })

  test('has a tag that moves with the version in JSON, and one that was never seen when it is made anew', async () => {
    const { ada, phone, path } = await start()
    const event = await meeting(ada)
    await ada.request('PUT', `/api/events/${event.id}`, { body: { title: 'Changed' } })
    const [[, etag] = []] = await tagsIn(phone, path)
    expect(etag).toBe(`"${event.id}-2"`)
  })
})

describe('sync-collection', () => {
  const token = ({ xml }: { xml: Parameters<typeof textOfChild>[0] }) =>
    textOfChild(xml, dav('sync-token')) ?? ''
  const follow = (phone: Phone, path: string, since: string, limit?: number) =>
    phone.report(path, syncOf(since, limit))

  test('tells everything at first, then each object that changed once, and what is gone', async () => {
    const { ada, phone, path } = await start()
    const [one, two, three] = [
      await meeting(ada, 'One'),
      await meeting(ada, 'Two'),
      await meeting(ada, 'Three'),
    ]
    const all = await follow(phone, path, '')
    expect(all.responses.size).toBe(3)
    const before = await tagsIn(phone, path)
    await ada.request('PUT', `/api/events/${one.id}`, { body: { title: 'First' } })
    await ada.request('PUT', `/api/events/${one.id}`, { body: { title: 'Uno' } })
    await ada.request('DELETE', `/api/events/${two.id}`)
    const next = await follow(phone, path, token(all))
    const hrefOf = (id: number) => [...before].find(([, etag]) => etag?.startsWith(`"${id}-`))?.[0] ?? ''
    expect([...next.responses.keys()].toSorted()).toEqual([hrefOf(one.id), hrefOf(two.id)].toSorted())
    expect(next.responses.get(hrefOf(two.id))?.status).toBe('HTTP/1.1 404 Not Found')
    expect(next.responses.get(hrefOf(one.id))?.found.get(dav('getetag'))?.text).toBe(`"${one.id}-3"`)
    const nothing = await follow(phone, path, token(next))
    expect([nothing.responses.size, token(nothing)]).toEqual([0, token(next)])
    expect(three.id).toBeGreaterThan(0)
  })

  test('tells of an object that moved to another calendar at both, and of one that came back from the trash', async () => {
    const { ada, phone, path } = await start()
    const event = await meeting(ada)
    const other = (await ada.request('POST', '/api/calendars', { body: { name: 'Other' } })).body
    const there = `${phone.home}calendar-${other.id}/`
    const [here, away] = [token(await follow(phone, path, '')), token(await follow(phone, there, ''))]
    const [[href] = ['']] = await tagsIn(phone, path)
    const name = href.slice(path.length)
    await ada.request('PUT', `/api/events/${event.id}`, { body: { calendar_id: other.id } })
    const left = await follow(phone, path, here)
    expect(left.responses.get(href)?.status).toBe('HTTP/1.1 404 Not Found')
    const came = await follow(phone, there, away)
    expect([...came.responses.keys()]).toEqual([there + name])
    await ada.request('DELETE', `/api/events/${event.id}`)
    const deleted = await follow(phone, there, token(came))
    expect(deleted.responses.get(there + name)?.status).toBe('HTTP/1.1 404 Not Found')
    const [trashed] = (await ada.request('GET', '/api/trash')).body.items
    await ada.request('POST', `/api/trash/${trashed.id}/restore`)
    const back = await follow(phone, there, token(deleted))
    expect([...back.responses.keys()]).toEqual([there + name])
    expect(back.responses.get(there + name)?.status).toBeUndefined()
  })

  test('goes on after a limit until everything is told', async () => {
    const { ada, phone, path } = await start()
    for (let n = 0; n < 5; n++) await meeting(ada, `Event ${n}`)
    const seen = new Set<string>()
    let since = ''
    for (let page = 0; page < 10; page++) {
      const answer = await follow(phone, path, since, 2)
      since = token(answer)
      for (const href of answer.responses.keys()) if (href !== path) seen.add(href)
      const isCut = answer.responses.get(path)?.status === 'HTTP/1.1 507 Insufficient Storage'
      expect(isCut).toBe(page < 2)
      if (!isCut) break
    }
    expect(seen.size).toBe(5)
  })

  test('refuses tokens that do not count here, so that the client starts again', async () => {
    const { ada, phone, path } = await start()
    const other = (await ada.request('POST', '/api/calendars', { body: { name: 'Other' } })).body
    const own = token(await follow(phone, path, ''))
    const foreign = token(await follow(phone, `${phone.home}calendar-${other.id}/`, ''))
    const future = own.replace(/\d+$/, (place) => String(Number(place) + 1000))
    const past = own.replace(/\/[\w-]+\/(\d+)$/, '/00000000000000000000000000000000-abc/$1')
    for (const given of [foreign, future, past, 'x', 'https://organiser.invalid/ns/sync/', `${own}x`]) {
      const answer = await follow(phone, path, given)
      expect([given, answer.status]).toEqual([given, 403])
      expect(childOf(answer.xml, dav('valid-sync-token'))).toBeDefined()
    }
  })

  test('refuses a limit that is none, and reports that are not known there', async () => {
    const { phone, path } = await start()
    expect((await follow(phone, path, '', 0)).status).toBe(400)
    const unknown = await phone.report(path, '<x xmlns="urn:x"/>')
    expect(unknown.status).toBe(403)
    expect(childOf(unknown.xml, dav('supported-report'))).toBeDefined()
    expect((await phone.report(phone.home, syncOf(''))).status).toBe(403)
    expect((await phone.report(path, '')).status).toBe(400)
  })
})
