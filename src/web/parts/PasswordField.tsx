import { type ReactNode, useId, useState } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from './Button'
import type { FieldProps } from './Field'
import { FieldBox } from './FieldBox'

// The names leave the word “password” out, so that a search for the field by its label finds only the field.
const messages = defineMessages({
  en: { show: 'Show', hide: 'Hide', what: 'what is typed' },
  de: { show: 'Zeigen', hide: 'Verbergen', what: '(Eingabe)' },
})

interface PasswordFieldProps extends Omit<FieldProps, 'type'> {
  readonly autoComplete: 'current-password' | 'new-password'
  /** What a new password must keep, below the field. */
  readonly rules?: ReactNode
}

/** A password, which can be shown to check what was typed. */
export function PasswordField({ label, hint, problem, rules, ...rest }: PasswordFieldProps) {
  const m = useMessages(messages)
  const [isShown, setShown] = useState(false)
  const rulesId = useId()
  return (
    <div className="password">
      <FieldBox label={label} hint={hint} problem={problem}>
        {(ties) => (
          <span className="password-input">
            <input
              {...rest}
              {...ties}
              className="input"
              type={isShown ? 'text' : 'password'}
              autoCapitalize="none"
              autoCorrect="off"
              spellCheck={false}
              aria-describedby={
                [ties['aria-describedby'], rules !== undefined && rulesId].filter(Boolean).join(' ') ||
                undefined
              }
            />
            <Button kind="quiet" onClick={() => setShown(!isShown)}>
              {isShown ? m.hide : m.show} <span className="visually-hidden">{m.what}</span>
            </Button>
          </span>
        )}
      </FieldBox>
      {rules !== undefined && <div id={rulesId}>{rules}</div>}
    </div>
  )
}
