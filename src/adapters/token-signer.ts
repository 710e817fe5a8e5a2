import { createHmac, timingSafeEqual } from 'node:crypto'
import type { SecretKey, SessionClaims, TokenSigner } from '../lib/ports/secrets'

type Payload = Readonly<Record<string, unknown>>

const VERSION = 'v1'
/** Caches tokens with a valid signature: checking one again would cost a request as much as its routing. */
const REMEMBERED = 10_000

/**
 * Signs session tokens (contract: sessions.cookie) and texts. It is synchronous, because Web Crypto's HMAC makes the session check up to a
 * fifth slower.
 */
export function createTokenSigner(keys: readonly SecretKey[]): TokenSigner {
  const [current] = keys
  if (!current) throw new Error('a token signer needs at least one key')
  const secrets = new Map(keys.map(({ id, secret }) => [id, secret]))
  const verified = new Map<string, Payload>()

  const check = (token: string): Payload | undefined => {
    const [version, keyId = '', payload = '', signature = '', ...rest] = token.split('.')
    const secret = secrets.get(keyId)
    if (version !== VERSION || secret === undefined || rest.length > 0) return undefined
    const expected = mac(secret, `${VERSION}.${keyId}.${payload}`)
    return sameText(expected, signature) ? readPayload(payload) : undefined
  }

  return {
    sign: (claims) => {
      const { uid, sid, iat, exp } = claims satisfies SessionClaims
      const payload = Buffer.from(JSON.stringify({ uid, sid, iat, exp })).toString('base64url')
      const signed = `${VERSION}.${current.id}.${payload}`
      return `${signed}.${mac(current.secret, signed)}`
    },
    verify: (token) => {
      const known = verified.get(token)
      if (known) return known
      const payload = check(token)
      if (!payload) return undefined
      const [oldest] = verified.keys()
      if (verified.size >= REMEMBERED && oldest !== undefined) verified.delete(oldest)
      verified.set(token, payload)
      return payload
    },
    signText: (purpose, text) =>
      `${text}.${current.id}.${mac(current.secret, textOf(purpose, current.id, text))}`,
    readText: (purpose, signed) => {
      const [text = '', keyId = '', signature = '', ...rest] = signed.split('.')
      const secret = secrets.get(keyId)
      if (secret === undefined || rest.length > 0) return undefined
      return sameText(mac(secret, textOf(purpose, keyId, text)), signature) ? text : undefined
    },
  }
}

/** What is signed of a text; it begins unlike a session token. */
const textOf = (purpose: string, keyId: string, text: string) => `text.${purpose}.${keyId}.${text}`

const mac = (secret: string, text: string) => createHmac('sha256', secret).update(text).digest('base64url')

function sameText(left: string, right: string): boolean {
  const [one, other] = [Buffer.from(left), Buffer.from(right)]
  return one.length === other.length && timingSafeEqual(one, other)
}

function readPayload(payload: string): Payload | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(payload, 'base64url').toString())
    return isRecord(value) ? value : undefined
  } catch {
    return undefined
  }
}

const isRecord = (value: unknown): value is Payload =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
