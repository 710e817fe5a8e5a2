import { describe, expect, test } from 'bun:test'
import { childOf } from '../../src/lib/xml/element'
import { dav } from '../../src/lib/xml/names'
import {
  alarm,
  component,
  follower,
  put,
  read,
  single,
  startWith,
  triggersIn,
  whole,
} from '../support/alarms'
import { phoneOf } from '../support/dav'
import { befriend } from '../support/inviting'
import { sharer } from '../support/sharing'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })
const start = startWith(h)

describe.each(['read', 'write'] as const)('a member with permission to %s', (permission) => {
  test('sees none of the alarms of the owner, and keeps others that nobody else sees or hears of', async () => {
    const { owner, phone, own, href, ofOwner, ofMember } = await start(permission)
    const before = await read(phone, href)
    expect(before.text).toBe(single([]))
    const ofAda = await read(owner, own)
    const kept = await put(phone, href, single(alarm(30)), { 'if-match': before.etag })
    expect(kept.status).toBe(204)
    const after = await read(phone, href)
    expect(after.text).toBe(single(alarm(30)))
    expect([kept.headers.get('etag'), after.etag === before.etag]).toEqual([after.etag, false])
    expect(await ofMember()).toEqual({ heard: [`choir.ics ${after.etag}`], hasMoved: true })
    expect(await ofOwner()).toEqual({ heard: [], hasMoved: false })
    expect(await read(owner, own)).toEqual(ofAda)
  })

  test('has alarms whose tags never come again, also when all are taken away', async () => {
    const { phone, href } = await start(permission)
    const tags = [(await read(phone, href)).etag]
    for (const alarms of [alarm(30), [], alarm(30)]) {
      expect((await put(phone, href, single(alarms), { 'if-match': tags.at(-1) ?? '' })).status).toBe(204)
      const { text, etag } = await read(phone, href)
      expect(text).toBe(single(alarms))
      tags.push(etag)
    }
    expect(new Set(tags).size).toBe(4)
    const same = await put(phone, href, single(alarm(30)))
    expect([same.status, same.headers.get('etag')]).toEqual([204, tags.at(-1) ?? ''])
    expect((await put(phone, href, single([]), { 'if-match': tags[1] ?? '' })).status).toBe(412)
  })

  test('may write stamps, Thunderbird’s notes and another order along with alarms', async () => {
    const { owner, phone, own, href } = await start(permission)
    const ofAda = await read(owner, own)
    const written = single(
      [...alarm(30), 'X-MOZ-LASTACK:20260310T110000Z'],
      ['SEQUENCE:4', 'LAST-MODIFIED:20300101T000000Z', 'X-MOZ-GENERATION:2'],
    ).replace('DTSTAMP:2026', 'DTSTAMP:2030')
    const kept = await put(phone, href, written)
    expect([kept.status, kept.headers.get('etag')]).toEqual([204, null])
    const { text } = await read(phone, href)
    expect(text).toBe(single([...alarm(30), 'X-MOZ-LASTACK:20260310T110000Z']))
    expect(await read(owner, own)).toEqual(ofAda)
  })

  test('keeps alarms of single occurrences, and those of the series for all others', async () => {
    const weekly = ['RRULE:FREQ=WEEKLY;COUNT=4']
    const moved = (day: number, alarms: readonly string[]) =>
      component([`RECURRENCE-ID;TZID=Europe/Berlin:202603${day}T120000`], alarms).map((line) =>
        line.replace(/:20260310/, `:202603${day + 1}`),
      )
    const text = (...alarms: Array<readonly string[]>) =>
      whole(
        component(weekly, alarms[0] ?? []),
        moved(17, alarms[1] ?? []),
        moved(24, alarms[2] ?? alarms[0] ?? []),
      )
    const { owner, phone, own, href } = await start(permission, text(alarm(5), alarm(6), alarm(7)))
    expect((await read(phone, href)).text).toBe(text([], [], []))
    expect((await put(phone, href, text(alarm(30), []))).status).toBe(204)
    expect((await read(phone, href)).text).toBe(text(alarm(30), []))
    expect(triggersIn((await read(owner, own)).text)).toEqual(['5', '6', '7'])
  })

  test('keeps alarms when the owner changes the event, by JSON and by a program', async () => {
    const { ada, owner, phone, own, href, ofMember } = await start(permission)
    await put(phone, href, single(alarm(30)))
    await ofMember()
    const events = (
      await ada.request('GET', `/api/calendars/${own.split('calendar-')[1]?.split('/')[0]}/events`)
    ).body.events
    await ada.request('PUT', `/api/events/${events[0].id}`, { body: { title: 'Rehearsal' } })
    const first = await read(phone, href)
    expect([first.text.includes('SUMMARY:Rehearsal'), triggersIn(first.text)]).toEqual([true, ['30']])
    expect(await ofMember()).toEqual({ heard: [`choir.ics ${first.etag}`], hasMoved: true })
    await put(owner, own, single(alarm(45), ['LOCATION:Hall']))
    const second = await read(phone, href)
    expect(second.text).toBe(single(alarm(30), ['LOCATION:Hall']))
    expect(triggersIn((await read(owner, own)).text)).toEqual(['45'])
  })

  test('finds alarms again after the event was in the trash, under a new tag', async () => {
    const { ada, owner, phone, own, href } = await start(permission)
    await put(phone, href, single(alarm(30)))
    const before = await read(phone, href)
    await owner.send('DELETE', own)
    expect((await read(phone, href)).status).toBe(404)
    const [item] = (await ada.request('GET', '/api/trash')).body.items
    expect((await ada.request('POST', `/api/trash/${item.id}/restore`)).status).toBe(200)
    const after = await read(phone, href)
    expect([triggersIn(after.text), after.etag === before.etag]).toEqual([['30'], false])
  })

  test('keeps alarms in both parts of a series that is divided', async () => {
    const { ada, phone, path, href, calendar } = await start(
      permission,
      single(alarm(15), ['RRULE:FREQ=WEEKLY;COUNT=4']),
    )
    await put(phone, href, single(alarm(30), ['RRULE:FREQ=WEEKLY;COUNT=4']))
    const [event] = (await ada.request('GET', `/api/calendars/${calendar.id}/events`)).body.events
    const at = 'occurrence_start=2026-03-24T12:00&scope=following'
    const { status } = await ada.request('PUT', `/api/events/${event.id}?${at}`, { body: { title: 'Later' } })
    expect(status).toBe(200)
    const { responses } = await phone.propfind(path, ['d:getetag'], '1')
    const texts = await Promise.all(
      [...responses.keys()].filter((one) => one !== path).map(async (one) => (await read(phone, one)).text),
    )
    expect(texts.map(triggersIn)).toEqual([['30'], ['30']])
  })
})

describe('a member who may write', () => {
  test('changes the event for everybody, and alarms along with it for nobody else', async () => {
    const { owner, phone, own, href, ofOwner } = await start('write')
    const written = single(alarm(30), ['LOCATION:Hall'])
    const kept = await put(phone, href, written)
    const after = await read(phone, href)
    expect([kept.status, kept.headers.get('etag'), after.text]).toEqual([204, after.etag, written])
    const ofAda = await read(owner, own)
    expect(ofAda.text).toBe(single(alarm(15), ['LOCATION:Hall']))
    expect(await ofOwner()).toEqual({ heard: [`choir.ics ${ofAda.etag}`], hasMoved: true })
  })

  test('makes an event whose alarms nobody else has', async () => {
    const { ada, owner, own, phone, path, calendar } = await start('write')
    const text = single(alarm(30)).replaceAll('choir@phone', 'new@phone')
    const made = await put(phone, `${path}new.ics`, text)
    const { text: seen, etag } = await read(phone, `${path}new.ics`)
    expect([made.status, made.headers.get('etag'), seen]).toEqual([201, etag, text])
    expect(triggersIn((await read(owner, own.replace('choir.ics', 'new.ics'))).text)).toEqual([])
    const { events } = (await ada.request('GET', `/api/calendars/${calendar.id}/events`)).body
    expect(events.map((one: { reminder_minutes: unknown }) => one.reminder_minutes)).toEqual([15, null])
  })

  test('may change a line that only some programs know, and everybody has it', async () => {
    const { owner, phone, own, href } = await start('write')
    const written = single(alarm(30)).replace('PT15M\r\nBEGIN', 'PT45M\r\nBEGIN')
    expect((await put(phone, href, written)).status).toBe(204)
    expect((await read(owner, own)).text).toContain('X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT45M')
  })

  test('copies the event with the own alarms', async () => {
    const { phone, path, href } = await start('write')
    await put(phone, href, single(alarm(30)))
    const [, ownPath = ''] = [...(await phone.propfind(phone.home, ['d:displayname'], '1')).responses.keys()]
    expect(ownPath).not.toBe(path)
    const headers = { destination: `${ownPath}copy.ics` }
    expect((await phone.send('COPY', href, { headers })).status).toBe(201)
    expect(triggersIn((await read(phone, `${ownPath}copy.ics`)).text)).toEqual(['30'])
  })
})

describe('a member who only reads', () => {
  test('is refused any other change, a new event, and a deletion', async () => {
    const { owner, phone, path, own, href } = await start('read')
    const ofAda = await read(owner, own)
    for (const [at, text] of [
      [href, single(alarm(30), ['LOCATION:Hall'])],
      [href, single(alarm(30)).replace('SUMMARY:Choir', 'SUMMARY:Other')],
      [`${path}new.ics`, single(alarm(30)).replaceAll('choir@phone', 'new@phone')],
    ] as const) {
      const refused = await put(phone, at, text)
      expect([refused.status, childOf(refused.xml, dav('need-privileges')) !== undefined]).toEqual([
        403,
        true,
      ])
    }
    expect((await phone.send('DELETE', href)).status).toBe(403)
    expect(await read(owner, own)).toEqual(ofAda)
  })

  test('keeps no alarms by an app password that only reads', async () => {
    const { bob, href } = await start('read')
    const reader = await phoneOf(h, bob, ['dav', 'calendars:read'])
    expect((await put(reader, href, single(alarm(30)))).status).toBe(403)
  })

  test('keeps alarms of a private event, of which nothing but its times shows', async () => {
    const { owner, phone, path } = await start('read', single(alarm(15), ['CLASS:PRIVATE']))
    expect(owner.userId).not.toBe(phone.userId)
    const { responses } = await phone.propfind(path, ['d:getetag'], '1')
    const href = [...responses.keys()].find((one) => one.includes('private-')) ?? ''
    const { text } = await read(phone, href)
    const written = text.replace('END:VEVENT', `${alarm(30).join('\r\n')}\r\nEND:VEVENT`)
    expect((await put(phone, href, written)).status).toBe(204)
    expect((await read(phone, href)).text).toBe(written)
  })
})

test('two members know nothing of each other’s alarms', async () => {
  const { ada, bob, phone, href, calendar, ofMember } = await start('write')
  const eve = await sharer(h)
  await befriend(h, ada, [eve])
  await ada.share(calendar.id, eve, 'read')
  await eve.acceptAll()
  await ofMember()
  const other = await phoneOf(h, eve)
  const there = `${other.home}calendar-${calendar.id}/`
  const ofEve = await follower(other, there)
  await put(phone, href, single(alarm(30)))
  expect(await ofEve()).toEqual({ heard: [], hasMoved: false })
  await put(other, `${there}choir.ics`, single(alarm(60)))
  expect((await ofMember()).heard).toHaveLength(1)
  expect((await ofMember()).hasMoved).toBe(false)
  expect(triggersIn((await read(phone, href)).text)).toEqual(['30'])
  expect(triggersIn((await read(other, `${there}choir.ics`)).text)).toEqual(['60'])
  expect(bob.row.id).not.toBe(eve.row.id)
})
