import type { CalendarView } from '../../src/features/calendars/calendars/model'
import type { Actor } from './harness'

type Answered = Awaited<ReturnType<Actor['request']>>

const CALENDARS = '/api/calendars'

/** Creates a calendar and returns it. */
export async function createCalendar(
  actor: Pick<Actor, 'request'>,
  name = 'Work',
  more: object = {},
): Promise<CalendarView> {
  const created = await actor.request('POST', CALENDARS, { body: { name, ...more } })
  if (created.status !== 201) throw new Error(JSON.stringify(created.body))
  return created.body
}

/** What a user does with calendars and their feeds, through the API. */
export function calendarsOf(actor: Actor) {
  const feed = (id: number) => `${CALENDARS}/${id}/feed`
  const makeFeed = (id: number): Promise<Answered> => actor.request('POST', feed(id))
  return {
    createCalendar: (name?: string, more?: object) => createCalendar(actor, name, more),
    calendars: (query = ''): Promise<Answered> => actor.request('GET', `${CALENDARS}${query}`),
    calendar: (id: number): Promise<Answered> => actor.request('GET', `${CALENDARS}/${id}`),
    changeCalendar: (id: number, body: object): Promise<Answered> =>
      actor.request('PUT', `${CALENDARS}/${id}`, { body }),
    deleteCalendar: (id: number): Promise<Answered> => actor.request('DELETE', `${CALENDARS}/${id}`),
    makeFeed,
    endFeed: (id: number): Promise<Answered> => actor.request('DELETE', feed(id)),
    /** Makes a feed and returns the path of its address. */
    async feedOf(id: number): Promise<string> {
      const made = await makeFeed(id)
      if (made.status !== 200) throw new Error(JSON.stringify(made.body))
      return new URL(made.body.url).pathname
    },
  }
}
