import { useState } from 'react'
import { Link } from 'wouter'
import type { RegisterView } from '../../features/identity/accounts/model'
import { call } from '../api/call'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Field } from '../parts/Field'
import { FormAlert, SubmitButton } from '../parts/Form'
import { useForm } from '../parts/use-form'
import { beginSecondStep, entered } from '../session/sign-in'
import { useSession } from '../session/use-session'
import { deviceZone, today } from '../time/now'
import { placeZone, savePlace, weekStartOf } from './device-place'
import { EnterCard } from './EnterCard'
import { NewPasswordField } from './NewPasswordField'
import { useOnward, useSteps } from './use-steps'
import { UsernameField } from './UsernameField'

const messages = defineMessages({
  en: {
    title: 'Create an account',
    closed: 'New accounts are not open at the moment. Ask the person who runs this Organiser.',
    email: 'Email',
    birth: 'Date of birth',
    password: 'Password',
    create: 'Create account',
    hasAccount: 'Already have an account?',
    signIn: 'Sign in',
  },
  de: {
    title: 'Konto anlegen',
    closed: 'Neue Konten sind zurzeit nicht möglich. Auskunft gibt, wer diesen Organiser betreibt.',
    email: 'E-Mail',
    birth: 'Geburtsdatum',
    password: 'Passwort',
    create: 'Konto anlegen',
    hasAccount: 'Schon ein Konto?',
    signIn: 'Anmelden',
  },
})

/** A new account, where an administrator lets everybody make one. */
export function RegisterPage() {
  const m = useMessages(messages)
  const session = useSession()
  const onward = useOnward()
  const isOpen = session.is === 'signed-out' && session.registrationOpen
  return (
    <EnterCard
      title={m.title}
      foot={
        <p>
          {m.hasAccount} <Link href={onward(PATTERNS.signIn)}>{m.signIn}</Link>
        </p>
      }
    >
      {isOpen ? <RegisterForm /> : <p>{m.closed}</p>}
    </EnterCard>
  )
}

function RegisterForm() {
  const m = useMessages(messages)
  const goOn = useSteps()
  const [username, setUsername] = useState('')
  const form = useForm(async ({ username: name = '', ...rest }) => {
    const { body } = await call<RegisterView>('POST', 'auth/register', {
      body: { username: name.trim(), ...rest },
    })
    if ('mfa_token' in body) {
      await beginSecondStep({ step: 'set-up', token: body.mfa_token })
      return goOn('set-up')
    }
    // The account is there: without its zone it has the service's, which its settings show.
    await savePlace(placeZone(), weekStartOf(navigator.language)).catch(() => {})
    await entered()
  })
  return (
    <form {...form.props} className="enter-form">
      <FormAlert form={form} />
      <UsernameField form={form} onType={setUsername} />
      <Field
        label={m.email}
        name="email"
        type="email"
        autoComplete="email"
        required
        problem={form.problems['email']}
      />
      <Field
        label={m.birth}
        name="date_of_birth"
        type="date"
        autoComplete="bday"
        max={today(deviceZone()).toString()}
        required
        problem={form.problems['date_of_birth']}
      />
      <NewPasswordField form={form} label={m.password} name="password" username={username} />
      <SubmitButton form={form}>{m.create}</SubmitButton>
    </form>
  )
}
