import { useId, useMemo } from 'react'
import type { InviteView } from '../../features/calendars/invites/model'
import { useMessages } from '../messages/language'
import { Avatar } from '../parts/Avatar'
import { Button } from '../parts/Button'
import { ProblemNote } from '../parts/ProblemNote'
import { useHandingOn } from '../parts/use-handing-on'
import { useRecords, useStore } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { acceptingInvite, rejectingInvite } from './sharing'
import { sharingTexts } from './sharing.messages'

/** The calendars that others offer and that wait for an answer, newest first; nothing where there are none. */
export function CalendarInvites() {
  const m = useMessages(sharingTexts)
  const id = useId()
  const store = useStore()
  const { items, loading } = useRecords('calendar_invite')
  const invites = useMemo(() => items.toSorted((a, b) => b.id - a.id), [items])
  if (loading.is === 'refused')
    return <ProblemNote refusal={loading.refusal} onTryAgain={() => store.loader.retry()} />
  if (invites.length === 0) return null
  return (
    <section aria-labelledby={id}>
      <h2 id={id}>{m.invites}</h2>
      <ul className="shares" aria-labelledby={id}>
        {invites.map((invite) => (
          <Invite key={invite.id} invite={invite} />
        ))}
      </ul>
    </section>
  )
}

function Invite({ invite }: { readonly invite: InviteView }) {
  const m = useMessages(sharingTexts)
  const id = useId()
  const ref = useHandingOn<HTMLLIElement>()
  const write = useWriting()
  const { calendar_name: name, owner_network_name: owner, permission } = invite
  return (
    <li ref={ref} className="share">
      <Avatar name={owner} />
      <span id={id} className="share-name">
        {name}
        <span className="field-hint">{m.from(owner, permission)}</span>
      </span>
      <span className="share-actions">
        <Button
          kind="primary"
          aria-describedby={id}
          onClick={() => write(acceptingInvite(invite, m.accepted(name, owner)))}
        >
          {m.accept}
        </Button>
        <Button aria-describedby={id} onClick={() => write(rejectingInvite(invite, m.rejected(name, owner)))}>
          {m.reject}
        </Button>
      </span>
    </li>
  )
}
