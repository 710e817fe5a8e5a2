import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { PasswordField } from '../parts/PasswordField'
import type { FormState } from '../parts/use-form'
import type { SessionUser } from './session-user'

const messages = defineMessages({ en: { password: 'Password' }, de: { password: 'Passwort' } })

interface OwnPasswordProps {
  readonly form: FormState
  readonly user: SessionUser
}

/** The field for the user's own password; nothing where it proves nothing (contract: web.proof). */
export function OwnPassword({ form, user }: OwnPasswordProps) {
  const m = useMessages(messages)
  if (!user.hasPassword) return null
  return (
    <>
      <input type="text" name="username" autoComplete="username" value={user.username} readOnly hidden />
      <PasswordField
        label={m.password}
        name="password"
        autoComplete="current-password"
        required
        data-autofocus
        problem={form.problems['password']}
      />
    </>
  )
}
