import { useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import { refusalOf } from '../api/refusal'
import { lock } from '../lock/lock'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import type { MenuAction } from '../parts/Menu'
import { announce } from '../parts/messages-store'
import { installation } from '../service-worker/install'
import { signOut } from '../session/sign-out'
import { PATTERNS } from './addresses'

const messages = defineMessages({
  en: {
    lock: 'Lock',
    shortcuts: 'Keyboard shortcuts',
    appearance: 'Appearance',
    trash: 'Trash',
    install: 'Install Organiser',
    signOut: 'Sign out',
    notSignedOut: 'You are still signed in: the service could not be reached.',
    failed: 'Something went wrong. Please try again.',
  },
  de: {
    lock: 'Sperren',
    shortcuts: 'Tastenkürzel',
    appearance: 'Darstellung',
    trash: 'Papierkorb',
    install: 'Organiser installieren',
    signOut: 'Abmelden',
    notSignedOut: 'Die Anmeldung besteht weiter: Der Dienst war nicht erreichbar.',
    failed: 'Etwas ist schiefgegangen. Bitte noch einmal versuchen.',
  },
})

/** What the button "Account" offers; the first locks, which also has keys of its own. */
export function useAccountActions(showShortcuts: () => void): readonly MenuAction[] {
  const m = useMessages(messages)
  const [, navigate] = useLocation()
  const install = useSyncExternalStore(installation.subscribe, installation.read)
  const attempt = (action: () => Promise<void>, unreachable: string) => () =>
    void action().catch((error: unknown) =>
      announce({ text: refusalOf(error)?.status === 0 ? unreachable : m.failed, isError: true }),
    )
  return [
    { id: 'lock', label: m.lock, icon: 'lock', keys: 'G L', run: () => void lock() },
    { id: 'shortcuts', label: m.shortcuts, icon: 'keyboard', keys: '?', run: showShortcuts },
    {
      id: 'appearance',
      label: m.appearance,
      icon: 'appearance',
      run: () => navigate(PATTERNS.settingsAppearance),
    },
    { id: 'trash', label: m.trash, icon: 'delete', run: () => navigate(PATTERNS.trash) },
    ...(install ? [{ id: 'install', label: m.install, icon: 'download' as const, run: install }] : []),
    { id: 'sign-out', label: m.signOut, icon: 'sign-out', run: attempt(signOut, m.notSignedOut) },
  ]
}
