import { useRef, useState } from 'react'
import type { SessionView } from '../../features/identity/active-sessions/model'
import { useAnswer } from '../api/use-answer'
import { useLocale, useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { announce } from '../parts/messages-store'
import { useForm } from '../parts/use-form'
import { checkSession } from '../session/session'
import { tellTabs } from '../session/tabs'
import { useSignedIn } from '../session/use-session'
import { PasswordChangeForm, passwordChangeOf } from '../sign-in/PasswordChangeForm'
import { changePassword, readSessions } from './data'
import { useDeviceName } from './devices'

const messages = defineMessages({
  en: {
    title: 'Change the password',
    setTitle: 'Set a password',
    setWhy: 'Your account has none. With one you can also sign in when nothing else is at hand.',
    ends: 'All your other sessions end.',
    noneEnds: 'There is no other session that would end.',
    ended: (devices: string) => `These sessions end: ${devices}.`,
    more: (count: number) => `${count} more`,
    set: 'The password is set. It signs you in from now on.',
    changed: (count: number) =>
      count === 0
        ? 'The password is changed.'
        : `The password is changed. ${count} other ${counted(count, 'session', 'sessions')} ended.`,
  },
  de: {
    title: 'Passwort ändern',
    setTitle: 'Passwort festlegen',
    setWhy: 'Das Konto hat keines. Mit einem gelingt die Anmeldung auch, wenn nichts anderes zur Hand ist.',
    ends: 'Alle anderen Sitzungen enden.',
    noneEnds: 'Es gibt keine andere Sitzung, die enden würde.',
    ended: (devices) => `Diese Sitzungen enden: ${devices}.`,
    more: (count) => `${count} weitere`,
    set: 'Das Passwort ist festgelegt. Damit lässt sich das Konto ab jetzt öffnen.',
    changed: (count) =>
      count === 0
        ? 'Das Passwort ist geändert.'
        : `Das Passwort ist geändert. ${count} andere ${counted(count, 'Sitzung ist', 'Sitzungen sind')} beendet.`,
  },
})

/** Changes the password, or sets the first one. After it the form is a new one, so that neither password stays in the page. */
export function PasswordSection() {
  const m = useMessages(messages)
  const { user } = useSignedIn()
  const heading = useRef<HTMLHeadingElement>(null)
  const [round, setRound] = useState(0)
  const finish = (ended: number) => {
    setRound((last) => last + 1)
    heading.current?.focus()
    announce({ text: user.hasPassword ? m.changed(ended) : m.set })
    if (user.hasPassword) return
    // From now on all tabs ask for it.
    void checkSession()
    tellTabs('changed')
  }
  // The provider is the only way in: a password would open nothing.
  if (user.isProviderOnly) return null
  return (
    <section aria-labelledby="password-title">
      <h2 id="password-title" ref={heading} tabIndex={-1}>
        {user.hasPassword ? m.title : m.setTitle}
      </h2>
      {!user.hasPassword && <p>{m.setWhy}</p>}
      <NewPassword key={round} onChanged={finish} />
    </section>
  )
}

function NewPassword({ onChanged }: { readonly onChanged: (ended: number) => void }) {
  const { user } = useSignedIn()
  const ends = useEnding()
  const form = useForm(async (values) => onChanged(await changePassword(passwordChangeOf(values))))
  return <PasswordChangeForm form={form} user={user} ends={ends} />
}

/** More names than these say less. */
const MOST_NAMED = 4

/** Which sessions end with the password, by their devices. */
function useEnding(): string {
  const m = useMessages(messages)
  const locale = useLocale()
  const nameOf = useDeviceName()
  const { value } = useAnswer<readonly SessionView[]>(readSessions)
  if (!value) return m.ends
  const others = value.filter(({ is_current }) => !is_current)
  if (others.length === 0) return m.noneEnds
  const named = others.slice(0, MOST_NAMED).map(({ user_agent }) => nameOf(user_agent))
  const more = others.length - named.length
  return m.ended(new Intl.ListFormat(locale).format(more > 0 ? [...named, m.more(more)] : named))
}
