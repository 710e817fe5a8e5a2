import { useCallback, useState } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import type { MemberView } from '../../features/calendars/members/model'
import { useAnswer } from '../api/use-answer'
import type { Intent } from '../store/commands'
import { useRowsOf } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { type Permission, permitting, readMembers, unsharing } from './sharing'

type Members = readonly MemberView[]
type MembersChange = (members: Members) => Members

const permitted =
  (id: number, permission: Permission): MembersChange =>
  (members) =>
    members.map((member) => (member.id === id ? { ...member, permission } : member))

const without =
  (id: number): MembersChange =>
  (members) =>
    members.filter((member) => member.id !== id)

/** The members of a calendar, kept up to date by the feed, with what is being done to them. */
export function useMembers(calendar: CalendarView) {
  const { id } = calendar
  const ask = useCallback(() => readMembers(id), [id])
  const { value, refusal, again, amend } = useAnswer(ask)
  useRowsOf({ kind: 'calendar', id }, again)
  const [underWay, setUnderWay] = useState<readonly MembersChange[]>([])
  const write = useWriting()
  const run = async (change: MembersChange, intent: Intent) => {
    setUnderWay((before) => [...before, change])
    const { is } = await write(intent).done
    if (is === 'confirmed') amend(change)
    setUnderWay((before) => before.filter((each) => each !== change))
  }
  return {
    members: value && underWay.reduce((members, change) => change(members), value),
    refusal,
    again,
    permit: (member: MemberView, permission: Permission, said: string) =>
      run(permitted(member.id, permission), permitting(calendar, member, permission, said)),
    remove: (member: MemberView, said: string) => run(without(member.id), unsharing(calendar, member, said)),
  }
}
