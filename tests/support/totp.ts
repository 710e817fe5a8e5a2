import type { Actor, Harness } from './harness'
import { codeAt } from './authenticator-app'
import { PASSWORD } from './harness'

/** Sets an authenticator up over HTTP, and moves on to the next time step. */
export async function withTotp(h: Harness, actor: Actor) {
  const { body: setup } = await actor.request('POST', '/api/auth/totp/setup')
  const confirmed = await actor.request('POST', '/api/auth/totp/confirm', {
    body: { code: codeAt(setup.secret, h.clock.now()) },
  })
  if (confirmed.status !== 200) throw new Error(`not confirmed: ${confirmed.status}`)
  h.clock.advance({ seconds: 60 })
  return { secret: setup.secret as string, backupCodes: confirmed.body.backup_codes as string[] }
}

/** Signs in with the password as far as that goes; answers the token for the second factor. */
export async function passwordStep(h: Harness, username: string, password = PASSWORD): Promise<string> {
  const { body } = await h.request('POST', '/api/auth/login', { body: { username, password } })
  if (typeof body.mfa_token !== 'string') throw new Error('no mfa_token')
  return body.mfa_token
}
