import { describe, expect, test } from 'bun:test'
import { childOf } from '../../src/lib/xml/element'
import { caldav, carddav, dav } from '../../src/lib/xml/names'
import { xmlReader } from '../../src/adapters/xml'
import { cardOf, multigetOfCards, putCard } from '../support/cards'
import { multigetOf, type Phone, phoneOf, PREFIXES, propfindOf } from '../support/dav'
import { organiser } from '../support/events'
import { eventText } from '../support/household'
import { invitedTo } from '../support/inviting'
import { lockWaiters } from '../support/locks'
import { sharedWith } from '../support/sharing'
import { useHarness } from '../support/use-harness'
import { useSql } from '../support/use-sql'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })
const holder = useSql(h)
const watcher = useSql(h)

async function start() {
  const ada = await organiser(h, 'Europe/Berlin')
  const phone = await phoneOf(h, ada)
  const { responses } = await phone.propfind(phone.home, ['d:displayname'], '1')
  const [, path = ''] = [...responses.keys()]
  return { ada, phone, path }
}

const put = (phone: Phone, href: string, body: string, headers: Record<string, string> = {}) =>
  phone.send('PUT', href, { body, headers })
const refusal = ({ status, xml }: { status: number; xml: Parameters<typeof childOf>[0] }) => [
  status,
  xml.name,
  xml.children[0]?.name,
]

test('PUT below an area without a scope is 404, and below a collection that is not there 409 for who would see it', async () => {
  const { ada, phone, path } = await start()
  const text = eventText('x', 'Lunch')
  expect((await put(phone, `${phone.home}none/x.ics`, text)).status).toBe(409)
  const narrow = await phoneOf(h, ada, ['dav', 'people:write'])
  for (const at of [path, `${phone.home}todos/`, `${phone.home}none/`])
    expect([at, (await put(narrow, `${at}x.ics`, text)).status]).toEqual([at, 404])
})

test('a name that nothing can have is refused with what is wrong about it', async () => {
  const { phone, path } = await start()
  const text = eventText('x', 'Lunch')
  const long = `${'x'.repeat(252)}.ics`
  for (const name of [long, 'a%2Fb.ics', 'a%00b.ics', 'a%0Ab.ics']) {
    const answers = [
      await put(phone, path + name, text),
      await phone.send('MKCALENDAR', `${phone.home}${name}/`),
    ]
    for (const answer of answers)
      expect([name, ...refusal(answer)]).toEqual([name, 403, dav('error'), dav('name-allowed')])
    expect((await phone.send('GET', path + name)).status).toBe(404)
  }
  await put(phone, `${path}x.ics`, text)
  const moved = await phone.send('MOVE', `${path}x.ics`, { headers: { destination: path + long } })
  expect(refusal(moved)).toEqual([403, dav('error'), dav('name-allowed')])
})

test('names that invitations and private events have are nobody else’s, whoever looks', async () => {
  const { ada, bob, calendar } = await sharedWith(h, 'write')
  const [own, member] = [await phoneOf(h, ada), await phoneOf(h, bob)]
  for (const phone of [own, member]) {
    const path = `${phone.home}calendar-${calendar.id}/`
    for (const name of ['inv-7.ics', 'private-7.ics']) {
      const answer = await put(phone, path + name, eventText(name, 'Lunch'))
      expect([name, ...refusal(answer)]).toEqual([name, 403, dav('error'), dav('need-privileges')])
    }
    expect((await put(phone, `${path}x.ics`, eventText(`x-${phone.userId}`, 'Lunch'))).status).toBeLessThan(
      300,
    )
    const headers = { destination: `${path}private-9.ics` }
    expect((await phone.send('MOVE', `${path}x.ics`, { headers })).status).toBe(403)
    await phone.send('DELETE', `${path}x.ics`)
  }
  const body = eventText('private-5', 'Lunch')
  const headers = { 'content-type': 'text/calendar' }
  expect((await ada.request('POST', `/api/calendars/${calendar.id}/import`, { body, headers })).status).toBe(
    200,
  )
  const { responses } = await member.propfind(`${member.home}calendar-${calendar.id}/`, ['d:getetag'], '1')
  expect([...responses.keys()].at(-1)).toMatch(/\/\d+\.ics$/)
})

test('what was declined and still shows keeps nobody busy', async () => {
  const { bob, invitation } = await invitedTo(h, {
    title: 'Choir',
    start_at: '2026-03-10T12:00',
    end_at: '2026-03-10T13:00',
    time_zone: 'UTC',
  })
  const phone = await phoneOf(h, bob)
  const { calendars } = (await bob.request('GET', '/api/calendars')).body
  const { id } = calendars.find(({ is_default }: { is_default: boolean }) => is_default)
  await bob.display(invitation.id, id)
  const path = `${phone.home}calendar-${id}/`
  const busy = async () => {
    const body = `<c:free-busy-query ${PREFIXES}><c:time-range start="20260310T000000Z" end="20260311T000000Z"/></c:free-busy-query>`
    return (await phone.report(path, body)).text.match(/^FREEBUSY/gm)?.length ?? 0
  }
  expect(await busy()).toBe(1)
  await bob.respond(invitation.id, 'Declined')
  await bob.display(invitation.id, id)
  expect((await phone.propfind(path, ['d:getetag'], '1')).responses.size).toBe(2)
  expect(await busy()).toBe(0)
})

test('an object with too many instances to be expanded says so, and all others are told', async () => {
  const { phone, path } = await start()
  await put(phone, `${path}one.ics`, eventText('one', 'Lunch'))
  await put(phone, `${path}many.ics`, eventText('many', 'Second', { more: ['RRULE:FREQ=SECONDLY'] }))
  const data =
    '<c:calendar-data><c:expand start="20260301T000000Z" end="20260401T000000Z"/></c:calendar-data>'
  const body = multigetOf([`${path}one.ics`, `${path}many.ics`], ['d:getetag']).replace(
    '</d:prop>',
    `${data}</d:prop>`,
  )
  const { status, responses } = await phone.report(path, body)
  expect(status).toBe(207)
  const one = responses.get(`${path}one.ics`)
  expect(one?.found.get(caldav('calendar-data'))?.text).toContain('SUMMARY:Lunch')
  const many = responses.get(`${path}many.ics`)
  expect([many?.found.has(dav('getetag')), many?.missing]).toEqual([true, []])
  const [, stat] = many?.element.children.filter(({ name }) => name === dav('propstat')) ?? []
  expect(stat?.children.map(({ name, text, children }) => [name, text || children[0]?.name])).toEqual([
    [dav('prop'), caldav('calendar-data')],
    [dav('status'), 'HTTP/1.1 403 Forbidden'],
    [dav('error'), caldav('max-instances')],
  ])
})

test('a card is told in 3.0 where no version is asked for, as phones expect', async () => {
  const { phone } = await start()
  const path = `/dav/addressbooks/${phone.userId}/contacts/`
  await putCard(phone, `${path}four.vcf`, cardOf('four').replace('VERSION:3.0', 'VERSION:4.0'))
  const { responses } = await phone.report(path, multigetOfCards([`${path}four.vcf`]))
  expect(responses.get(`${path}four.vcf`)?.found.get(carddav('address-data'))?.text).toContain(
    'VERSION:3.0\r\n',
  )
  expect((await phone.send('GET', `${path}four.vcf`)).text).toContain('VERSION:4.0\r\n')
})

test('a request beyond its deadline is 503 with an error in XML', async () => {
  const { ada, phone, path } = await start()
  const { answer } = await holder.begin(async (tx) => {
    await tx`select from users where id = ${ada.row.id} for update`
    const pending = put(phone, `${path}x.ics`, eventText('x', 'Lunch'))
    await lockWaiters(watcher)
    h.clock.advance({ seconds: 61 })
    return { answer: await pending }
  })
  const { status, headers, xml } = answer
  expect([status, headers.get('content-type'), xml.name, headers.get('retry-after')]).toEqual([
    503,
    'application/xml; charset=utf-8',
    dav('error'),
    '2',
  ])
})

test('a listing that fails before anything of it was sent is refused, and no connection breaks', async () => {
  const { phone, path } = await start()
  await put(phone, `${path}x.ics`, eventText('x', 'Lunch'))
  const tableNamed = (from: string, to: string) => watcher.unsafe(`alter table ${from} rename to ${to}`)
  await tableNamed('event_texts', 'away')
  try {
    const listing = await phone.send('PROPFIND', path, {
      body: propfindOf(['d:getetag', 'c:calendar-data']),
      headers: { depth: '1' },
    })
    const named = await phone.send('REPORT', path, { body: multigetOf([`${path}x.ics`]) })
    expect([listing, named].map(({ status }) => status)).toEqual([500, 500])
  } finally {
    await tableNamed('away', 'event_texts')
  }
})

describe('a long answer', () => {
  const begin = async (permission: 'read' | 'write' = 'read') => {
    const { ada, bob, calendar, member } = await sharedWith(h, permission)
    const owner = await phoneOf(h, ada)
    const phone = await phoneOf(h, bob)
    const long = [`DESCRIPTION:${'x'.repeat(20_000)}`]
    for (let at = 0; at < 12; at++)
      await put(
        owner,
        `${owner.home}calendar-${calendar.id}/${at}.ics`,
        eventText(`u${at}`, 'Lunch', { more: long }),
      )
    return { ada, bob, calendar, member, phone, path: `${phone.home}calendar-${calendar.id}/` }
  }
  const reading = async ({ authorization }: Phone, path: string, names: number) => {
    const hrefs = Array.from({ length: names }, (_, at) => `${path}${at % 12}.ics?${at}`)
    const body = multigetOf(hrefs)
    const headers = { authorization, depth: '1', 'content-length': String(body.length) }
    const response = await h.app.fetch(
      new Request(`http://localhost${path}`, { method: 'REPORT', body, headers }),
    )
    expect(response.status).toBe(207)
    const reader = response.body?.getReader()
    if (!reader) throw new Error('no body')
    const first = new TextDecoder().decode((await reader.read()).value)
    const rest = async () => {
      let text = first
      for (;;) {
        const { value, done } = await reader.read()
        if (done) return text
        text += new TextDecoder().decode(value)
      }
    }
    return { rest }
  }

  test('breaks off when the share is taken away meanwhile, or the app password revoked', async () => {
    for (const end of ['dismiss', 'revoke', 'nothing'] as const) {
      const { ada, bob, calendar, member, phone, path } = await begin()
      const { rest } = await reading(phone, path, 500)
      if (end === 'dismiss') await ada.dismiss(calendar.id, member.id)
      if (end === 'revoke') await bob.request('DELETE', `/api/auth/tokens/${phone.tokenId}`)
      h.clock.advance({ seconds: 2 })
      if (end === 'nothing') {
        const told = xmlReader.read(await rest()).children.map((child) => childOf(child, dav('href'))?.text)
        expect(new Set(told)).toEqual(new Set(Array.from({ length: 12 }, (_, at) => `${path}${at}.ics`)))
      } else
        expect(
          await rest().then(
            () => 'whole',
            () => 'broken off',
          ),
        ).toBe('broken off')
    }
  })
})
