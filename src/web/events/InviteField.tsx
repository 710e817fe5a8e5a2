import { useEffect, useState } from 'react'
import type { EventView } from '../../features/events/events/model'
import type { ConnectionView } from '../../features/people/connections/model'
import { matching, meant, wholeNameOf } from '../connections/names'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { SuggestField } from '../parts/SuggestField'
import { useRecords } from '../store/use-store'
import { Guests } from './Guests'
import { useInvitations } from './use-invitations'

const messages = defineMessages({
  en: {
    label: 'Invite people',
    placeholder: 'Name of a connection',
    none: 'You can invite people with whom you are connected.',
    unknown: (name: string) => `None of your connections is called ${name}.`,
  },
  de: {
    label: 'Einladen',
    placeholder: 'Name eines Kontakts',
    none: 'Einladen lassen sich alle Kontakte.',
    unknown: (name: string) => `Keiner der Kontakte heißt ${name}.`,
  },
})

interface InviteFieldProps {
  /** Undefined while the event is a new one. */
  readonly event: EventView | undefined
  readonly guests: readonly number[]
  readonly onChange: (guests: readonly number[]) => void
}

const MOST = 40

/** Chooses connections to invite; they are told once the event is saved. */
export function InviteField({ event, guests, onChange }: InviteFieldProps) {
  const m = useMessages(messages)
  const { items: connections, loading } = useRecords('connection')
  const invitations = useInvitations(event)
  const taken = new Set([...guests, ...invitations.list.map((each) => each.user_id)])
  const free = connections.filter((each) => !taken.has(each.user_id))
  const { typed, unknown, add, type, settle } = useTypedName(free, (id) => onChange([...guests, id]))
  return (
    <div className="invite">
      <SuggestField
        label={m.label}
        value={typed}
        placeholder={m.placeholder}
        hint={loading.is === 'loaded' && connections.length === 0 ? m.none : undefined}
        problem={unknown === undefined || loading.is === 'loading' ? undefined : m.unknown(unknown)}
        options={matching(free, typed)
          .slice(0, MOST)
          .map((each) => ({ value: String(each.user_id), label: wholeNameOf(each) }))}
        onChange={type}
        onChoose={(id) => add(Number(id))}
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

/** The name that is being typed; whoever leaves the field means the one of that name, or hears that there is none. */
function useTypedName(free: readonly ConnectionView[], onAdd: (id: number) => void) {
  const [typed, setTyped] = useState('')
  const [unknown, setUnknown] = useState<string>()
  const type = (text: string) => {
    setTyped(text)
    setUnknown(undefined)
  }
  const add = (id: number) => {
    onAdd(id)
    type('')
  }
  const settle = () => {
    const name = typed.trim()
    const exact = meant(free, typed)
    if (exact) add(exact.user_id)
    else setUnknown(name === '' ? undefined : name)
  }
  // Who left the field before the connections were there meant one of them all the same.
  const late = unknown === undefined ? undefined : meant(free, unknown)
  useEffect(() => {
    if (late) add(late.user_id)
    // It runs once for each: the name goes with it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [late])
  return { typed, unknown, add, type, settle }
}
