import { useState } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Icon } from '../parts/Icon'
import { PasswordField } from '../parts/PasswordField'
import type { FormState } from '../parts/use-form'
import { minLengthIn, passwordRules, USUAL_MIN_LENGTH } from './password-rules'

const messages = defineMessages({
  en: {
    length: (count: number) => `${count} characters or more`,
    username: 'Does not contain the username',
    common: 'Not a common one, which is checked when you send it',
    isMet: '(met)',
    isOpen: '(not met yet)',
  },
  de: {
    length: (count: number) => `Mindestens ${count} Zeichen`,
    username: 'Enthält den Benutzernamen nicht',
    common: 'Kein gebräuchliches, was beim Absenden geprüft wird',
    isMet: '(erfüllt)',
    isOpen: '(noch nicht erfüllt)',
  },
})

interface NewPasswordFieldProps {
  readonly form: FormState
  readonly label: string
  readonly name: string
  readonly username: string
  readonly autoFocus?: boolean
}

/** A new password with the service's rules below it, each ticked off while somebody types. */
export function NewPasswordField(props: NewPasswordFieldProps) {
  const { form, label, name, username, autoFocus = false } = props
  const m = useMessages(messages)
  const [password, setPassword] = useState('')
  const minLength = minLengthIn(form.refusal?.errors ?? []) ?? USUAL_MIN_LENGTH
  const { isLongEnough, isWithoutUsername } = passwordRules({ password, username, minLength })
  return (
    <PasswordField
      label={label}
      name={name}
      autoComplete="new-password"
      required
      autoFocus={autoFocus}
      problem={form.problems[name]}
      onChange={(event) => setPassword(event.target.value)}
      rules={
        <ul className="rules">
          <Rule isMet={isLongEnough} text={m.length(minLength)} />
          <Rule isMet={isWithoutUsername === true} text={m.username} />
          <li>
            <Icon name="info" />
            <span>{m.common}</span>
          </li>
        </ul>
      }
    />
  )
}

function Rule({ isMet, text }: { readonly isMet: boolean; readonly text: string }) {
  const m = useMessages(messages)
  return (
    <li data-met={isMet || undefined}>
      {isMet ? <Icon name="check" /> : <span className="rule-open" aria-hidden="true" />}
      <span>
        {text} <span className="visually-hidden">{isMet ? m.isMet : m.isOpen}</span>
      </span>
    </li>
  )
}
