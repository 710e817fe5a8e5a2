import { refusalOf } from '../api/refusal'
import { call } from '../api/call'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Checkbox } from '../parts/Checkbox'
import { FormAlert, SubmitButton } from '../parts/Form'
import { PasswordField } from '../parts/PasswordField'
import { useForm } from '../parts/use-form'
import { entered } from '../session/sign-in'
import { signOut } from '../session/sign-out'
import { useSession } from '../session/use-session'
import { EnterCard } from './EnterCard'
import { NewPasswordField } from './NewPasswordField'

const messages = defineMessages({
  en: {
    title: 'Choose a new password',
    lead: 'An administrator gave you a temporary password. Replace it with one that only you know.',
    current: 'Current password',
    new: 'New password',
    ends: 'All your other sessions end.',
    keepFeeds: 'Secret addresses of my calendars go on working',
    revokeTokens: 'Access tokens and app passwords end as well',
    change: 'Change password',
    signOut: 'Sign out',
  },
  de: {
    title: 'Neues Passwort wählen',
    lead: 'Die Administration hat ein vorläufiges Passwort vergeben. Es wird durch ein eigenes ersetzt.',
    current: 'Aktuelles Passwort',
    new: 'Neues Passwort',
    ends: 'Alle anderen Sitzungen enden.',
    keepFeeds: 'Geheime Adressen meiner Kalender bleiben gültig',
    revokeTokens: 'Zugriffstoken und App-Passwörter enden ebenfalls',
    change: 'Passwort ändern',
    signOut: 'Abmelden',
  },
})

/** The change that an administrator's temporary password asks for. Nothing else is reachable before. */
export function ChangePasswordPage() {
  const m = useMessages(messages)
  const session = useSession()
  const username = 'user' in session ? session.user.username : ''
  const form = useForm(async ({ old_password, new_password, keep_feeds, revoke_tokens }) => {
    const body = {
      old_password,
      new_password,
      keep_feeds: keep_feeds !== undefined,
      revoke_tokens: revoke_tokens !== undefined,
    }
    await call('POST', 'auth/change-password', { body })
    await entered()
  })
  const leave = () => signOut().catch((error: unknown) => form.refuse(refusalOf(error)))
  return (
    <EnterCard
      title={m.title}
      lead={m.lead}
      foot={
        <Button kind="quiet" onClick={() => void leave()}>
          {m.signOut}
        </Button>
      }
    >
      <form {...form.props} className="enter-form">
        <FormAlert form={form} />
        <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
        <PasswordField
          label={m.current}
          name="old_password"
          autoComplete="current-password"
          required
          autoFocus
          problem={form.problems['old_password']}
        />
        <NewPasswordField form={form} label={m.new} name="new_password" username={username} />
        <div className="enter-ends">
          <p>{m.ends}</p>
          <Checkbox label={m.keepFeeds} name="keep_feeds" defaultChecked />
          <Checkbox label={m.revokeTokens} name="revoke_tokens" />
        </div>
        <SubmitButton form={form}>{m.change}</SubmitButton>
      </form>
    </EnterCard>
  )
}
