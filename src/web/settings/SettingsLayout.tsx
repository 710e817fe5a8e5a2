import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { useMessages } from '../messages/language'
import { PATTERNS } from '../app/addresses'
import { Icon } from '../parts/Icon'
import { PageHeading } from '../parts/PageHeading'
import { useScreen } from '../parts/use-screen'
import { SETTINGS_PAGES, settingsMessages, type SettingsPageName } from './settings-pages'

interface SettingsLayoutProps {
  readonly page: SettingsPageName
  /** For a page below the one of the list; else the heading is the text of the link. */
  readonly heading?: string
  readonly children: ReactNode
}

/** A page of the settings beside the list of all; where there is no room for the list, below the way back to it. */
export function SettingsLayout(props: SettingsLayoutProps) {
  const m = useMessages(settingsMessages)
  const hasRoom = useScreen() === 'desktop'
  return (
    <div className="settings">
      <nav aria-label={m.pages} className="settings-pages">
        {hasRoom ? <SettingsLinks current={props.page} /> : <WayBack {...props} />}
      </nav>
      <div className="settings-page">
        <PageHeading>{props.heading ?? m[props.page]}</PageHeading>
        {props.children}
      </div>
    </div>
  )
}

/** Leads to the page above: to the list of all pages, or to the one of the list. */
function WayBack({ page, heading }: Pick<SettingsLayoutProps, 'page' | 'heading'>) {
  const m = useMessages(settingsMessages)
  const path = SETTINGS_PAGES.find(({ name }) => name === page)?.path ?? PATTERNS.settings
  return (
    <Link href={heading === undefined ? PATTERNS.settings : path} className="settings-back">
      <Icon name="chevron-left" />
      {heading === undefined ? m.settings : m[page]}
    </Link>
  )
}

export function SettingsLinks({ current }: { readonly current?: SettingsPageName }) {
  const m = useMessages(settingsMessages)
  return (
    <ul className="settings-links">
      {SETTINGS_PAGES.map(({ name, path }) => (
        <li key={name}>
          <Link href={path} aria-current={name === current ? 'true' : undefined}>
            {m[name]}
            {current === undefined && <Icon name="chevron-right" />}
          </Link>
        </li>
      ))}
    </ul>
  )
}
