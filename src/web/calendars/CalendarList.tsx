import { useMemo } from 'react'
import { useLocation } from 'wouter'
import type { CalendarView } from '../../features/calendars/calendars/model'
import { calendarSettingsAddress } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { isLocal } from '../store/commands'
import { useKeys } from '../store/use-store'
import { cssVariables } from '../styles/variables'
import { useCalendars, useShowing } from './data'

const messages = defineMessages({
  en: {
    title: 'Calendars',
    more: (name: string) => `More actions for ${name}`,
    only: 'Only this one',
    all: 'Show all',
    settings: 'Settings, import and export',
    of: (name: string, owner: string) => `${name}, of ${owner}`,
  },
  de: {
    title: 'Kalender',
    more: (name) => `Weitere Aktionen für ${name}`,
    only: 'Nur diesen',
    all: 'Alle zeigen',
    settings: 'Einstellungen, Import und Export',
    of: (name, owner) => `${name}, von ${owner}`,
  },
})

/** The calendars with their colours. A tick shows the events of one; each person chooses for themselves. */
export function CalendarList() {
  const m = useMessages(messages)
  const keyOf = useKeys('calendar')
  const calendars = useCalendars()
  if (!calendars) return null
  return (
    <fieldset className="calendar-list">
      <legend>{m.title}</legend>
      <ul>
        {calendars.map((calendar) => (
          <CalendarLine key={keyOf(calendar.id)} calendar={calendar} />
        ))}
      </ul>
    </fieldset>
  )
}

function CalendarLine({ calendar }: { readonly calendar: CalendarView }) {
  const m = useMessages(messages)
  const [, navigate] = useLocation()
  const show = useShowing()
  const { id, name, color, is_visible, access, owner_network_name } = calendar
  const actions = useMemo<readonly MenuAction[]>(
    () => [
      { id: 'only', label: m.only, run: () => show((each) => each.id === id) },
      { id: 'all', label: m.all, run: () => show(() => true) },
      {
        id: 'settings',
        label: m.settings,
        icon: 'settings',
        // It has a page once the service knows it.
        isDisabled: isLocal(id),
        run: () => navigate(calendarSettingsAddress(id)),
      },
    ],
    [id, m, navigate, show],
  )
  return (
    <li>
      <label style={cssVariables({ '--calendar': color })}>
        <input
          type="checkbox"
          checked={is_visible}
          onChange={({ target }) => show((each) => (each.id === id ? target.checked : each.is_visible))}
        />
        <span>{access === 'owner' ? name : m.of(name, owner_network_name)}</span>
      </label>
      <MenuButton kind="quiet" actions={actions} aria-label={m.more(name)} title={m.more(name)}>
        <Icon name="more" />
      </MenuButton>
    </li>
  )
}
