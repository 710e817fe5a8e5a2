import type { ReactNode } from 'react'
import { Link } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { Icon } from '../parts/Icon'
import { PageHeading } from '../parts/PageHeading'
import { useSignedIn } from '../session/use-session'
import { ADMIN_PAGES, adminMessages, type AdminPageName } from './admin-pages'

interface AdminLayoutProps {
  readonly page: AdminPageName
  /** For a page below the one of the list. */
  readonly heading?: string
  readonly children: ReactNode
}

/** A page of the administration, with the way to the others; others than administrators learn that it is not for them (contract: web.administration). */
export function AdminLayout({ page, heading, children }: AdminLayoutProps) {
  const m = useMessages(adminMessages)
  const { user } = useSignedIn()
  if (!user.isAdmin) return <Forbidden />
  const own = page === 'overview' ? m.administration : m[page]
  return (
    <div className="settings">
      <nav aria-label={m.pages} className="settings-pages">
        <ul className="settings-links admin-links">
          {ADMIN_PAGES.map(({ name, path }) => (
            <li key={name}>
              <Link href={path} aria-current={name === page ? 'true' : undefined}>
                {m[name]}
              </Link>
            </li>
          ))}
        </ul>
      </nav>
      <div className="settings-page">
        {heading !== undefined && (
          <Link href={PATTERNS.adminUsers} className="settings-back">
            <Icon name="chevron-left" />
            {m.users}
          </Link>
        )}
        <PageHeading>{heading ?? own}</PageHeading>
        {children}
      </div>
    </div>
  )
}

function Forbidden() {
  const m = useMessages(adminMessages)
  return (
    <div className="not-here">
      <PageHeading>{m.forbidden}</PageHeading>
      <p>{m.forbiddenHint}</p>
      <Link href={PATTERNS.today} className="button button-secondary">
        {m.today}
      </Link>
    </div>
  )
}
