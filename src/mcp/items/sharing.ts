import type { CalendarView } from '../../features/calendars/calendars/model'
import { listMembers } from '../../features/calendars/members/service'
import { listNamedCalendars } from '../../features/calendars/calendars/service'
import type { Assistant } from '../assistant'

/** With whom a calendar is shared, as far as it matters for what an assistant may believe and do. */
export interface Sharing {
  readonly name: string
  /** The network name of its owner; null when that is the user. */
  readonly owner: string | null
  /** The network names of others who may write into it. */
  readonly writers: readonly string[]
  readonly isShared: boolean
}

/** The sharing of those of these calendars that the user sees, by id. */
export async function sharingOf(
  { deps, session }: Assistant,
  ids: readonly number[],
): Promise<ReadonlyMap<number, Sharing>> {
  const calendars = await listNamedCalendars(deps, session.userId, [...new Set(ids)])
  const sharing = await Promise.all(calendars.map((calendar) => sharingIn({ deps, session }, calendar)))
  return new Map(sharing.map((one, index) => [calendars[index]?.id ?? 0, one]))
}

async function sharingIn({ deps, session }: Assistant, calendar: CalendarView): Promise<Sharing> {
  const { id, name, access } = calendar
  if (access !== 'owner') return { name, owner: calendar.owner_network_name, writers: [], isShared: true }
  const { members } = await listMembers(deps, session.userId, id, {})
  const accepted = members.filter(({ status }) => status === 'accepted')
  const writers = accepted.filter(({ permission }) => permission === 'write')
  return {
    name,
    owner: null,
    writers: writers.map(({ network_name }) => network_name),
    isShared: accepted.length > 0,
  }
}
