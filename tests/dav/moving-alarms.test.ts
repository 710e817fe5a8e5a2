import { describe, expect, test } from 'bun:test'
import { alarm, put, read, single, triggersIn } from '../support/alarms'
import { phoneOf } from '../support/dav'
import { befriend } from '../support/inviting'
import { lent, sharedWith, sharer } from '../support/sharing'
import { useHarness } from '../support/use-harness'

const h = useHarness({ env: { DAV_ALLOW_HTTP: 'on' } })

/**
 * Ada's event with an alarm of hers, in a calendar that Bob and Eve see too; and a calendar of Bob, into which Ada may write and which
 * Eve sees. Bob and Eve have alarms of their own.
 */
async function start() {
  const { ada, bob, calendar } = await sharedWith(h, 'read')
  const eve = await sharer(h)
  await befriend(h, ada, [eve])
  await befriend(h, bob, [eve])
  await ada.share(calendar.id, eve, 'read')
  const there = await lent(bob, ada, 'Band')
  await bob.share(there.id, eve, 'read')
  await eve.acceptAll()
  const [phone, ofBob, ofEve] = [await phoneOf(h, ada), await phoneOf(h, bob), await phoneOf(h, eve)]
  const here = `calendar-${calendar.id}/choir.ics`
  const beyond = `calendar-${there.id}/choir.ics`
  await put(phone, phone.home + here, single(alarm(15)))
  await put(ofBob, ofBob.home + here, single(alarm(30)))
  await put(ofEve, ofEve.home + here, single(alarm(45)))
  const [event] = (await ada.request('GET', `/api/calendars/${calendar.id}/events`)).body.events
  const at = (name: string) => ({ from: phone.home + here, destination: phone.home + name })
  const send = async (destination: string, from: string) =>
    (await phone.send('MOVE', from, { headers: { destination } })).status
  const change = async (body: Readonly<Record<string, unknown>>) =>
    (await ada.request('PUT', `/api/events/${event.id}`, { body })).status
  /** What the phones of the three ring by, and the reminder that JSON shows to each. */
  const alarms = async (name: string) => {
    const phones = [phone, ofBob, ofEve]
    const texts = await Promise.all(phones.map((one) => read(one, one.home + name)))
    const views = await Promise.all(
      [ada, bob, eve].map((one) => one.request('GET', `/api/events/${event.id}`)),
    )
    return {
      phones: texts.map(({ text }) => triggersIn(text)),
      json: views.map(({ body }) => body.reminder_minutes),
    }
  }
  const other = await ada.createCalendar('Other')
  return { here, beyond, other, there, at, send, change, alarms, phone, ofBob }
}

type Started = Awaited<ReturnType<typeof start>>

/** The two ways in which Ada gives the event away. */
const WAYS: Readonly<Record<string, (started: Started) => Promise<number>>> = {
  'MOVE by a phone': ({ send, at, beyond }) => {
    const { from, destination } = at(beyond)
    return send(destination, from)
  },
  'a `calendar_id` in JSON': ({ change, there }) => change({ calendar_id: there.id }),
}

describe.each(Object.entries(WAYS))('%s into a calendar of another owner', (_, give) => {
  test('takes the alarms and the reminder of the event along, which are the new owner’s now, and leaves others theirs', async () => {
    const started = await start()
    const before = await started.alarms(started.here)
    expect(before).toEqual({ phones: [['15'], ['30'], ['45']], json: [15, 15, 15] })
    expect(await give(started)).toBeLessThan(300)
    expect(await started.alarms(started.beyond)).toEqual({ phones: [[], ['15'], ['45']], json: [15, 15, 15] })
    const { text } = await read(started.ofBob, started.ofBob.home + started.beyond)
    expect(text).toContain('X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT15M')
  })

  test('lets whoever gave it away have alarms of their own there', async () => {
    const started = await start()
    await give(started)
    const href = started.phone.home + started.beyond
    const { text, etag } = await read(started.phone, href)
    const own = text.replace('END:VEVENT', `${alarm(60).join('\r\n')}\r\nEND:VEVENT`)
    expect((await put(started.phone, href, own, { 'if-match': etag })).status).toBe(204)
    expect(await started.alarms(started.beyond)).toEqual({
      phones: [['60'], ['15'], ['45']],
      json: [15, 15, 15],
    })
  })
})

test.each(['MOVE', 'JSON'])(
  '%s into another own calendar leaves all alarms and the reminder as they are',
  async (way) => {
    const { at, send, change, alarms, other } = await start()
    const { from, destination } = at(`calendar-${other.id}/choir.ics`)
    expect(await (way === 'MOVE' ? send(destination, from) : change({ calendar_id: other.id }))).toBeLessThan(
      300,
    )
    const { phones, json } = await alarms(`calendar-${other.id}/choir.ics`)
    expect([phones[0], json[0]]).toEqual([['15'], 15])
  },
)
