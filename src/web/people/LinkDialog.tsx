import { type FormEvent, useId, useState } from 'react'
import type { PersonView } from '../../features/people/people/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Select } from '../parts/Select'
import { useWriting } from '../store/use-writing'
import { useConnections, usePeople } from './data'
import { linkingPerson } from './intents'
import { nameOf } from './names'
import { peopleTexts } from './texts'

const messages = defineMessages({
  en: {
    title: 'Link to a connection',
    about: (name: string) => `The card of ${name} then also shows what this connection shares with you.`,
    connection: 'Connection',
    replaces: (name: string) => `${name} is linked to this connection so far and loses the link.`,
    link: 'Link',
    linked: (name: string, user: string) => `Linked ${name} to ${user}`,
  },
  de: {
    title: 'Mit einem Kontakt verknüpfen',
    about: (name) => `Die Karte von ${name} zeigt dann auch, was dieser Kontakt teilt.`,
    connection: 'Kontakt',
    replaces: (name) => `Bisher ist ${name} mit diesem Kontakt verknüpft und verliert die Verknüpfung.`,
    link: 'Verknüpfen',
    linked: (name, user) => `${name} mit ${user} verknüpft`,
  },
})

interface LinkDialogProps {
  readonly person: PersonView
  readonly onClose: () => void
}

/** Chooses the connected user whom a person is (contract: people.shared-profile). */
export function LinkDialog({ person, onClose }: LinkDialogProps) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const formId = useId()
  const write = useWriting()
  const { people } = usePeople()
  const connections = useConnections().toSorted((a, b) => a.network_name.localeCompare(b.network_name))
  const linked = connections.find(({ user_id: user }) => user === person.linked_user_id)
  const [chosen, choose] = useState(String((linked ?? connections[0])?.id))
  const connection = connections.find(({ id }) => String(id) === chosen)
  const before = people.find(
    ({ id, linked_user_id: user }) => id !== person.id && user !== null && user === connection?.user_id,
  )
  const link = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    if (!connection || connection.user_id === person.linked_user_id) return
    write(linkingPerson({ person, connection, before }, m.linked(nameOf(person), connection.network_name)))
  }
  return (
    <Dialog
      title={m.title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" form={formId}>
            {m.link}
          </Button>
        </>
      }
    >
      <form id={formId} className="event-form" onSubmit={link}>
        <p>{m.about(nameOf(person))}</p>
        <Select
          label={m.connection}
          options={connections.map(({ id, network_name, preferred_name }) => ({
            value: String(id),
            label: preferred_name === null ? network_name : `${preferred_name} (${network_name})`,
          }))}
          value={chosen}
          onChange={choose}
        />
        {before && <p>{m.replaces(nameOf(before))}</p>}
      </form>
    </Dialog>
  )
}
