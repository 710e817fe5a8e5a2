import { describe, expect, test } from 'bun:test'
import { childOf } from '../../src/lib/xml/element'
import { caldav, dav, ical } from '../../src/lib/xml/names'
import { PREFIXES, type Phone, phoneOf } from '../support/dav'
import { organiser } from '../support/events'
import { sharedWith } from '../support/sharing'
import type { Actor } from '../support/harness'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const NOTE = '{urn:example}note'

async function start() {
  const ada = await organiser(h)
  const phone = await phoneOf(h, ada)
  return { ada, phone, path: await firstOf(phone) }
}
async function firstOf(phone: Phone) {
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const [, path = ''] = [...responses.keys()]
  return path
}
const patch = (phone: Phone, path: string, set: string, remove = '') =>
  phone.send('PROPPATCH', path, {
    body: `<d:propertyupdate ${PREFIXES} xmlns:e="urn:example">${set && `<d:set><d:prop>${set}</d:prop></d:set>`}${
      remove && `<d:remove><d:prop>${remove}</d:prop></d:remove>`
    }</d:propertyupdate>`,
  })
const read = async (phone: Phone, path: string, name: string, spelled: string) =>
  (await phone.propfind(path, [spelled])).responses.get(path)?.found.get(name)

describe('PROPPATCH', () => {
  test('keeps properties that the service does not know, with their attributes and markup, for this user alone', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'read')
    const [own, other] = [await phoneOf(h, ada), await phoneOf(h, bob)]
    const path = (phone: Phone) => `${phone.home}calendar-${calendar.id}/`
    const value = '<e:note xml:lang="de" e:kind="x&amp;y">a <e:b>c</e:b> d</e:note>'
    const { status, responses } = await patch(own, path(own), value)
    expect([status, [...(responses.get(path(own))?.found.keys() ?? [])]]).toEqual([207, [NOTE]])
    const all = await own.send('PROPFIND', path(own), { headers: { depth: '0' } })
    const kept = all.responses.get(path(own))?.found.get(NOTE)
    expect(kept?.attributes).toEqual(
      new Map([
        ['{http://www.w3.org/XML/1998/namespace}lang', 'de'],
        ['{urn:example}kind', 'x&y'],
      ]),
    )
    expect(kept?.nodes?.map((node) => (typeof node === 'string' ? node : node.text))).toEqual([
      'a ',
      'c',
      ' d',
    ])
    const foreign = await other.send('PROPFIND', path(other), { headers: { depth: '0' } })
    expect(foreign.responses.get(path(other))?.found.has(NOTE)).toBe(false)
    await patch(own, path(own), '', '<e:note/>')
    const gone = await own.send('PROPFIND', path(own), { headers: { depth: '0' } })
    expect(gone.responses.get(path(own))?.found.has(NOTE)).toBe(false)
  })

  test('renames and colours a calendar in JSON too, and gives back what was sent until JSON changes it', async () => {
    const { ada, phone, path } = await start()
    await ada.request('POST', '/api/calendars', { body: { name: 'Familie' } })
    await patch(
      phone,
      path,
      '<d:displayname>Familie</d:displayname><a:calendar-color symbolic-color="custom">#AABBCC80</a:calendar-color>',
    )
    const calendars = async () => (await ada.request('GET', '/api/calendars')).body.calendars
    const mine = (await calendars()).find(({ is_default }: { is_default: boolean }) => is_default)
    expect(mine).toMatchObject({ name: 'Familie (2)', color: '#aabbcc' })
    expect((await read(phone, path, dav('displayname'), 'd:displayname'))?.text).toBe('Familie')
    const color = await read(phone, path, ical('calendar-color'), 'a:calendar-color')
    expect([color?.text, color?.attributes.get('symbolic-color')]).toEqual(['#AABBCC80', 'custom'])
    await ada.request('PUT', `/api/calendars/${mine.id}`, { body: { name: 'Haus', color: '#112233' } })
    expect((await read(phone, path, dav('displayname'), 'd:displayname'))?.text).toBe('Haus')
    expect((await read(phone, path, ical('calendar-color'), 'a:calendar-color'))?.text).toBe('#112233FF')
  })

  test('gives a member a name and a colour of their own', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'read')
    const phone = await phoneOf(h, bob)
    const path = `${phone.home}calendar-${calendar.id}/`
    await patch(
      phone,
      path,
      '<d:displayname>Singing</d:displayname><a:calendar-color>#00FF00FF</a:calendar-color>',
    )
    expect((await read(phone, path, dav('displayname'), 'd:displayname'))?.text).toBe('Singing')
    const [seen] = (await ada.request('GET', '/api/calendars')).body.calendars.filter(
      ({ id }: { id: number }) => id === calendar.id,
    )
    expect(seen.name).toBe('Choir')
    expect(seen.color).not.toBe('#00ff00')
    const [theirs] = (await bob.request('GET', '/api/calendars')).body.calendars.filter(
      ({ id }: { id: number }) => id === calendar.id,
    )
    expect([theirs.name, theirs.color]).toEqual(['Choir', '#00ff00'])
  })

  test('keeps several attributes of one namespace, and what XML itself defines, so that the answer can be read again', async () => {
    const { phone, path } = await start()
    await patch(phone, path, '<e:note e:a="1" e:b="2" xml:space="preserve"><xml:x/></e:note>')
    const all = await phone.send('PROPFIND', path, { headers: { depth: '0' } })
    expect(all.responses.get(path)?.found.get(NOTE)?.attributes.get('{urn:example}b')).toBe('2')
  })

  test('and MKCALENDAR and DELETE of a collection are refused to an app password that only reads', async () => {
    const { ada, phone, path } = await start()
    const made = (await ada.request('POST', '/api/calendars', { body: { name: 'Other' } })).body
    const reader = await phoneOf(h, ada, ['dav', 'calendars:read'])
    const attempts = [
      await patch(reader, path, '<a:calendar-color>#00FF00FF</a:calendar-color>'),
      await reader.send('MKCALENDAR', `${phone.home}new/`),
      await reader.send('DELETE', `${phone.home}calendar-${made.id}/`),
    ]
    expect(attempts.map(({ status }) => status)).toEqual([403, 403, 403])
    expect((await ada.request('GET', `/api/calendars/${made.id}`)).status).toBe(200)
  })

  test('changes all or nothing: what cannot be changed says why, and the others depend on it', async () => {
    const { phone, path } = await start()
    const { status, responses } = await patch(
      phone,
      path,
      '<d:displayname>New</d:displayname><d:getetag>x</d:getetag><e:note>n</e:note><c:calendar-timezone>no zone</c:calendar-timezone>',
    )
    expect(status).toBe(207)
    const stats = responses.get(path)?.element.children.filter(({ name }) => name === dav('propstat')) ?? []
    const byName = new Map(
      stats.flatMap((stat) =>
        (childOf(stat, dav('prop'))?.children ?? []).map(
          ({ name }) => [name, childOf(stat, dav('status'))?.text] as const,
        ),
      ),
    )
    expect(Object.fromEntries(byName)).toEqual({
      [dav('getetag')]: 'HTTP/1.1 403 Forbidden',
      [caldav('calendar-timezone')]: 'HTTP/1.1 403 Forbidden',
      [dav('displayname')]: 'HTTP/1.1 424 Failed Dependency',
      [NOTE]: 'HTTP/1.1 424 Failed Dependency',
    })
    expect((await read(phone, path, dav('displayname'), 'd:displayname'))?.text).toBe('Personal')
  })

  test('keeps what Apple keeps with a home, and at most a hundred properties with one place', async () => {
    const { phone } = await start()
    const alarms =
      '<c:default-alarm-vevent-datetime>BEGIN:VALARM\r\nEND:VALARM</c:default-alarm-vevent-datetime>'
    expect((await patch(phone, phone.home, alarms)).status).toBe(207)
    const kept = await read(
      phone,
      phone.home,
      caldav('default-alarm-vevent-datetime'),
      'c:default-alarm-vevent-datetime',
    )
    expect(kept?.text).toBe('BEGIN:VALARM\nEND:VALARM')
    const many = Array.from({ length: 101 }, (_, n) => `<e:p${n}>x</e:p${n}>`).join('')
    expect((await patch(phone, phone.home, many)).status).toBe(507)
    const some = (prefix: string) =>
      Array.from({ length: 60 }, (_, n) => `<e:${prefix}${n}>x</e:${prefix}${n}>`)
    expect((await patch(phone, phone.home, some('p').join(''))).status).toBe(207)
    expect((await patch(phone, phone.home, some('q').join(''))).status).toBe(507)
    const large = await patch(phone, phone.home, `<e:note>${'x'.repeat(70_000)}</e:note>`)
    expect(large.text).toContain('507 Insufficient Storage')
  })
})

describe('MKCALENDAR and MKCOL', () => {
  const calendars = async (actor: Pick<Actor, 'request'>): Promise<string[]> =>
    (await actor.request('GET', '/api/calendars')).body.calendars.map(({ name }: { name: string }) => name)

  test('make a calendar at the address that the client chose, with all that it asks for', async () => {
    const { ada, phone } = await start()
    const path = `${phone.home}0D2F-ü/`
    const body = `<c:mkcalendar ${PREFIXES}><d:set><d:prop><d:displayname>Trips</d:displayname><a:calendar-color>#FF0000FF</a:calendar-color><a:calendar-order>3</a:calendar-order><c:supported-calendar-component-set><c:comp name="VEVENT"/></c:supported-calendar-component-set></d:prop></d:set></c:mkcalendar>`
    const made = await phone.send('MKCALENDAR', path, { body })
    expect([made.status, made.headers.get('cache-control')]).toEqual([201, 'no-cache'])
    const found = await phone.propfind(
      phone.home,
      ['d:displayname', 'a:calendar-color', 'a:calendar-order'],
      '1',
    )
    const told = `${phone.home}0D2F-%C3%BC/`
    const properties = found.responses.get(told)?.found
    expect(
      [dav('displayname'), ical('calendar-color'), ical('calendar-order')].map(
        (name) => properties?.get(name)?.text,
      ),
    ).toEqual(['Trips', '#FF0000FF', '3'])
    expect(await calendars(ada)).toContain('Trips')
    const again = await phone.send('MKCALENDAR', path, { body })
    expect(again.status).toBe(403)
    expect(childOf(again.xml, dav('resource-must-be-null'))).toBeDefined()
  })

  test('make a calendar without a body, and by extended MKCOL', async () => {
    const { ada, phone } = await start()
    expect((await phone.send('MKCALENDAR', `${phone.home}plain/`)).status).toBe(201)
    const body = `<d:mkcol ${PREFIXES}><d:set><d:prop><d:resourcetype><d:collection/><c:calendar/></d:resourcetype><d:displayname>Work</d:displayname></d:prop></d:set></d:mkcol>`
    expect((await phone.send('MKCOL', `${phone.home}work/`, { body })).status).toBe(201)
    expect(await calendars(ada)).toEqual(expect.arrayContaining(['plain', 'Work']))
  })

  test('make nothing when anything cannot be', async () => {
    const { ada, phone } = await start()
    const before = await calendars(ada)
    const other = await organiser(h)
    const plain = `<d:mkcol ${PREFIXES}><d:set><d:prop><d:resourcetype><d:collection/></d:resourcetype></d:prop></d:set></d:mkcol>`
    const wrong = `<c:mkcalendar ${PREFIXES}><d:set><d:prop><d:displayname>X</d:displayname><a:calendar-color>red</a:calendar-color></d:prop></d:set></c:mkcalendar>`
    const attempts = [
      phone.send('MKCOL', `${phone.home}a/`),
      phone.send('MKCOL', `${phone.home}a/`, { body: plain }),
      phone.send('MKCALENDAR', `${phone.home}a/`, { body: wrong }),
      phone.send('MKCALENDAR', `${phone.home}calendar-99/`),
      phone.send('MKCALENDAR', `/dav/calendars/${other.row.id}/a/`),
      phone.send('MKCALENDAR', `${phone.home}a/b/`),
    ]
    for (const { status } of await Promise.all(attempts)) expect(status).toBe(403)
    expect(await calendars(ada)).toEqual(before)
  })

  test('of ten at once at one address one makes a calendar', async () => {
    const { ada, phone } = await start()
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => phone.send('MKCALENDAR', `${phone.home}same/`)),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect((await calendars(ada)).filter((name) => name.startsWith('same'))).toEqual(['same'])
  })
})

describe('DELETE', () => {
  test('of a collection deletes an own calendar into the trash, refuses the default one, and leaves a shared one', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'write')
    const [own, member] = [await phoneOf(h, ada), await phoneOf(h, bob)]
    expect((await member.send('DELETE', `${member.home}calendar-${calendar.id}/`)).status).toBe(204)
    expect((await bob.request('GET', `/api/calendars/${calendar.id}`)).status).toBe(404)
    expect((await own.send('DELETE', `${own.home}calendar-${calendar.id}/`)).status).toBe(204)
    expect((await ada.request('GET', `/api/calendars/${calendar.id}`)).status).toBe(404)
    expect((await ada.request('GET', '/api/trash')).body.items[0]).toMatchObject({
      type: 'calendar',
      title: 'Choir',
    })
    expect((await own.send('DELETE', await firstOf(own))).status).toBe(403)
    expect((await own.send('DELETE', own.home)).status).toBe(403)
  })

  test('of an object keeps its conditions, and tells the next sync', async () => {
    const { ada, phone, path } = await start()
    const event = await ada.create({
      title: 'One',
      start_at: '2026-03-10T12:00:00',
      end_at: '2026-03-10T13:00:00',
    })
    const { responses } = await phone.propfind(path, ['d:getetag'], '1')
    const [, href = ''] = [...responses.keys()]
    const etag = `"${event.id}-1"`
    const remove = (headers: Record<string, string>) => phone.send('DELETE', href, { headers })
    for (const headers of [{ 'if-match': '"x"' }, { 'if-none-match': '*' }, { if: '(["x"])' }] as Array<
      Record<string, string>
    >)
      expect((await remove(headers)).status).toBe(412)
    expect((await remove({ 'if-match': `"x", ${etag}`, if: `(<urn:lock> [${etag}])` })).status).toBe(204)
    expect((await remove({})).status).toBe(404)
    expect((await ada.read(event.id)).status).toBe(404)
  })

  test('of an object by a member who may only read is refused with the privileges that are missing', async () => {
    const { ada, bob, calendar } = await sharedWith(h, 'read')
    await ada.request('POST', '/api/events', {
      body: {
        title: 'One',
        calendar_id: calendar.id,
        start_at: '2026-03-10T12:00:00',
        end_at: '2026-03-10T13:00:00',
      },
    })
    const phone = await phoneOf(h, bob)
    const { responses } = await phone.propfind(`${phone.home}calendar-${calendar.id}/`, ['d:getetag'], '1')
    const [, href = ''] = [...responses.keys()]
    const refused = await phone.send('DELETE', href)
    expect(refused.status).toBe(403)
    expect(childOf(refused.xml, dav('need-privileges'))).toBeDefined()
  })
})
