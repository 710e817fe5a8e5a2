import type { AssertionCredential, AssertionOptionsView } from '../../features/identity/webauthn/model'
import { call } from '../api/call'

export type AssertionOptions = typeof AssertionOptionsView.static

interface PasskeyPrompt {
  /** `conditional` offers passkeys among the suggestions of a field instead of asking at once. */
  readonly mediation?: CredentialMediationRequirement
  readonly signal?: AbortSignal
}

export const hasPasskeySupport = (): boolean => 'PublicKeyCredential' in globalThis

/**
 * Proves a passkey to the service's challenge (Web Authentication Level 3, section 5.1.9). With a session, only passkeys of its
 * user are accepted. @throws DOMException when the user chose none.
 */
export async function provePasskey({
  mediation = 'optional',
  signal,
}: PasskeyPrompt): Promise<AssertionCredential> {
  const { body } = await call<AssertionOptions>('POST', 'auth/passkeys/login/begin', {
    ...(signal && { signal }),
  })
  return answerChallenge(body, { mediation, ...(signal && { signal }) })
}

/** Lets the browser prove a passkey to a challenge. @throws DOMException when the user chose none. */
export async function answerChallenge(
  { options }: AssertionOptions,
  { mediation = 'optional', signal }: PasskeyPrompt = {},
): Promise<AssertionCredential> {
  const publicKey = PublicKeyCredential.parseRequestOptionsFromJSON(options)
  const credential = await navigator.credentials.get({ publicKey, mediation, ...(signal && { signal }) })
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('No passkey', 'NotAllowedError')
  return credential.toJSON() as AssertionCredential
}

/** Unlocks the session, or makes it recent, by a passkey of its user. */
export async function unlockWithPasskey(): Promise<void> {
  const credential = await provePasskey({})
  await call('POST', 'auth/passkeys/login/complete', { body: { credential, unlock: true } })
}

/** Whether the user closed the browser's own dialog, which needs no words. */
export const isPasskeyCancelled = (error: unknown): boolean =>
  error instanceof DOMException && ['NotAllowedError', 'AbortError'].includes(error.name)
