import { useId, useState } from 'react'
import { Link } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { useSignedIn } from '../session/use-session'
import { messages } from './account.messages'
import { DeleteAccount } from './DeleteAccount'
import { SettingsLayout } from './SettingsLayout'

/** The account as such: what it is called, how it is protected, how it ends. */
export function AccountPage() {
  const m = useMessages(messages)
  const id = useId()
  const { user } = useSignedIn()
  const [isDeleting, setDeleting] = useState(false)
  return (
    <SettingsLayout page="account">
      <dl className="settings-facts">
        <dt>{m.username}</dt>
        <dd>{user.username}</dd>
        <dt>{m.role}</dt>
        <dd>{user.isAdmin ? m.administrator : m.member}</dd>
      </dl>
      {!user.isProviderOnly && (
        <section aria-labelledby={`${id}-password`}>
          <h2 id={`${id}-password`}>{m.password}</h2>
          <p>
            <Link href={PATTERNS.settingsSecurity} className="button button-secondary">
              {user.hasPassword ? m.changePassword : m.setPassword}
            </Link>
          </p>
        </section>
      )}
      <section aria-labelledby={`${id}-delete`}>
        <h2 id={`${id}-delete`}>{m.delete}</h2>
        <p>{m.deleteAbout}</p>
        <Button kind="danger" onClick={() => setDeleting(true)}>
          {m.delete}
        </Button>
      </section>
      {isDeleting && <DeleteAccount onClose={() => setDeleting(false)} />}
    </SettingsLayout>
  )
}
