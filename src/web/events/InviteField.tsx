import { useCallback, useId, useState } from 'react'
import type { InvitationView } from '../../features/events/invitations/model'
import type { ConnectionView } from '../../features/people/connections/model'
import { useAnswer } from '../api/use-answer'
import { matching, meant, wholeNameOf } from '../connections/names'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Avatar } from '../parts/Avatar'
import { Button } from '../parts/Button'
import { ConfirmDialog } from '../parts/ConfirmDialog'
import { Icon } from '../parts/Icon'
import { SuggestField } from '../parts/SuggestField'
import { useRecords } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { answerWords } from './answer-words'
import { takingBack } from './intents'
import { readInvitations } from './reads'

const messages = defineMessages({
  en: {
    label: 'Invite people',
    placeholder: 'Name of a connection',
    invited: 'Invited people',
    none: 'You can invite people with whom you are connected.',
    unknown: (name: string) => `None of your connections is called ${name}.`,
    pending: 'is invited when you save',
    remove: (name: string) => `Do not invite ${name}`,
    takeBack: (name: string) => `Take back the invitation of ${name}`,
    takeBackTitle: 'Take back the invitation',
    tookBack: (name: string) => `Took back the invitation of ${name}`,
    confirm: (name: string) =>
      `${name} no longer sees the event, and the answer is lost. That cannot be undone; you can invite ${name} again.`,
  },
  de: {
    label: 'Einladen',
    placeholder: 'Name eines Kontakts',
    invited: 'Eingeladen',
    none: 'Einladen lassen sich alle Kontakte.',
    unknown: (name: string) => `Keiner der Kontakte heißt ${name}.`,
    pending: 'wird beim Speichern eingeladen',
    remove: (name: string) => `${name} nicht einladen`,
    takeBack: (name: string) => `Einladung von ${name} zurücknehmen`,
    takeBackTitle: 'Einladung zurücknehmen',
    tookBack: (name: string) => `Einladung von ${name} zurückgenommen`,
    confirm: (name: string) =>
      `${name} sieht den Termin nicht mehr, und die Antwort geht verloren. Das lässt sich nicht rückgängig machen; eine neue Einladung ist möglich.`,
  },
})

interface InviteFieldProps {
  readonly eventId: number | undefined
  readonly guests: readonly number[]
  readonly onChange: (guests: readonly number[]) => void
}

const NO_INVITATIONS: readonly InvitationView[] = []
const MOST = 40

/** Chooses connections to invite; they are told once the event is saved. */
export function InviteField({ eventId, guests, onChange }: InviteFieldProps) {
  const m = useMessages(messages)
  const [typed, setTyped] = useState('')
  const [unknown, setUnknown] = useState<string>()
  const { items: connections, loading } = useRecords('connection')
  const invitations = useInvitations(eventId)
  const taken = new Set([...guests, ...invitations.list.map((each) => each.user_id)])
  const free = connections.filter((each) => !taken.has(each.user_id))
  const found = matching(free, typed)
  const add = (id: string) => {
    onChange([...guests, Number(id)])
    setTyped('')
    setUnknown(undefined)
  }
  const settle = () => {
    const name = typed.trim()
    const exact = meant(free, typed)
    if (exact) add(String(exact.user_id))
    else setUnknown(name === '' ? undefined : name)
  }
  return (
    <div className="invite">
      <SuggestField
        label={m.label}
        value={typed}
        placeholder={m.placeholder}
        hint={loading.is === 'loaded' && connections.length === 0 ? m.none : undefined}
        problem={unknown === undefined ? undefined : m.unknown(unknown)}
        options={found
          .slice(0, MOST)
          .map((each) => ({ value: String(each.user_id), label: wholeNameOf(each) }))}
        onChange={(text) => {
          setTyped(text)
          setUnknown(undefined)
        }}
        onChoose={add}
        onBlur={settle}
      />
      <Guests
        guests={guests}
        connections={connections}
        invitations={invitations}
        onRemove={(id) => onChange(guests.filter((each) => each !== id))}
      />
    </div>
  )
}

/** Those who are invited already; an event of this device has nobody yet. */
function useInvitations(eventId: number | undefined) {
  const write = useWriting()
  const [gone, setGone] = useState<readonly number[]>([])
  const ask = useCallback(
    async () => (eventId === undefined || eventId < 0 ? NO_INVITATIONS : readInvitations(eventId)),
    [eventId],
  )
  const { value = NO_INVITATIONS, again } = useAnswer(ask)
  const takeBack = async (invitation: InvitationView, said: string) => {
    const { id } = invitation
    setGone((before) => [...before, id])
    const { is } = await write(takingBack(invitation, said)).done
    if (is !== 'confirmed') setGone((before) => before.filter((each) => each !== id))
    again()
  }
  return { list: value.filter(({ id }) => !gone.includes(id)), takeBack }
}

interface GuestsProps {
  readonly guests: readonly number[]
  readonly connections: readonly ConnectionView[]
  readonly invitations: ReturnType<typeof useInvitations>
  readonly onRemove: (id: number) => void
}

function Guests({ guests, connections, invitations, onRemove }: GuestsProps) {
  const m = useMessages(messages)
  const words = useMessages(answerWords)
  const id = useId()
  const [asked, setAsked] = useState<InvitationView>()
  if (guests.length === 0 && invitations.list.length === 0) return null
  const takeBack = (given: InvitationView) => {
    setAsked(undefined)
    void invitations.takeBack(given, m.tookBack(given.network_name))
  }
  return (
    <>
      <span id={id} className="visually-hidden">
        {m.invited}
      </span>
      <ul aria-labelledby={id} className="guests">
        {invitations.list.map((each) => (
          <Guest
            key={each.id}
            name={each.network_name}
            state={words[each.response ?? 'unanswered']}
            removal={m.takeBack(each.network_name)}
            onRemove={() => setAsked(each)}
          />
        ))}
        {guests.map((guest) => {
          const name = connections.find((each) => each.user_id === guest)?.network_name ?? String(guest)
          return (
            <Guest
              key={guest}
              name={name}
              state={m.pending}
              removal={m.remove(name)}
              onRemove={() => onRemove(guest)}
            />
          )
        })}
      </ul>
      {asked && (
        <ConfirmDialog
          title={m.takeBackTitle}
          action={m.takeBackTitle}
          onConfirm={() => takeBack(asked)}
          onClose={() => setAsked(undefined)}
        >
          <p>{m.confirm(asked.network_name)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}

interface GuestProps {
  readonly name: string
  readonly state: string
  readonly removal: string
  readonly onRemove: () => void
}

function Guest({ name, state, removal, onRemove }: GuestProps) {
  return (
    <li className="guest">
      <Avatar name={name} />
      <span className="guest-name">{name}</span>
      <span className="guest-state">{state}</span>
      <Button kind="quiet" aria-label={removal} title={removal} onClick={onRemove}>
        <Icon name="close" />
      </Button>
    </li>
  )
}
