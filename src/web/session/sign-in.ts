import type { PasskeyLoginView } from '../../features/identity/passkey-sign-in/model'
import type { LoginView } from '../../features/identity/sign-in/model'
import { call } from '../api/call'
import { clearLockMark } from './lock-mark'
import { provePasskey } from './passkey'
import type { Pending } from './pending'
import { refreshSession, sessions, setSession } from './session'
import { tellTabs } from './tabs'

/** What follows a right password or passkey: a second step, or nothing. */
export type NextStep = Pending['step'] | 'none'

export async function signIn(username: string, password: string): Promise<NextStep> {
  const { body } = await call<LoginView>('POST', 'auth/login', { body: { username, password } })
  return takeStep(body)
}

/** @throws DOMException `NotAllowedError` or `AbortError` when no passkey was chosen. */
export async function signInWithPasskey(how: Parameters<typeof provePasskey>[0] = {}): Promise<NextStep> {
  const credential = await provePasskey(how)
  const { body } = await call<PasskeyLoginView>('POST', 'auth/passkeys/login/complete', {
    body: { credential },
  })
  return takeStep(body)
}

async function takeStep(view: PasskeyLoginView): Promise<NextStep> {
  if ('mfa_token' in view) {
    const step = 'totp_required' in view ? 'code' : 'set-up'
    await beginSecondStep({ step, token: view.mfa_token })
    return step
  }
  await entered()
  return 'none'
}

/** Keeps the token of the second step; in an ended session, the page behind the dialog goes on. */
export async function beginSecondStep(pending: Pending): Promise<void> {
  const session = sessions.read()
  if (session.is === 'signed-out') setSession({ ...session, pending })
  else if (session.is === 'ended') setSession({ ...session, pending })
}

export function endSecondStep(): void {
  const session = sessions.read()
  if (session.is !== 'signed-out') return
  const { registrationOpen, provider } = session
  setSession({ is: 'signed-out', registrationOpen, provider })
}

/** The cookie of a new session is there: this tab and the others ask the service for the user. */
export async function entered(): Promise<void> {
  clearLockMark()
  await refreshSession()
  tellTabs('changed')
}
