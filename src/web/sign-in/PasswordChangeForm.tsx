import type { ReactNode } from 'react'
import type { ChangePasswordBody } from '../../features/identity/accounts/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Checkbox } from '../parts/Checkbox'
import { FormAlert, SubmitButton } from '../parts/Form'
import { PasswordField } from '../parts/PasswordField'
import type { FormState, FormValues } from '../parts/use-form'
import { NewPasswordField } from './NewPasswordField'

const messages = defineMessages({
  en: {
    current: 'Current password',
    new: 'New password',
    keepFeeds: 'Secret addresses of my calendars go on working',
    revokeTokens: 'Access tokens and app passwords end as well',
    change: 'Change password',
  },
  de: {
    current: 'Aktuelles Passwort',
    new: 'Neues Passwort',
    keepFeeds: 'Geheime Adressen meiner Kalender bleiben gültig',
    revokeTokens: 'Zugriffstoken und App-Passwörter enden ebenfalls',
    change: 'Passwort ändern',
  },
})

/** The request that the values of the form make. */
export const passwordChangeOf = (values: FormValues): ChangePasswordBody => ({
  old_password: values['old_password'] ?? '',
  new_password: values['new_password'] ?? '',
  keep_feeds: values['keep_feeds'] !== undefined,
  revoke_tokens: values['revoke_tokens'] !== undefined,
})

interface PasswordChangeFormProps {
  readonly form: FormState
  readonly username: string
  /** Which sessions end with the old password. */
  readonly ends: ReactNode
  /** It replaces a password of the administration, which had ended everything else already. */
  readonly isForced?: boolean
}

/** The old password, the new one with its rules, and what ends with the old one. */
export function PasswordChangeForm({ form, username, ends, isForced = false }: PasswordChangeFormProps) {
  const m = useMessages(messages)
  return (
    <form {...form.props} className="enter-form">
      <FormAlert form={form} />
      <input type="text" name="username" autoComplete="username" value={username} readOnly hidden />
      <PasswordField
        label={m.current}
        name="old_password"
        autoComplete="current-password"
        required
        autoFocus={isForced}
        problem={form.problems['old_password']}
      />
      <NewPasswordField form={form} label={m.new} name="new_password" username={username} />
      <div className="enter-ends">
        <p>{ends}</p>
        {!isForced && (
          <>
            <Checkbox label={m.keepFeeds} name="keep_feeds" defaultChecked />
            <Checkbox label={m.revokeTokens} name="revoke_tokens" />
          </>
        )}
      </div>
      <SubmitButton form={form}>{m.change}</SubmitButton>
    </form>
  )
}
