import { Link, useSearch } from 'wouter'
import { useHistoryState } from 'wouter/use-browser-location'
import { nextAddress, PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { FormAlert, SubmitButton } from '../parts/Form'
import { Icon } from '../parts/Icon'
import { PasswordField } from '../parts/PasswordField'
import { useForm } from '../parts/use-form'
import { hasPasskeySupport } from '../session/passkey'
import { signIn } from '../session/sign-in'
import { beginAddress, signOnCode, signOnRefusals } from '../session/sign-on'
import { useSession } from '../session/use-session'
import { EnterCard } from './EnterCard'
import { usePasskeys } from './use-passkeys'
import { useOnward, useSteps } from './use-steps'
import { UsernameField } from './UsernameField'

const messages = defineMessages({
  en: {
    title: 'Sign in',
    again: 'The second step was not finished. Please sign in once more.',
    password: 'Password',
    signIn: 'Sign in',
    passkey: 'Sign in with a passkey',
    provider: (name: string) => `Sign in with ${name}`,
    noAccount: 'No account yet?',
    register: 'Create an account',
  },
  de: {
    title: 'Anmelden',
    again: 'Der zweite Schritt wurde nicht beendet. Bitte noch einmal anmelden.',
    password: 'Passwort',
    signIn: 'Anmelden',
    passkey: 'Mit Passkey anmelden',
    provider: (name) => `Mit ${name} anmelden`,
    noAccount: 'Noch kein Konto?',
    register: 'Konto anlegen',
  },
})

/** What the page of the second step leaves in the history when it has no token. */
export const UNFINISHED = { isUnfinished: true } as const

export function SignInPage() {
  const m = useMessages(messages)
  const session = useSession()
  const onward = useOnward()
  const goOn = useSteps()
  const cameFrom = useHistoryState<Partial<typeof UNFINISHED> | null>()
  const form = useForm(async ({ username = '', password = '' }) =>
    goOn(await signIn(username.trim(), password)),
  )
  const passkeys = usePasskeys(form, goOn)
  const words = useMessages(signOnRefusals)
  const refused = signOnCode(useSearch())
  const isOpen = session.is === 'signed-out' && session.registrationOpen
  return (
    <EnterCard
      title={m.title}
      foot={
        isOpen && (
          <p>
            {m.noAccount} <Link href={onward(PATTERNS.register)}>{m.register}</Link>
          </p>
        )
      }
    >
      <form {...form.props} className="enter-form">
        <FormAlert form={form}>
          {cameFrom?.isUnfinished && <p>{m.again}</p>}
          {refused && <p>{words[refused]}</p>}
        </FormAlert>
        <UsernameField form={form} autoComplete="username webauthn" />
        <PasswordField
          label={m.password}
          name="password"
          autoComplete="current-password"
          required
          problem={form.problems['password']}
        />
        <SubmitButton form={form}>{m.signIn}</SubmitButton>
        {hasPasskeySupport() && (
          <Button {...passkeys}>
            <Icon name="passkey" />
            {m.passkey}
          </Button>
        )}
        <ProviderLink />
      </form>
    </EnterCard>
  )
}

/** The way to the identity provider, where there is one. The browser itself goes there. */
function ProviderLink() {
  const m = useMessages(messages)
  const session = useSession()
  const search = useSearch()
  if (session.is !== 'signed-out' || session.provider === null) return null
  return (
    <a href={beginAddress(nextAddress(search))} className="button button-secondary">
      {m.provider(session.provider)}
    </a>
  )
}
