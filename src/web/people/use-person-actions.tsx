import { type ReactNode, useMemo, useState } from 'react'
import { useLocation } from 'wouter'
import type { PersonView } from '../../features/people/people/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import type { MenuAction } from '../parts/Menu'
import { useWriting } from '../store/use-writing'
import { useBooks, useConnections } from './data'
import { NO_FILTERS, type PeopleFilters, peopleAddress, personAddress } from './filters'
import { changingPerson, deletingPerson, linkingPerson } from './intents'
import { LinkDialog } from './LinkDialog'
import { MoveToBookDialog } from './MoveToBookDialog'
import { nameOf } from './names'
import { peopleTexts } from './texts'

const messages = defineMessages({
  en: {
    favour: 'Add to favourites',
    unfavour: 'Remove from favourites',
    favoured: (name: string) => `Added ${name} to the favourites`,
    unfavoured: (name: string) => `Removed ${name} from the favourites`,
    move: 'Move to…',
    link: 'Link to a connection…',
    unlink: 'Remove the link',
    unlinked: (name: string) => `Removed the link of ${name}`,
  },
  de: {
    favour: 'Zu den Favoriten',
    unfavour: 'Aus den Favoriten nehmen',
    favoured: (name) => `${name} ist jetzt ein Favorit`,
    unfavoured: (name) => `${name} ist kein Favorit mehr`,
    move: 'Verschieben nach …',
    link: 'Mit einem Kontakt verknüpfen …',
    unlink: 'Verknüpfung aufheben',
    unlinked: (name) => `Verknüpfung von ${name} aufgehoben`,
  },
})

/** What one can do with a person, wherever they show; `dialog` belongs into the page. */
export function usePersonActions(person: PersonView, filters: PeopleFilters) {
  const m = useMessages(messages)
  const texts = useMessages(peopleTexts)
  const write = useWriting()
  const [location, navigate] = useLocation()
  const [opened, open] = useState<'link' | 'move'>()
  const [hasBooks, hasConnections] = [useBooks().length > 1, useConnections().length > 0]
  const does = useMemo(() => {
    const name = nameOf(person)
    return {
      edit: () => navigate(personAddress(person.id, filters, { show: 'edit' })),
      favour: () => {
        const isFavourite = !person.is_favourite
        const said = isFavourite ? m.favoured(name) : m.unfavoured(name)
        write(changingPerson(person, { is_favourite: isFavourite }, said))
      },
      unlink: () =>
        write(linkingPerson({ person, connection: undefined, before: undefined }, m.unlinked(name))),
      remove: () => {
        const isOpen = location === personAddress(person.id, NO_FILTERS)
        if (isOpen) navigate(peopleAddress(filters), { replace: true })
        write(deletingPerson(person, texts.deleted(name)))
      },
    }
  }, [person, filters, m, texts, write, navigate, location])
  const actions: readonly MenuAction[] = [
    { id: 'edit', label: texts.edit, icon: 'edit', keys: 'e', run: does.edit },
    { id: 'favour', label: person.is_favourite ? m.unfavour : m.favour, icon: 'star', run: does.favour },
    ...(hasBooks ? [{ id: 'move', label: m.move, icon: 'people' as const, run: () => open('move') }] : []),
    ...(hasConnections
      ? [{ id: 'link', label: m.link, icon: 'connections' as const, run: () => open('link') }]
      : []),
    ...(person.linked_user_id === null
      ? []
      : [{ id: 'unlink', label: m.unlink, icon: 'close' as const, run: does.unlink }]),
    { id: 'delete', label: texts.delete, icon: 'delete', isDangerous: true, run: does.remove },
  ]
  const close = () => open(undefined)
  const dialog: ReactNode =
    (opened === 'link' && <LinkDialog person={person} onClose={close} />) ||
    (opened === 'move' && <MoveToBookDialog person={person} onClose={close} />)
  return { ...does, actions, dialog }
}
