import { useEffect, useRef } from 'react'
import { refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { FormAlert, SubmitButton } from '../parts/Form'
import { Icon } from '../parts/Icon'
import { OwnPassword } from '../session/OwnPassword'
import { hasPasskeySupport } from '../session/passkey'
import type { SessionUser } from '../session/session-user'
import { entered } from '../session/sign-in'
import { signOnCode, signOnRefusals, unlockAtProvider } from '../session/sign-on'
import { signOut } from '../session/sign-out'
import { useProof } from '../session/use-proof'

const messages = defineMessages({
  en: {
    title: 'Locked',
    of: (name: string) => `Signed in as ${name}`,
    unlock: 'Unlock',
    passkey: 'Unlock with a passkey',
    provider: (name: string) => `Unlock with ${name}`,
    signOut: 'Sign out',
  },
  de: {
    title: 'Gesperrt',
    of: (name: string) => `Angemeldet als ${name}`,
    unlock: 'Entsperren',
    passkey: 'Mit Passkey entsperren',
    provider: (name) => `Mit ${name} entsperren`,
    signOut: 'Abmelden',
  },
})

/** The password, or the first button where there is none. */
const FIRST = 'input:not([hidden]), button'

/** Takes the place of the whole client while the screen is locked; the address stays as it was (contract: web.lock). */
export function LockScreen({ user }: { readonly user: SessionUser }) {
  const m = useMessages(messages)
  const words = useMessages(signOnRefusals)
  const refused = signOnCode(location.search)
  const { form, passkey } = useProof(entered)
  const card = useRef<HTMLDivElement>(null)
  // Later than `autoFocus`: the menu that locked keeps the page inert until it is gone.
  useEffect(() => card.current?.querySelector<HTMLElement>(FIRST)?.focus(), [])
  const leave = () => signOut().catch((error: unknown) => form.refuse(refusalOf(error)))
  const unlock = () => unlockAtProvider().catch((error: unknown) => form.refuse(refusalOf(error)))
  return (
    <main className="enter">
      <title>{m.title}</title>
      <div ref={card} className="enter-card">
        <p className="lock-mark">
          <Icon name="lock" />
        </p>
        <h1>{m.title}</h1>
        <p className="enter-lead">{m.of(user.username)}</p>
        <form {...form.props} className="enter-form">
          <FormAlert form={form}>{refused && <p>{words[refused]}</p>}</FormAlert>
          <OwnPassword form={form} user={user} />
          {user.hasPassword && <SubmitButton form={form}>{m.unlock}</SubmitButton>}
        </form>
        <div className="enter-others">
          {user.hasPasskeys && hasPasskeySupport() && (
            <Button {...passkey}>
              <Icon name="passkey" />
              {m.passkey}
            </Button>
          )}
          {user.provider !== null && (
            <Button kind={user.hasPassword ? 'secondary' : 'primary'} onClick={() => void unlock()}>
              {m.provider(user.provider)}
            </Button>
          )}
          <Button kind="quiet" onClick={() => void leave()}>
            {m.signOut}
          </Button>
        </div>
      </div>
    </main>
  )
}
