import type { ChangePasswordBody } from '../../features/identity/accounts/model'
import type { EndedView, SessionView } from '../../features/identity/active-sessions/model'
import type { IdentityView } from '../../features/identity/identities/model'
import type { PasskeyView, RegistrationOptionsView } from '../../features/identity/passkeys/model'
import type { StatusView } from '../../features/identity/sessions/model'
import type { NewTokenBody, NewTokenView, TokenView } from '../../features/identity/tokens/model'
import type { BackupCodesBody, TotpSetupView, TotpStatusView } from '../../features/identity/totp/model'
import { call, pathOf, request } from '../api/call'
import { type AssertionOptions, answerChallenge } from '../session/passkey'

/** What protects an account stands in no feed: each page asks for it when it opens. */

export const readTotp = async (): Promise<TotpStatusView> =>
  (await call<TotpStatusView>('GET', 'auth/totp/status')).body

export const readPasskeys = async (): Promise<readonly PasskeyView[]> =>
  (await call<{ readonly passkeys: readonly PasskeyView[] }>('GET', 'auth/passkeys')).body.passkeys

export const readIsPasswordless = async (): Promise<boolean> =>
  (await call<StatusView>('GET', 'auth/status')).body.passwordless_enabled

export const readSessions = async (): Promise<readonly SessionView[]> =>
  (await call<{ readonly sessions: readonly SessionView[] }>('GET', 'auth/sessions')).body.sessions

export const readTokens = async (): Promise<readonly TokenView[]> =>
  (await call<{ readonly tokens: readonly TokenView[] }>('GET', 'auth/tokens')).body.tokens

/** Returns how many other sessions ended. */
export const changePassword = async (body: ChangePasswordBody): Promise<number> =>
  (await call<{ readonly sessions_revoked: number }>('POST', 'auth/change-password', { body })).body
    .sessions_revoked

export const setUpTotp = async (): Promise<TotpSetupView> =>
  (await call<TotpSetupView>('POST', 'auth/totp/setup')).body

/** Returns the backup codes. */
export const confirmTotp = async (code: string): Promise<readonly string[]> =>
  (await call<{ readonly backup_codes: readonly string[] }>('POST', 'auth/totp/confirm', { body: { code } }))
    .body.backup_codes

export const disableTotp = async (password: string | undefined, code: string): Promise<void> =>
  void (await call('POST', 'auth/totp/disable', { body: { password, code } }))

/**
 * Returns new backup codes. Without a code of the authenticator, which may be lost, the session has to be recent: a password
 * that is at hand makes it so.
 */
export async function renewBackupCodes(password: string | undefined): Promise<readonly string[]> {
  if (password !== undefined) await call('POST', 'auth/verify-password', { body: { password } })
  const body: BackupCodesBody = password === undefined ? {} : { password }
  const answer = await call<{ readonly backup_codes: readonly string[] }>('POST', 'auth/totp/backup-codes', {
    body,
  })
  return answer.body.backup_codes
}

/**
 * Lets the browser make a passkey (Web Authentication Level 3, section 5.1.3). `nameHere` is for one that stays in this device.
 * @throws DOMException when the user gave up, or the device has one already (`InvalidStateError`).
 */
export async function addPasskey(nameHere: string): Promise<PasskeyView> {
  const { body } = await call<RegistrationOptionsView>('POST', 'auth/passkeys/register/begin')
  const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(body.options)
  const credential = await navigator.credentials.create({ publicKey })
  if (!(credential instanceof PublicKeyCredential)) throw new DOMException('No passkey', 'NotAllowedError')
  const isHere = credential.authenticatorAttachment === 'platform'
  const made = { credential: credential.toJSON(), ...(isHere && { name: nameHere }) }
  return (await call<PasskeyView>('POST', 'auth/passkeys/register/complete', { body: made })).body
}

/** The sign-ins that are linked, with what the provider is called; null where there is none. */
export async function readSignOn() {
  const { oidc } = (await call<StatusView>('GET', 'auth/status')).body
  if (!oidc) return null
  const { body } = await call<{ readonly identities: readonly IdentityView[] }>('GET', 'auth/identities')
  return { provider: oidc.name, identities: body.identities }
}

const LINK = 'auth/oidc/begin?purpose=link'

/** Leads to the provider to link a sign-in there, once the session has proved itself as that needs. */
export async function linkSignOn(): Promise<void> {
  await request('GET', LINK, { leadsOn: true })
  location.assign(`/api/${LINK}`)
}

export const unlinkSignOn = async (id: number): Promise<void> =>
  void (await call('DELETE', pathOf`auth/identities/${id}`))

export const renamePasskey = async (id: number, name: string): Promise<void> =>
  void (await call('PUT', pathOf`auth/passkeys/${id}`, { body: { name } }))

export const deletePasskey = async (id: number): Promise<void> =>
  void (await call('DELETE', pathOf`auth/passkeys/${id}`))

export const enablePasswordless = async (password: string | undefined): Promise<void> =>
  void (await call('PUT', 'auth/passkeys/passwordless/enable', { body: { password } }))

/** Proves a passkey, so that nobody is left with neither. @throws DOMException when the user chose none. */
export async function disablePasswordless(): Promise<void> {
  const { body } = await call<AssertionOptions>('POST', 'auth/passkeys/passwordless/disable/begin')
  const credential = await answerChallenge(body)
  await call('PUT', 'auth/passkeys/passwordless/disable', { body: { credential } })
}

export const revokeSession = async (id: string): Promise<void> =>
  void (await call('DELETE', pathOf`auth/sessions/${id}`))

export const revokeOtherSessions = async (everything: boolean): Promise<EndedView> =>
  (await call<EndedView>('DELETE', 'auth/sessions', { body: { everything } })).body

export const createToken = async (body: NewTokenBody): Promise<NewTokenView> =>
  (await call<NewTokenView>('POST', 'auth/tokens', { body })).body

export const revokeToken = async (id: number): Promise<void> =>
  void (await call('DELETE', pathOf`auth/tokens/${id}`))
