import { useCallback } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import type { MemberView } from '../../features/calendars/members/model'
import { useAnswer } from '../api/use-answer'
import { useCalendarList } from '../calendars/data'
import { readMembers } from '../calendars/sharing'
import { useRowsOf } from '../store/use-store'

/** A calendar of the user's, and what somebody else may do in it. */
export interface SharedCalendar {
  readonly calendar: CalendarView
  readonly member: MemberView
}

const mayBeShared = ({ access, is_system: isSystem }: CalendarView) => access === 'owner' && !isSystem

/** The calendars that the user and somebody else share with each other; `yours` is undefined until it is known. */
export function useBetween(userId: number) {
  const { calendars, refusal: unread } = useCalendarList()
  const ids = (calendars ?? [])
    .filter(mayBeShared)
    .map(({ id }) => id)
    .join()
  const isKnown = calendars !== undefined
  const ask = useCallback(
    async () => (isKnown ? readMemberships(ids, userId) : undefined),
    [isKnown, ids, userId],
  )
  const { value: memberships, refusal, again } = useAnswer(ask)
  useRowsOf('calendar', again)
  return {
    yours: memberships?.flatMap(({ calendarId, member }): SharedCalendar[] => {
      const calendar = calendars?.find(({ id }) => id === calendarId)
      return calendar ? [{ calendar, member }] : []
    }),
    theirs: calendars?.filter(({ user_id: owner }) => owner === userId) ?? [],
    refusal: refusal ?? unread,
    again,
  }
}

async function readMemberships(ids: string, userId: number) {
  const calendarIds = ids === '' ? [] : ids.split(',').map(Number)
  const found = await Promise.all(
    calendarIds.map(async (calendarId) => ({ calendarId, members: await readMembers(calendarId) })),
  )
  return found.flatMap(({ calendarId, members }) => {
    const member = members.find(({ user_id: id }) => id === userId)
    return member ? [{ calendarId, member }] : []
  })
}
