import { describe, expect, test } from 'bun:test'
import { childOf, textOfChild } from '../../src/lib/xml/element'
import { caldav, dav } from '../../src/lib/xml/names'
import { type Phone, phoneOf, PREFIXES, syncOf } from '../support/dav'
import { invitedTo } from '../support/inviting'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

const SINGLE = { title: 'Choir', start_at: '2026-03-10T12:00', end_at: '2026-03-10T13:00' }
const WEEKLY = { ...SINGLE, recurrence_rule: 'FREQ=WEEKLY;COUNT=4' }

/** Bob, invited by Ada, shows the event in his default calendar, which his phone follows. */
async function start(body: Record<string, unknown> = SINGLE) {
  const { ada, bob, event, invitation } = await invitedTo(h, { time_zone: 'Europe/Berlin', ...body })
  const phone = await phoneOf(h, bob)
  const { calendars } = (await bob.request('GET', '/api/calendars')).body
  const own = calendars.find(({ is_default }: { is_default: boolean }) => is_default).id
  const path = `${phone.home}calendar-${own}/`
  await bob.display(invitation.id, own)
  return { ada, bob, event, invitation, phone, path, href: `${path}inv-${invitation.id}.ics` }
}

const read = async (phone: Phone, href: string) => {
  const { status, text, headers } = await phone.send('GET', href)
  return { status, text, etag: headers.get('etag') ?? '' }
}
const put = (phone: Phone, href: string, body: string, headers: Record<string, string> = {}) =>
  phone.send('PUT', href, { body, headers })
const urn = (userId: number) => `urn:uuid:00000000-0000-4000-8001-${userId.toString(16).padStart(12, '0')}`

/** The text with another answer in its first component, as phones write it. */
const answering = (text: string, status: string) =>
  text
    .replaceAll(/\r\n[ \t]/g, '')
    .replace(/(;PARTSTAT=)[A-Z-]+(?:;RSVP=TRUE)?/, `$1${status}`)
    .replace(/DTSTAMP:.*/, 'DTSTAMP:20300101T000000Z')
    .replace('END:VEVENT', 'X-MOZ-LASTACK:20300101T000000Z\r\nEND:VEVENT')

/** An answer to one occurrence, as an override with nothing else. */
const answeringOne = (text: string, day: string, status: string) => {
  const plain = text.replaceAll(/\r\n[ \t]/g, '')
  const [master = ''] = /BEGIN:VEVENT[^]*?END:VEVENT\r\n/.exec(plain) ?? []
  const override = master
    .replace(/RRULE:.*\r\n/, '')
    .replace(
      /DTSTART;TZID=Europe\/Berlin:\d{8}/,
      `RECURRENCE-ID;TZID=Europe/Berlin:${day}T120000\r\nDTSTART;TZID=Europe/Berlin:${day}`,
    )
    .replace(/DTEND;TZID=Europe\/Berlin:\d{8}/, `DTEND;TZID=Europe/Berlin:${day}`)
    .replace(/(;PARTSTAT=)[A-Z-]+(?:;RSVP=TRUE)?/, `$1${status}`)
  return plain.replace('END:VCALENDAR', `${override}END:VCALENDAR`)
}

const alarm = (minutes: number) =>
  `BEGIN:VALARM\r\nACTION:DISPLAY\r\nDESCRIPTION:Own\r\nTRIGGER:-PT${minutes}M\r\nX-WR-ALARMUID:7\r\nEND:VALARM\r\n`
const withAlarm = (text: string, minutes: number) => text.replace('END:VEVENT', `${alarm(minutes)}END:VEVENT`)

async function follower(phone: Phone, path: string) {
  const tokenIn = ({ xml }: Awaited<ReturnType<Phone['report']>>) => textOfChild(xml, dav('sync-token')) ?? ''
  let token = tokenIn(await phone.report(path, syncOf('')))
  return async () => {
    const answer = await phone.report(path, syncOf(token))
    token = tokenIn(answer)
    return Object.fromEntries(
      [...answer.responses].map(([href, { status }]) => [href.slice(path.length), status === undefined]),
    )
  }
}

const responseOf = async (
  ada: {
    invitationsTo: (
      id: number,
      query?: string,
    ) => Promise<{ body: { invitations: Array<{ response: string | null }> } }>
  },
  id: number,
  query = '',
) => (await ada.invitationsTo(id, query)).body.invitations[0]?.response

describe('an invitation', () => {
  test('is an object of the calendar that shows it, as the invitee may see the event', async () => {
    const { ada, bob, event, phone, path, href } = await start({
      ...SINGLE,
      reminder_minutes: 30,
      description: 'Sing',
    })
    const { text, etag } = await read(phone, href)
    const lines = text.replaceAll(/\r\n[ \t]/g, '').split('\r\n')
    expect(lines).toContain(`ORGANIZER;CN="${ada.row.networkName}":${urn(ada.row.id)}`)
    expect(lines).toContain(
      `ATTENDEE;CN="${bob.row.networkName}";PARTSTAT=NEEDS-ACTION;RSVP=TRUE:${urn(bob.row.id)}`,
    )
    expect(lines).toContain('SUMMARY:Choir')
    expect(lines).toContain('DTSTART;TZID=Europe/Berlin:20260310T120000')
    expect(text).not.toContain('VALARM')
    expect(etag).toMatch(/^"inv-\d+-\d+"$/)
    const { responses } = await phone.propfind(path, ['d:getetag', 'd:getcontenttype'], '1')
    expect(responses.get(href)?.found.get(dav('getetag'))?.text).toBe(etag)
    const query = `<c:calendar-query ${PREFIXES}><d:prop><d:getetag/></d:prop><c:filter><c:comp-filter name="VCALENDAR"><c:comp-filter name="VEVENT"><c:time-range start="20260310T000000Z" end="20260311T000000Z"/></c:comp-filter></c:comp-filter></c:filter></c:calendar-query>`
    expect([...(await phone.report(path, query)).responses.keys()]).toEqual([href])
    expect((await bob.request('GET', `/api/events/${event.id}`)).body.my_invitation.response).toBeNull()
  })

  test('shows nobody else, and none of the lines that only the organiser wrote', async () => {
    const { ada, event, phone, href } = await start()
    const organisers = await phoneOf(h, ada)
    const own = `${organisers.home}calendar-${event.calendar_id}/`
    const [, at = ''] = [...(await organisers.propfind(own, ['d:getetag'], '1')).responses.keys()]
    const { text } = await read(organisers, at)
    const secret = text.replace(
      'END:VEVENT',
      `X-SECRET:1\r\nATTENDEE:mailto:eve@example.org\r\nCOMMENT:Not for guests\r\n${alarm(45)}END:VEVENT`,
    )
    expect((await put(organisers, at, secret)).status).toBe(204)
    expect((await read(phone, href)).text).not.toMatch(/SECRET|eve@|COMMENT|VALARM/)
  })

  test('is answered by a PUT that changes nothing but the own PARTSTAT, and the organiser sees it at once', async () => {
    const { ada, event, phone, path, href } = await start()
    const before = await read(phone, href)
    const heard = await follower(phone, path)
    const done = await put(phone, href, answering(before.text, 'ACCEPTED'), { 'if-match': before.etag })
    expect([done.status, done.headers.get('etag')]).toEqual([204, null])
    expect(await responseOf(ada, event.id)).toBe('Going')
    expect(await ada.heard()).toHaveLength(1)
    expect(await heard()).toEqual({ [href.slice(path.length)]: true })
    const after = await read(phone, href)
    expect(after.etag).not.toBe(before.etag)
    expect(after.text.replaceAll(/\r\n[ \t]/g, '')).toContain('PARTSTAT=ACCEPTED')
    const again = await put(phone, href, answering(before.text, 'DECLINED'), { 'if-match': before.etag })
    expect(again.status).toBe(412)
    expect((await put(phone, href, answering(before.text, 'TENTATIVE'))).status).toBe(204)
    expect(await responseOf(ada, event.id)).toBe('Tentative')
  })

  test('of a series is answered for one occurrence by an override', async () => {
    const { ada, event, phone, href } = await start(WEEKLY)
    const { text } = await read(phone, href)
    expect((await put(phone, href, answering(text, 'ACCEPTED'))).status).toBe(204)
    const accepted = await read(phone, href)
    const one = await put(phone, href, answeringOne(accepted.text, '20260317', 'DECLINED'))
    expect([one.status, one.text]).toEqual([204, ''])
    expect(await responseOf(ada, event.id)).toBe('Going')
    const at = (day: string) => `?occurrence_start=${day}T12:00`
    expect(await responseOf(ada, event.id, at('2026-03-17'))).toBe('Declined')
    expect(await responseOf(ada, event.id, at('2026-03-24'))).toBe('Going')
    const { text: shown } = await read(phone, href)
    const override = shown.replaceAll(/\r\n[ \t]/g, '').split('BEGIN:VEVENT')[2] ?? ''
    expect(override).toContain('RECURRENCE-ID;TZID=Europe/Berlin:20260317T120000')
    expect(override).toContain('PARTSTAT=DECLINED')
    expect((await put(phone, href, shown)).status).toBe(204)
    expect(await responseOf(ada, event.id, at('2026-03-17'))).toBe('Declined')
  })

  test('keeps the alarms and the transparency of the invitee, of which nobody else hears', async () => {
    const { ada, event, phone, href, bob } = await start()
    const { text } = await read(phone, href)
    const own = withAlarm(text, 25).replace('END:VEVENT', 'TRANSP:TRANSPARENT\r\nEND:VEVENT')
    expect((await put(phone, href, own)).status).toBe(204)
    const shown = (await read(phone, href)).text
    expect(shown).toContain(alarm(25))
    expect(shown).toContain('TRANSP:TRANSPARENT')
    expect(await ada.heard()).toEqual([])
    const { body } = await ada.request('GET', `/api/events/${event.id}`)
    expect([body.version, body.reminder_minutes]).toEqual([1, null])
    await ada.request('PUT', `/api/events/${event.id}`, { body: { title: 'Band' } })
    const changed = (await read(phone, href)).text
    expect([changed.includes(alarm(25)), changed.includes('SUMMARY:Band')]).toEqual([true, true])
    expect((await put(phone, href, text.replace('Choir', 'Band'))).status).toBe(204)
    expect((await read(phone, href)).text).not.toContain('VALARM')
    expect((await bob.invitations()).body.invitations[0].response).toBeNull()
  })

  test('keeps the alarms in both series when the organiser divides one', async () => {
    const { ada, bob, event, phone, path, href } = await start(WEEKLY)
    await put(phone, href, withAlarm((await read(phone, href)).text, 25))
    const from = { scope: 'following', occurrence_start: '2026-03-24T12:00+01:00' }
    expect((await ada.change(event.id, { title: 'Band' }, from)).status).toBe(200)
    const { invitations } = (await bob.invitations()).body
    expect(invitations).toHaveLength(2)
    for (const { id, event_title } of invitations) {
      const { text } = await read(phone, `${path}inv-${id}.ics`)
      expect([text.includes(`SUMMARY:${event_title}`), text.includes(alarm(25))]).toEqual([true, true])
    }
  })

  test('refuses any other change of meaning with the privileges that are missing, and changes nothing', async () => {
    const { ada, event, phone, href } = await start(WEEKLY)
    const { text, etag } = await read(phone, href)
    const changes: ReadonlyArray<readonly [string, (text: string) => string]> = [
      ['title', (one) => one.replace('SUMMARY:Choir', 'SUMMARY:Band')],
      ['time', (one) => one.replace('T120000', 'T110000')],
      ['rule', (one) => one.replace('COUNT=4', 'COUNT=5')],
      [
        'exception',
        (one) => one.replace('END:VEVENT', 'EXDATE;TZID=Europe/Berlin:20260317T120000\r\nEND:VEVENT'),
      ],
      ['place', (one) => one.replace('END:VEVENT', 'LOCATION:Hall\r\nEND:VEVENT')],
      ['status', (one) => one.replace('END:VEVENT', 'STATUS:CANCELLED\r\nEND:VEVENT')],
      ['guests', (one) => one.replace('END:VEVENT', 'ATTENDEE:mailto:eve@example.org\r\nEND:VEVENT')],
      ['organiser', (one) => one.replace('ORGANIZER', 'X-ORGANIZER')],
      ['attendee', (one) => one.replace('ATTENDEE', 'X-ATTENDEE')],
      ['delegation', (one) => answering(one, 'DELEGATED')],
      ['an attachment', (one) => one.replace('END:VEVENT', 'ATTACH:https://example.org/a\r\nEND:VEVENT')],
    ]
    for (const [what, change] of changes) {
      const given = change(answering(text, 'ACCEPTED'))
      const { status, xml } = await put(phone, href, given)
      expect([what, status]).toEqual([what, 403])
      expect(childOf(xml, dav('need-privileges'))).toBeDefined()
    }
    expect((await put(phone, href, 'x')).status).toBe(403)
    expect((await read(phone, href)).etag).toBe(etag)
    expect(await responseOf(ada, event.id)).toBeNull()
    await put(phone, href, answering(text, 'ACCEPTED'))
    expect((await put(phone, href, answering(text, 'NEEDS-ACTION'))).status).toBe(403)
  })

  test('is declined by DELETE, and is gone', async () => {
    const { ada, bob, event, phone, path, href, invitation } = await start()
    const heard = await follower(phone, path)
    const { etag } = await read(phone, href)
    expect((await phone.send('DELETE', href, { headers: { 'if-match': '"inv-1-1"' } })).status).toBe(412)
    expect((await phone.send('DELETE', href, { headers: { 'if-match': etag } })).status).toBe(204)
    expect(await responseOf(ada, event.id)).toBe('Declined')
    expect((await read(phone, href)).status).toBe(404)
    expect((await phone.send('DELETE', href)).status).toBe(404)
    expect(await heard()).toEqual({ [`inv-${invitation.id}.ics`]: false })
    expect((await bob.request('GET', `/api/events/${event.id}`)).body.my_invitation.response).toBe('Declined')
    const { operations } = (await bob.request('GET', '/api/operations')).body
    const undone = await bob.request('POST', `/api/operations/${operations[0]?.id}/undo`)
    expect(undone.status).not.toBe(200)
  })

  test('takes no name, no UID and no place from events of the invitee', async () => {
    const { phone, path, href } = await start()
    const { text } = await read(phone, href)
    const conflict = await put(phone, `${path}mine.ics`, text)
    expect(conflict.status).toBe(409)
    const found = childOf(conflict.xml, caldav('no-uid-conflict'))
    expect(found && textOfChild(found, dav('href'))).toBe(href)
    expect((await put(phone, `${path}inv-999.ics`, text.replace(/UID:.*/, 'UID:x'))).status).toBe(403)
    expect((await put(phone, href, text.replace(/UID:.*/, 'UID:x'))).status).toBe(409)
    await put(phone, `${path}mine.ics`, text.replace(/UID:.*/, 'UID:x'))
    const moved = await phone.send('MOVE', `${path}mine.ics`, { headers: { destination: href } })
    expect(moved.status).toBe(403)
  })
})

describe('sync of the calendar that shows an invitation', () => {
  test('tells whatever the organiser or JSON changes of it', async () => {
    const { ada, bob, event, invitation, phone, path } = await start(WEEKLY)
    const name = `inv-${invitation.id}.ics`
    const heard = await follower(phone, path)
    const other = (await bob.request('POST', '/api/calendars', { body: { name: 'Other' } })).body.id
    const elsewhere = await follower(phone, `${phone.home}calendar-${other}/`)
    const acts: ReadonlyArray<readonly [string, () => Promise<unknown>, boolean]> = [
      ['title', () => ada.change(event.id, { title: 'Band' }), true],
      [
        'one occurrence',
        () =>
          ada.change(
            event.id,
            { title: 'Trio' },
            { scope: 'this', occurrence_start: '2026-03-17T12:00+01:00' },
          ),
        true,
      ],
      [
        'an exception',
        () => ada.remove(event.id, { scope: 'this', occurrence_start: '2026-03-24T12:00+01:00' }),
        true,
      ],
      ['an answer', () => bob.respond(invitation.id, 'Going'), true],
      ['an answer to one', () => bob.respond(invitation.id, 'Declined', '2026-03-17T12:00+01:00'), true],
      [
        'a name',
        () => ada.request('PUT', '/api/settings', { body: { network_name: `${ada.row.networkName}-2` } }),
        true,
      ],
      ['another calendar', () => bob.display(invitation.id, other), false],
    ]
    for (const [what, act, isThere] of acts) {
      await act()
      expect([what, await heard()]).toEqual([what, { [name]: isThere }])
    }
    expect(await elsewhere()).toEqual({ [name]: true })
    const from = `${phone.home}calendar-${other}/${name}`
    const back = await phone.send('MOVE', from, { headers: { destination: path + name } })
    expect([back.status, await heard(), await elsewhere()]).toEqual([
      201,
      { [name]: true },
      { [name]: false },
    ])
    await ada.uninvite(event.id, invitation.id)
    expect(await heard()).toEqual({ [name]: false })
  })

  test('tells when the event is deleted, and not the members of the calendar', async () => {
    const { ada, event, invitation, phone, path } = await start()
    const heard = await follower(phone, path)
    await ada.remove(event.id)
    expect(await heard()).toEqual({ [`inv-${invitation.id}.ics`]: false })
  })
})
