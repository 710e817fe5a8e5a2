import { Link, useLocation } from 'wouter'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { useScreen } from '../parts/use-screen'
import { PATTERNS } from './addresses'
import { ConnectionStatus } from './ConnectionStatus'
import type { FrameContents } from './contents'

const messages = defineMessages({
  en: {
    home: 'Organiser',
    search: 'Search',
    new: 'New',
    account: 'Account',
    event: 'Event',
    todo: 'Todo',
    reminder: 'Reminder',
    project: 'Project',
    person: 'Person',
    calendar: 'Calendar',
  },
  de: {
    home: 'Organiser',
    search: 'Suche',
    new: 'Neu',
    account: 'Konto',
    event: 'Termin',
    todo: 'Aufgabe',
    reminder: 'Erinnerung',
    project: 'Projekt',
    person: 'Person',
    calendar: 'Kalender',
  },
})

interface TopBarProps {
  readonly contents: FrameContents
  readonly accountActions: readonly MenuAction[]
}

export function TopBar({ contents, accountActions }: TopBarProps) {
  const m = useMessages(messages)
  const [, navigate] = useLocation()
  const isPhone = useScreen() === 'phone'
  const hasSearch = contents.pages.some(({ pattern }) => pattern === PATTERNS.search)
  const creations = contents.creations.map(({ name, icon, run }) => ({ id: name, label: m[name], icon, run }))
  return (
    <header className="top-bar" data-region>
      <Link href="/" className="wordmark">
        {m.home}
      </Link>
      {hasSearch && !isPhone && (
        <Button kind="quiet" onClick={() => navigate(PATTERNS.search)}>
          <Icon name="search" />
          {m.search}
        </Button>
      )}
      <ConnectionStatus />
      {creations.length > 0 && (
        <span className="new">
          <MenuButton kind="primary" actions={creations} {...(isPhone && { 'aria-label': m.new })}>
            <Icon name="add" />
            {!isPhone && m.new}
          </MenuButton>
        </span>
      )}
      <MenuButton kind="quiet" actions={accountActions} aria-label={m.account} title={m.account}>
        <Icon name="account" />
      </MenuButton>
    </header>
  )
}
