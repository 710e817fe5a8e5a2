import { useId, useState } from 'react'
import type { InvitationView } from '../../features/events/invitations/model'
import type { ConnectionView } from '../../features/people/connections/model'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Avatar } from '../parts/Avatar'
import { Button } from '../parts/Button'
import { ConfirmDialog } from '../parts/ConfirmDialog'
import { Icon } from '../parts/Icon'
import { ProblemNote } from '../parts/ProblemNote'
import { useHandingOn } from '../parts/use-handing-on'
import { answerWords } from './answer-words'
import type { Invitations } from './use-invitations'

const messages = defineMessages({
  en: {
    invited: 'Invited people',
    pending: 'is invited when you save',
    remove: (name: string) => `Do not invite ${name}`,
    takeBack: (name: string) => `Take back the invitation of ${name}`,
    takeBackTitle: 'Take back the invitation',
    tookBack: (name: string) => `Took back the invitation of ${name}`,
    confirm: (name: string) =>
      `${name} no longer sees the event, and the answer is lost. That cannot be undone; you can invite ${name} again.`,
    count: (count: number, answer: string) => `${count} × ${answer}`,
  },
  de: {
    invited: 'Eingeladen',
    pending: 'wird beim Speichern eingeladen',
    remove: (name) => `${name} nicht einladen`,
    takeBack: (name) => `Einladung von ${name} zurücknehmen`,
    takeBackTitle: 'Einladung zurücknehmen',
    tookBack: (name) => `Einladung von ${name} zurückgenommen`,
    confirm: (name) =>
      `${name} sieht den Termin nicht mehr, und die Antwort geht verloren. Das lässt sich nicht rückgängig machen; eine neue Einladung ist möglich.`,
    count: (count, answer) => `${count} × ${answer}`,
  },
})

interface GuestsProps {
  /** The users who are invited when the event is saved. */
  readonly guests: readonly number[]
  readonly connections: readonly ConnectionView[]
  readonly invitations: Invitations
  readonly onRemove: (id: number) => void
}

/** Who is invited, each with their answer, and who will be. */
export function Guests({ guests, connections, invitations, onRemove }: GuestsProps) {
  const m = useMessages(messages)
  const words = useMessages(answerWords)
  const id = useId()
  const [asked, ask] = useState<InvitationView>()
  const { list, refusal, again } = invitations
  if (refusal) return <ProblemNote refusal={refusal} onTryAgain={again} />
  if (guests.length === 0 && list.length === 0) return null
  const nameOf = (guest: number) => connections.find((each) => each.user_id === guest)?.network_name
  return (
    <>
      <span id={id} className="visually-hidden">
        {m.invited}
      </span>
      <Summary invitations={list} />
      <ul aria-labelledby={id} className="guests">
        {list.map((each) => (
          <Guest
            key={each.id}
            name={each.network_name}
            state={words[each.response ?? 'unanswered']}
            removal={m.takeBack(each.network_name)}
            onRemove={() => ask(each)}
          />
        ))}
        {guests.map((guest) => (
          <Guest
            key={guest}
            name={nameOf(guest) ?? String(guest)}
            state={m.pending}
            removal={m.remove(nameOf(guest) ?? String(guest))}
            onRemove={() => onRemove(guest)}
          />
        ))}
      </ul>
      {asked && <TakeBack invitation={asked} invitations={invitations} onClose={() => ask(undefined)} />}
    </>
  )
}

/** With several guests, how many gave which answer. */
function Summary({ invitations }: { readonly invitations: readonly InvitationView[] }) {
  const m = useMessages(messages)
  const words = useMessages(answerWords)
  const locale = useLocale()
  if (invitations.length < 3) return null
  const counts = (['Going', 'Tentative', 'Declined', 'unanswered'] as const).flatMap((answer) => {
    const count = invitations.filter(({ response }) => (response ?? 'unanswered') === answer).length
    return count === 0 ? [] : [m.count(count, words[answer])]
  })
  return <p className="field-hint">{new Intl.ListFormat(locale, { type: 'unit' }).format(counts)}</p>
}

interface TakeBackProps {
  readonly invitation: InvitationView
  readonly invitations: Invitations
  readonly onClose: () => void
}

function TakeBack({ invitation, invitations, onClose }: TakeBackProps) {
  const m = useMessages(messages)
  const { network_name: name } = invitation
  const takeBack = () => {
    onClose()
    void invitations.takeBack(invitation, m.tookBack(name))
  }
  return (
    <ConfirmDialog title={m.takeBackTitle} action={m.takeBackTitle} onConfirm={takeBack} onClose={onClose}>
      <p>{m.confirm(name)}</p>
    </ConfirmDialog>
  )
}

interface GuestProps {
  readonly name: string
  readonly state: string
  readonly removal: string
  readonly onRemove: () => void
}

function Guest({ name, state, removal, onRemove }: GuestProps) {
  const ref = useHandingOn<HTMLLIElement>()
  return (
    <li ref={ref} className="guest">
      <Avatar name={name} />
      <span className="guest-name">{name}</span>
      <span className="guest-state">{state}</span>
      <Button kind="quiet" aria-label={removal} title={removal} onClick={onRemove}>
        <Icon name="close" />
      </Button>
    </li>
  )
}
