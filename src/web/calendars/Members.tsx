import { useCallback, useState } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import type { MemberView } from '../../features/calendars/members/model'
import { useMessages } from '../messages/language'
import { Avatar } from '../parts/Avatar'
import { Button } from '../parts/Button'
import { ConfirmDialog } from '../parts/ConfirmDialog'
import { Icon } from '../parts/Icon'
import { ProblemNote } from '../parts/ProblemNote'
import { RadioGroup } from '../parts/RadioGroup'
import { Skeleton } from '../parts/Skeleton'
import { ShareForm } from './ShareForm'
import type { Permission } from './sharing'
import { sharingTexts } from './sharing.messages'
import { useMembers } from './use-members'

/** With whom the owner shares a calendar, and what each of them may do. */
export function Members({ calendar }: { readonly calendar: CalendarView }) {
  const m = useMessages(sharingTexts)
  const sharing = useMembers(calendar)
  const { members, refusal, again } = sharing
  return (
    <section aria-labelledby="members-title">
      <h2 id="members-title">{m.sharedWith}</h2>
      <p>{m.rights}</p>
      {refusal && <ProblemNote refusal={refusal} onTryAgain={again} />}
      {!members && !refusal && <Skeleton lines={2} />}
      {members?.length === 0 && <p className="settings-lead">{m.nobody}</p>}
      {members && members.length > 0 && (
        <MemberList calendar={calendar} sharing={sharing} members={members} />
      )}
      {members && <ShareForm calendar={calendar} members={members} onShared={again} />}
    </section>
  )
}

interface MemberListProps {
  readonly calendar: CalendarView
  readonly sharing: ReturnType<typeof useMembers>
  readonly members: readonly MemberView[]
}

function MemberList({ calendar, sharing, members }: MemberListProps) {
  const m = useMessages(sharingTexts)
  const [asked, ask] = useState<MemberView>()
  const remove = (member: MemberView) => {
    ask(undefined)
    const said = member.status === 'pending' ? m.tookBack : m.stopped
    void sharing.remove(member, said(calendar.name, member.network_name))
  }
  const onRemove = useCallback((member: MemberView) => ask(member), [])
  return (
    <>
      <ul className="shares" aria-labelledby="members-title">
        {members.map((member) => (
          <Member
            key={member.id}
            member={member}
            onPermit={(permission) =>
              void sharing.permit(member, permission, m.permitted(member.network_name, permission))
            }
            onRemove={onRemove}
          />
        ))}
      </ul>
      {asked && (
        <ConfirmDialog
          title={m.stopTitle}
          action={m.stopTitle}
          onConfirm={() => remove(asked)}
          onClose={() => ask(undefined)}
        >
          <p>{(asked.status === 'pending' ? m.stopPending : m.stopAccepted)(asked.network_name)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface MemberProps {
  readonly member: MemberView
  readonly onPermit: (permission: Permission) => void
  readonly onRemove: (member: MemberView) => void
}

function Member({ member, onPermit, onRemove }: MemberProps) {
  const m = useMessages(sharingTexts)
  const { network_name: name, permission, status } = member
  return (
    <li className="share">
      <Avatar name={name} />
      <span className="share-name">
        {name}
        {status === 'pending' && <span className="field-hint">{m.pending}</span>}
      </span>
      <RadioGroup
        label={m.rightOf(name)}
        hidesLabel
        look="segmented"
        options={[
          { value: 'read', label: m.read },
          { value: 'write', label: m.write },
        ]}
        value={permission}
        onChange={onPermit}
      />
      <Button kind="quiet" aria-label={m.stop(name)} title={m.stop(name)} onClick={() => onRemove(member)}>
        <Icon name="close" />
      </Button>
    </li>
  )
}
