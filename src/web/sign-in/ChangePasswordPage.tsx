import { refusalOf } from '../api/refusal'
import { call } from '../api/call'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { useForm } from '../parts/use-form'
import { entered } from '../session/sign-in'
import { signOut } from '../session/sign-out'
import { useSession } from '../session/use-session'
import { EnterCard } from './EnterCard'
import { PasswordChangeForm, passwordChangeOf } from './PasswordChangeForm'

const messages = defineMessages({
  en: {
    title: 'Choose a new password',
    lead: 'An administrator gave you a temporary password. Replace it with one that only you know.',
    ends: 'All your other sessions end.',
    signOut: 'Sign out',
  },
  de: {
    title: 'Neues Passwort wählen',
    lead: 'Die Administration hat ein vorläufiges Passwort vergeben. Es wird durch ein eigenes ersetzt.',
    ends: 'Alle anderen Sitzungen enden.',
    signOut: 'Abmelden',
  },
})

/** The change that an administrator's temporary password asks for. Nothing else is reachable before. */
export function ChangePasswordPage() {
  const m = useMessages(messages)
  const session = useSession()
  const form = useForm(async (values) => {
    await call('POST', 'auth/change-password', { body: passwordChangeOf(values) })
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
      {'user' in session && <PasswordChangeForm form={form} user={session.user} ends={m.ends} isForced />}
    </EnterCard>
  )
}
