import { SCOPES, type Scope } from '../../src/lib/scopes'
import type { Actor, Harness } from './harness'

export const TOKENS = '/api/auth/tokens'

/** Everything that a token on /api may be allowed. */
export const ALL_SCOPES: readonly Scope[] = SCOPES.filter((scope) => scope !== 'dav')

/** What an actor needs for making a token. */
type Maker = Pick<Actor, 'request'>

/** A new access token, as the answer that shows it. */
export async function createToken(
  actor: Maker,
  scopes: readonly Scope[] = ALL_SCOPES,
  more: Readonly<Record<string, unknown>> = {},
) {
  const { status, body } = await actor.request('POST', TOKENS, {
    body: { name: 'Script', scopes, ...more },
  })
  if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`)
  return body as { id: number; token: string; prefix: string } & Record<string, unknown>
}

type Sent = Parameters<Harness['request']>[2]

/** Sends what a program with the token would. */
export const programOf =
  (h: Harness, token: string) =>
  (method: string, path: string, sent: Sent = {}) =>
    h.request(method, path, {
      ...sent,
      headers: { authorization: `Bearer ${token}`, ...sent.headers },
    })

/** The one answer to a token that lets nobody in. */
export const INVALID_TOKEN = { status: 401, detail: 'Invalid or expired access token' }
