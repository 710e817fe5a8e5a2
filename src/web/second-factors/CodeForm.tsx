import { useState } from 'react'
import type { MfaVerifiedView } from '../../features/identity/mfa-sign-in/model'
import { call } from '../api/call'
import { refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import { FormAlert, SubmitButton } from '../parts/Form'
import { useForm } from '../parts/use-form'
import { entered } from '../session/sign-in'
import { ClockWarning } from './ClockWarning'

const messages = defineMessages({
  en: {
    code: 'Code',
    codeHint: 'The six digits that your authenticator shows for Organiser.',
    backup: 'Backup code',
    backupHint: 'One of the ten codes that you saved, such as ABCDE-FGHIJ. Each works once.',
    verify: 'Verify',
    useBackup: 'Use a backup code',
    useCode: 'Use the authenticator',
  },
  de: {
    code: 'Code',
    codeHint: 'Die sechs Ziffern, die die Authentifizierungs-App für Organiser zeigt.',
    backup: 'Ersatzcode',
    backupHint: 'Einer der zehn gesicherten Codes, etwa ABCDE-FGHIJ. Jeder gilt einmal.',
    verify: 'Prüfen',
    useBackup: 'Ersatzcode verwenden',
    useCode: 'Authentifizierungs-App verwenden',
  },
})

/** What an authenticator shows as “123 456” counts as one number. */
export const withoutSpaces = (code: string): string => code.replaceAll(/\s/g, '')

/** The service's answer to a token that has expired, or that five wrong codes have used up. */
export const isInvalidToken = (error: unknown): boolean =>
  refusalOf(error)?.detail === 'Invalid or expired MFA token'

interface CodeFormProps {
  /** Of the first step. */
  readonly token: string
  readonly onInvalidToken: () => void
}

/** The second step of a sign-in: a code of the authenticator, or a backup code. */
export function CodeForm({ token, onInvalidToken }: CodeFormProps) {
  const m = useMessages(messages)
  const [isBackup, setBackup] = useState(false)
  const form = useForm(async ({ code = '' }) => {
    try {
      await call<MfaVerifiedView>('POST', 'auth/totp/verify', {
        body: { mfa_token: token, code: withoutSpaces(code) },
      })
    } catch (error) {
      if (!isInvalidToken(error)) throw error
      return onInvalidToken()
    }
    await entered()
  })
  return (
    <form {...form.props} className="enter-form">
      {!isBackup && <ClockWarning />}
      <FormAlert form={form} />
      <Field
        key={String(isBackup)}
        label={isBackup ? m.backup : m.code}
        hint={isBackup ? m.backupHint : m.codeHint}
        name="code"
        autoComplete={isBackup ? 'off' : 'one-time-code'}
        inputMode={isBackup ? 'text' : 'numeric'}
        autoCapitalize={isBackup ? 'characters' : 'none'}
        spellCheck={false}
        required
        autoFocus
        problem={form.problems['code']}
      />
      <SubmitButton form={form}>{m.verify}</SubmitButton>
      <Button kind="quiet" onClick={() => setBackup(!isBackup)}>
        {isBackup ? m.useCode : m.useBackup}
      </Button>
    </form>
  )
}
