import { Suspense, useId } from 'react'
import { Link, useLocation } from 'wouter'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Icon } from '../parts/Icon'
import { MenuButton } from '../parts/MenuButton'
import { useScreen } from '../parts/use-screen'
import { useUnreadCount } from '../store/use-unread-count'
import { PATTERNS } from './addresses'
import type { FrameContents } from './contents'
import { placeNames } from './place-names'
import type { MainPlace, PlaceName } from './places'

const messages = defineMessages({
  en: {
    main: 'Main',
    search: 'Search',
    more: 'More',
    unread: (count: number) => `${count} unread`,
    withCount: (place: string, count: number) => `${place} (${count})`,
  },
  de: {
    main: 'Hauptmenü',
    search: 'Suche',
    more: 'Mehr',
    unread: (count) => `${count} ungelesen`,
    withCount: (place, count) => `${place} (${count})`,
  },
})

interface MainNavigationProps {
  readonly places: readonly MainPlace[]
  readonly current: PlaceName | undefined
  readonly contents: FrameContents
}

/** All places at the side of a wide window; on a phone the three most used, the search and the rest as a menu at the bottom. */
export function MainNavigation({ places, current, contents }: MainNavigationProps) {
  const m = useMessages(messages)
  const screen = useScreen()
  const isPhone = screen === 'phone'
  const hasSearch = contents.pages.some(({ pattern }) => pattern === PATTERNS.search)
  const inBar = places.filter(({ name }) => ['today', 'calendar', 'todos'].includes(name))
  return (
    <nav className="navigation" aria-label={m.main} data-region>
      <ul className="navigation-links">
        {(isPhone ? inBar : places).map((place) => (
          <li key={place.name}>
            <PlaceLink place={place} isCurrent={place.name === current} />
          </li>
        ))}
        {isPhone && hasSearch && (
          <li>
            <Link href={PATTERNS.search} className="navigation-link">
              <Icon name="search" />
              <span>{m.search}</span>
            </Link>
          </li>
        )}
        {isPhone && <More places={places.filter((place) => !inBar.includes(place))} />}
      </ul>
      {screen === 'desktop' && contents.Sidebar && (
        <Suspense>
          <contents.Sidebar />
        </Suspense>
      )}
    </nav>
  )
}

function PlaceLink({ place, isCurrent }: { readonly place: MainPlace; readonly isCurrent: boolean }) {
  const names = useMessages(placeNames)
  const m = useMessages(messages)
  const id = useId()
  const unread = useUnreadCount()
  const hasCount = place.name === 'notifications' && unread > 0
  return (
    <>
      <Link
        href={place.path}
        className="navigation-link"
        aria-current={isCurrent ? 'page' : undefined}
        aria-describedby={hasCount ? id : undefined}
      >
        <Icon name={place.icon} />
        <span>{names[place.name]}</span>
        {hasCount && <UnreadCount count={unread} />}
      </Link>
      {hasCount && (
        <span id={id} hidden>
          {m.unread(unread)}
        </span>
      )}
    </>
  )
}

const MOST_SHOWN = 99

/** How many notifications are unread, for the eye; what it stands in says so in words. */
function UnreadCount({ count }: { readonly count: number }) {
  return (
    <span className="unread-count" aria-hidden="true">
      {count > MOST_SHOWN ? `${MOST_SHOWN}+` : count}
    </span>
  )
}

function More({ places }: { readonly places: readonly MainPlace[] }) {
  const m = useMessages(messages)
  const names = useMessages(placeNames)
  const [, navigate] = useLocation()
  const id = useId()
  const unread = useUnreadCount()
  const hasCount = unread > 0 && places.some(({ name }) => name === 'notifications')
  if (places.length === 0) return null
  const actions = places.map(({ name, icon, path }) => ({
    id: name,
    label: name === 'notifications' && hasCount ? m.withCount(names[name], unread) : names[name],
    icon,
    run: () => navigate(path),
  }))
  return (
    <li>
      <MenuButton look="navigation-link" actions={actions} aria-describedby={hasCount ? id : undefined}>
        <Icon name="menu" />
        <span>{m.more}</span>
        {hasCount && <UnreadCount count={unread} />}
      </MenuButton>
      {hasCount && (
        <span id={id} hidden>
          {m.unread(unread)}
        </span>
      )}
    </li>
  )
}
