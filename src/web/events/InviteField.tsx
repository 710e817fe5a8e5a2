import { useCallback, useId, useState } from 'react'
import type { InvitationView } from '../../features/events/invitations/model'
import type { ConnectionView } from '../../features/people/connections/model'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Icon } from '../parts/Icon'
import { SuggestField } from '../parts/SuggestField'
import { useRecords } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { answerWords } from './answer-words'
import { takingBack } from './intents'
import { readInvitations } from './reads'
import { eventTexts } from './texts'

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
    placeholder: 'Name einer Verbindung',
    invited: 'Eingeladen',
    none: 'Einladen lassen sich alle, mit denen eine Verbindung besteht.',
    unknown: (name: string) => `Es gibt keine Verbindung namens ${name}.`,
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
  const found = free.filter((each) => nameOf(each).toLowerCase().includes(typed.trim().toLowerCase()))
  const add = (id: string) => {
    onChange([...guests, Number(id)])
    setTyped('')
    setUnknown(undefined)
  }
  const settle = () => {
    const name = typed.trim()
    const exact = found.find((each) => isCalled(each, name)) ?? (found.length === 1 ? found[0] : undefined)
    if (name !== '' && exact) add(String(exact.user_id))
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
        options={found.slice(0, MOST).map((each) => ({ value: String(each.user_id), label: nameOf(each) }))}
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

const nameOf = ({ preferred_name: name, network_name: handle }: ConnectionView) =>
  name === null || name === handle ? handle : `${name} (${handle})`

const isCalled = ({ preferred_name: name, network_name: handle }: ConnectionView, typed: string) =>
  [name, handle].some((each) => each?.toLowerCase() === typed.toLowerCase())

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
        <TakeBackDialog
          name={asked.network_name}
          onConfirm={() => takeBack(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
    </>
  )
}

interface TakeBackProps {
  readonly name: string
  readonly onConfirm: () => void
  readonly onClose: () => void
}

function TakeBackDialog({ name, onConfirm, onClose }: TakeBackProps) {
  const m = useMessages(messages)
  const texts = useMessages(eventTexts)
  return (
    <Dialog
      title={m.takeBackTitle}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="danger" onClick={onConfirm}>
            {m.takeBackTitle}
          </Button>
        </>
      }
    >
      <p>{m.confirm(name)}</p>
    </Dialog>
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
      <span className="guest-sign" aria-hidden="true">
        {name.slice(0, 1).toLocaleUpperCase()}
      </span>
      <span className="guest-name">{name}</span>
      <span className="guest-state">{state}</span>
      <Button kind="quiet" aria-label={removal} title={removal} onClick={onRemove}>
        <Icon name="close" />
      </Button>
    </li>
  )
}
