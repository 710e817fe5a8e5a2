import { useState } from 'react'
import { useLocation } from 'wouter'
import type { CalendarView } from '../../features/calendars/calendars/model'
import type { MemberView } from '../../features/calendars/members/model'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { Avatar } from '../parts/Avatar'
import { Button } from '../parts/Button'
import { ConfirmDialog } from '../parts/ConfirmDialog'
import { ProblemNote } from '../parts/ProblemNote'
import { useSignedIn } from '../session/use-session'
import { useWriting } from '../store/use-writing'
import { leaving } from './sharing'
import { sharingTexts } from './sharing.messages'
import { useMembers } from './use-members'

/** A calendar of somebody else: what one may do in it, who else sees it, and the way out. */
export function Membership({ calendar }: { readonly calendar: CalendarView }) {
  const m = useMessages(sharingTexts)
  const { user } = useSignedIn()
  const { members, refusal, again } = useMembers(calendar)
  const { owner_network_name: owner, access } = calendar
  const own = members?.find(({ user_id: id }) => id === user.id)
  const others = members?.filter(({ user_id: id }) => id !== user.id) ?? []
  return (
    <section aria-labelledby="members-title">
      <h2 id="members-title">{m.sharedBy(owner)}</h2>
      <p>{(access === 'write' ? m.mayWriteThis : m.mayReadThis)(owner)}</p>
      {refusal && <ProblemNote refusal={refusal} onTryAgain={again} />}
      {others.length > 0 && (
        <>
          <h3 id="others-title">{m.alsoFor}</h3>
          <ul className="shares" aria-labelledby="others-title">
            {others.map(({ id, network_name: name, permission }) => (
              <li key={id} className="share">
                <Avatar name={name} />
                <span className="share-name">{name}</span>
                <span className="field-hint">{permission === 'read' ? m.mayRead : m.mayWrite}</span>
              </li>
            ))}
          </ul>
        </>
      )}
      {own && <Leaving calendar={calendar} membership={own} />}
    </section>
  )
}

interface LeavingProps {
  readonly calendar: CalendarView
  readonly membership: MemberView
}

function Leaving({ calendar, membership }: LeavingProps) {
  const m = useMessages(sharingTexts)
  const write = useWriting()
  const [, navigate] = useLocation()
  const [isAsked, ask] = useState(false)
  const leave = () => {
    ask(false)
    navigate(PATTERNS.settingsCalendars)
    write(leaving(calendar, membership, m.left(calendar.name)))
  }
  return (
    <>
      <Button onClick={() => ask(true)}>{m.leave}</Button>
      {isAsked && (
        <ConfirmDialog title={m.leave} action={m.leave} onConfirm={leave} onClose={() => ask(false)}>
          <p>{m.leaveHint(calendar.owner_network_name)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
