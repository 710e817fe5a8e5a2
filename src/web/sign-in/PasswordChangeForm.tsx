import type { ReactNode } from 'react'
import type { ChangePasswordBody } from '../../features/identity/accounts/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Checkbox } from '../parts/Checkbox'
import { FormAlert, SubmitButton } from '../parts/Form'
import { PasswordField } from '../parts/PasswordField'
import type { FormState, FormValues } from '../parts/use-form'
import type { SessionUser } from '../session/session-user'
import { NewPasswordField } from './NewPasswordField'

const messages = defineMessages({
  en: {
    current: 'Current password',
    new: 'New password',
    first: 'Password',
    keepFeeds: 'Secret addresses of my calendars go on working',
    revokeTokens: 'Access tokens and app passwords end as well',
    change: 'Change password',
    set: 'Set password',
  },
  de: {
    current: 'Aktuelles Passwort',
    new: 'Neues Passwort',
    first: 'Passwort',
    keepFeeds: 'Geheime Adressen meiner Kalender bleiben gültig',
    revokeTokens: 'Zugriffstoken und App-Passwörter enden ebenfalls',
    change: 'Passwort ändern',
    set: 'Passwort festlegen',
  },
})

/** The request that the values of the form make. */
export const passwordChangeOf = (values: FormValues): ChangePasswordBody => ({
  ...(values['old_password'] !== undefined && { old_password: values['old_password'] }),
  new_password: values['new_password'] ?? '',
  keep_feeds: values['keep_feeds'] !== undefined,
  revoke_tokens: values['revoke_tokens'] !== undefined,
})

interface PasswordChangeFormProps {
  readonly form: FormState
  readonly user: SessionUser
  /** Which sessions end with the old password. */
  readonly ends: ReactNode
  /** It replaces a password of the administration, which had ended everything else already. */
  readonly isForced?: boolean
}

/** The old password, where there is one, the new one with its rules, and what ends with the old one. */
export function PasswordChangeForm({ form, user, ends, isForced = false }: PasswordChangeFormProps) {
  const m = useMessages(messages)
  const { username, hasPassword } = user
  return (
    <form {...form.props} className="enter-form">
      <FormAlert form={form} />
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      {hasPassword && (
        <PasswordField
          label={m.current}
          name="old_password"
          autoComplete="current-password"
          required
          autoFocus={isForced}
          problem={form.problems['old_password']}
        />
      )}
      <NewPasswordField
        form={form}
        label={hasPassword || isForced ? m.new : m.first}
        name="new_password"
        username={username}
        autoFocus={isForced && !hasPassword}
      />
      <div className="enter-ends">
        <p>{ends}</p>
        {!isForced && (
          <>
            <Checkbox label={m.keepFeeds} name="keep_feeds" defaultChecked />
            <Checkbox label={m.revokeTokens} name="revoke_tokens" />
          </>
        )}
      </div>
      <SubmitButton form={form}>{hasPassword || isForced ? m.change : m.set}</SubmitButton>
    </form>
  )
}
