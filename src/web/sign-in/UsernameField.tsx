import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Field } from '../parts/Field'
import type { FormState } from '../parts/use-form'

const messages = defineMessages({ en: { username: 'Username' }, de: { username: 'Benutzername' } })

interface UsernameFieldProps {
  readonly form: FormState
  /** With `webauthn` the browser suggests passkeys here. */
  readonly autoComplete?: string
  readonly onType?: (username: string) => void
}

/** The first field of a page, which has the focus from the start. */
export function UsernameField({ form, autoComplete = 'username', onType }: UsernameFieldProps) {
  const m = useMessages(messages)
  return (
    <Field
      label={m.username}
      name="username"
      autoComplete={autoComplete}
      autoCapitalize="none"
      spellCheck={false}
      required
      autoFocus
      onChange={(event) => onType?.(event.target.value.trim())}
      problem={form.problems['username']}
    />
  )
}
