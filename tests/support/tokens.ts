import { accessTokens } from '../../src/db/schema'
import { prefixOf, SECRET_BYTES, toTokenText } from '../../src/lib/access-tokens'
import { SCOPES, type Scope } from '../../src/lib/scopes'
import { sha256Hex } from '../../src/lib/text'
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

/** A token as the database would have it, whatever is wrong with it. Answers its id and its text. */
export async function insertToken(
  { db, clock }: Pick<Harness, 'db' | 'clock'>,
  userId: number,
  columns: Partial<typeof accessTokens.$inferInsert> = {},
) {
  const text = toTokenText(crypto.getRandomValues(new Uint8Array(SECRET_BYTES)))
  const now = clock.now()
  const [row] = await db
    .insert(accessTokens)
    .values({
      userId,
      name: 'Script',
      scopes: [...ALL_SCOPES],
      tokenHash: await sha256Hex(text),
      prefix: prefixOf(text),
      createdAt: now,
      lastUsedAt: now,
      ...columns,
    })
    .returning()
  if (!row) throw new Error('no row')
  return { id: row.id, token: text }
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
