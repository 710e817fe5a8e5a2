import { textOfChild } from '../../src/lib/xml/element'
import { dav } from '../../src/lib/xml/names'
import { type Phone, phoneOf, syncOf } from './dav'
import type { Harness } from './harness'
import { sharedWith } from './sharing'

export const alarm = (minutes: number) => [
  'BEGIN:VALARM',
  'ACTION:DISPLAY',
  `TRIGGER:-PT${minutes}M`,
  `X-WR-ALARMUID:${minutes}`,
  'END:VALARM',
]
export const component = (more: readonly string[], alarms: readonly string[]) => [
  'BEGIN:VEVENT',
  'UID:choir@phone',
  'DTSTAMP:20260301T100000Z',
  'DTSTART;TZID=Europe/Berlin:20260310T120000',
  'DTEND;TZID=Europe/Berlin:20260310T130000',
  'SUMMARY:Choir',
  'X-APPLE-TRAVEL-DURATION;VALUE=DURATION:PT15M',
  ...more,
  ...alarms,
  'END:VEVENT',
]
export const whole = (...components: ReadonlyArray<readonly string[]>) =>
  ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//Phone//EN', ...components.flat(), 'END:VCALENDAR', ''].join(
    '\r\n',
  )
export const single = (alarms: readonly string[], more: readonly string[] = []) =>
  whole(component(more, alarms))

export const put = (phone: Phone, href: string, body: string, headers: Record<string, string> = {}) =>
  phone.send('PUT', href, { body, headers: { 'content-type': 'text/calendar; charset=utf-8', ...headers } })
export const read = async (phone: Phone, href: string) => {
  const { status, text, headers } = await phone.send('GET', href)
  return { status, text, etag: headers.get('etag') ?? '' }
}
export const triggersIn = (text: string) =>
  [...text.matchAll(/TRIGGER:-PT(\d+)M/g)].map(([, minutes]) => minutes)

/** What a phone hears of a collection since it last asked, and whether its token moved. */
export async function follower(phone: Phone, path: string) {
  const tokenIn = ({ xml }: Awaited<ReturnType<Phone['report']>>) => textOfChild(xml, dav('sync-token')) ?? ''
  let token = tokenIn(await phone.report(path, syncOf('')))
  return async () => {
    const before = token
    const answer = await phone.report(path, syncOf(token))
    token = tokenIn(answer)
    const heard = [...answer.responses].map(
      ([href, { found }]) => `${href.slice(path.length)} ${found.get(dav('getetag'))?.text ?? 'gone'}`,
    )
    return { heard, hasMoved: token !== before }
  }
}

/** Ada's calendar with an event whose alarm is hers, as her phone and that of Bob, a member, see it. */
export const startWith =
  (h: Harness) =>
  async (permission: 'read' | 'write', text = single(alarm(15))) => {
    const { ada, bob, calendar, member } = await sharedWith(h, permission)
    const [owner, phone] = [await phoneOf(h, ada), await phoneOf(h, bob)]
    const pathOf = ({ home }: Phone) => `${home}calendar-${calendar.id}/`
    const [own, path] = [pathOf(owner), pathOf(phone)]
    const made = await put(owner, `${own}choir.ics`, text)
    if (made.status !== 201) throw new Error(made.text)
    return {
      ada,
      bob,
      calendar,
      member,
      owner,
      phone,
      path,
      own: `${own}choir.ics`,
      href: `${path}choir.ics`,
      ofOwner: await follower(owner, own),
      ofMember: await follower(phone, path),
    }
  }
