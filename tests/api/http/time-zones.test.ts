import { describe, expect, test } from 'bun:test'
import { calendar, calendarOf, exportOf, importInto, wrapped } from '../../support/calendar-files'
import { type Actor, startHarness } from '../../support/harness'
import { fakeOpenMeteo, PLACES } from '../../support/open-meteo'
import { useHarness } from '../../support/use-harness'

const h = useHarness()

const TIMED = { title: 'Choir', start_at: '2026-07-10T09:00', end_at: '2026-07-10T10:00' }
const REMINDER = { title: 'Pills', remind_at: '2026-07-10T09:00' }

const send = async (actor: Actor, method: string, path: string, body: object) => {
  const answered = await actor.request(method, path, { body })
  if (answered.status >= 300) throw new Error(JSON.stringify(answered.body))
  return answered.body
}

const onlyEvent = async (actor: Actor) => {
  const { body } = await actor.request('GET', '/api/events?from=2026-07-01&to=2026-08-01')
  return body.events[0]
}

const imported = async (actor: Actor, file: string) => {
  const { body } = await importInto(actor, await calendarOf(actor), file)
  expect(body).toMatchObject({ created: 1, skipped: [] })
  return onlyEvent(actor)
}

/** Gives a zone in one way, and answers the record that then has it. */
const WAYS: Readonly<Record<string, (actor: Actor, zone: string) => Promise<{ time_zone: string }>>> = {
  'the settings': (actor, time_zone) => send(actor, 'PUT', '/api/settings', { time_zone }),
  'a new event': (actor, time_zone) => send(actor, 'POST', '/api/events', { ...TIMED, time_zone }),
  'a changed event': async (actor, time_zone) => {
    const { id } = await send(actor, 'POST', '/api/events', { ...TIMED, time_zone: 'Asia/Tokyo' })
    return send(actor, 'PUT', `/api/events/${id}`, { time_zone })
  },
  'a new event in the zone of the settings': async (actor, time_zone) => {
    await send(actor, 'PUT', '/api/settings', { time_zone })
    return send(actor, 'POST', '/api/events', TIMED)
  },
  'a new reminder': (actor, time_zone) => send(actor, 'POST', '/api/reminders', { ...REMINDER, time_zone }),
  'a changed reminder': async (actor, time_zone) => {
    const { id } = await send(actor, 'POST', '/api/reminders', { ...REMINDER, time_zone: 'Asia/Tokyo' })
    return send(actor, 'PUT', `/api/reminders/${id}`, { time_zone })
  },
  'the TZID of an imported event': (actor, zone) =>
    imported(actor, calendar(['UID:z', `DTSTART;TZID=${zone}:20260710T090000`])),
  'the end of a longer TZID': (actor, zone) =>
    imported(actor, calendar(['UID:z', `DTSTART;TZID=/example.org/1/${zone}:20260710T090000`])),
  'the zone that an imported event keeps': (actor, zone) =>
    imported(actor, calendar(['UID:z', 'DTSTART:20260710T090000Z', `X-ORGANISER-TIME-ZONE:${zone}`])),
  'the location of a zone that the file defines': (actor, zone) =>
    imported(
      actor,
      wrapped(
        [
          'BEGIN:VTIMEZONE',
          'TZID:Ours',
          `X-LIC-LOCATION:${zone}`,
          'BEGIN:STANDARD',
          'DTSTART:19700101T000000',
          'TZOFFSETFROM:+0000',
          'TZOFFSETTO:+0000',
          'END:STANDARD',
          'END:VTIMEZONE',
        ],
        ['BEGIN:VEVENT', 'UID:z', 'DTSTART;TZID=Ours:20260710T090000', 'END:VEVENT'],
      ),
    ),
}

describe('a zone is kept and given back in the spelling of the time zone database', () => {
  for (const [way, give] of Object.entries(WAYS)) {
    test.each([
      ['eUROPE/bERLIN', 'Europe/Berlin'],
      ['us/eastern', 'US/Eastern'],
    ])(`given as ${way}: %s is %s`, async (spelling, name) => {
      const ada = await h.signedIn()
      expect((await give(ada, spelling)).time_zone).toBe(name)
      // What another program wrote stays as it was written, in files and texts.
      const account = JSON.stringify((await ada.request('GET', '/api/export')).body, (key, value: unknown) =>
        key === 'icalendar' ? undefined : value,
      )
      const file = await exportOf(ada, await calendarOf(ada))
      const own = file.includes('UID:z\r\n') ? '' : file
      expect(account).toContain(`"time_zone":"${name}"`)
      expect(account + own).not.toContain(spelling)
    })
  }

  test('A zone that comes from the weather service is kept in the database’s spelling', async () => {
    const [place] = PLACES.results
    await using odd = fakeOpenMeteo(() =>
      Response.json({ results: [{ ...place, timezone: 'eUROPE/bERLIN' }] }),
    )
    await using other = await startHarness({ env: odd.env })
    const ada = await other.signedIn()
    const { body } = await ada.request('GET', '/api/weather/search?q=Berlin')
    expect(body.locations).toMatchObject([{ time_zone: 'Europe/Berlin' }])
  })

  test('The zone of the configuration is kept in the database’s spelling', async () => {
    await using other = await startHarness({ env: { TIME_ZONE: 'us/eastern' } })
    const ada = await other.signedIn()
    const event = await send(ada, 'POST', '/api/events', TIMED)
    expect(event).toMatchObject({ time_zone: 'US/Eastern', start_at: '2026-07-10T09:00:00-04:00' })
    expect(await send(ada, 'POST', '/api/reminders', REMINDER)).toMatchObject({ time_zone: 'US/Eastern' })
  })

  test('a preview reads any spelling', async () => {
    const ada = await h.signedIn()
    const preview = (time_zone: string) =>
      send(ada, 'POST', '/api/events/preview-recurrence', {
        start: '2026-07-10T09:00',
        time_zone,
        recurrence_rule: 'FREQ=MONTHLY',
      })
    expect(await preview('us/eastern')).toEqual(await preview('US/Eastern'))
    expect(await preview('us/eastern')).not.toEqual(await preview('Europe/Berlin'))
  })

  test('the same zone in another spelling is no change', async () => {
    const ada = await h.signedIn()
    const { id } = await send(ada, 'POST', '/api/events', { ...TIMED, time_zone: 'Europe/Berlin' })
    const again = await send(ada, 'PUT', `/api/events/${id}`, { time_zone: 'europe/berlin' })
    expect(again).toMatchObject({ time_zone: 'Europe/Berlin', start_at: '2026-07-10T09:00:00+02:00' })
  })
})
