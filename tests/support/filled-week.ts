import type { Actor } from './harness'

/** A week of somebody's life: title, day of March 2026, from and to in Berlin, calendar. */
export const WEEK = [
  ['Swimming', 2, '07:00', '08:00', 'Personal'],
  ['Planning', 2, '10:00', '11:30', 'Work'],
  ['Dentist', 3, '09:30', '10:15', 'Personal'],
  ['Review with Mei', 3, '13:00', '14:00', 'Work'],
  ['Choir', 3, '19:00', '20:30', 'Personal'],
  ['Lunch with Sam', 4, '12:30', '13:15', 'Personal'],
  ['Workshop', 4, '14:00', '17:00', 'Work'],
  ['Call with Auckland', 5, '09:00', '09:45', 'Work'],
  ['Piano lesson', 5, '16:30', '17:15', 'Family'],
  ['Parents’ evening', 5, '19:00', '20:30', 'Family'],
  ['Swimming', 6, '07:00', '08:00', 'Personal'],
  ['One-to-one', 6, '11:00', '11:30', 'Work'],
  ['Market', 7, '10:00', '11:30', 'Family'],
  ['Hike', 8, '10:00', '15:00', 'Family'],
] as const

/** Fills the week of 4 March 2026, and answers the ids of events and calendars by their names. */
export async function fillWeek(actor: Pick<Actor, 'request'>): Promise<ReadonlyMap<string, number>> {
  const ids = new Map<string, number>()
  const post = async (path: string, body: object) => {
    const answer = await actor.request('POST', path, { body })
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body.id as number
  }
  await actor.request('PUT', '/api/settings', { body: { time_zone: 'Europe/Berlin', first_day_of_week: 1 } })
  for (const { id, name } of (await actor.request('GET', '/api/calendars')).body.calendars) ids.set(name, id)
  for (const [name, color] of [
    ['Work', '#7c5cd6'],
    ['Family', '#d9692b'],
  ] as const)
    ids.set(name, await post('/api/calendars', { name, color }))
  for (const [title, day, from, to, calendar] of WEEK) {
    const at = (time: string) => `2026-03-0${day}T${time}:00+01:00`
    const event = { title, start_at: at(from), end_at: at(to), calendar_id: ids.get(calendar) }
    ids.set(title, await post('/api/events', event))
  }
  const visit = { title: 'Grandma visits', all_day: true, start_date: '2026-03-06', end_date: '2026-03-08' }
  await post('/api/events', { ...visit, calendar_id: ids.get('Family') })
  await post('/api/todos', { title: 'Pay rent', due_date: '2026-03-04' })
  return ids
}
