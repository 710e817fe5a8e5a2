import type { Random } from '../lib/ports/random'
import type { Cipher, SecretKey } from '../lib/ports/secrets'

const VERSION = 'v1'
const IV_BYTES = 12
const encoder = new TextEncoder()

/**
 * Encrypts with AES-256-GCM. HKDF-SHA-256 (RFC 5869) derives the keys from the service's secrets. The first key encrypts, and all
 * of them decrypt. Format: `v1.<key id>.<base64url of nonce and ciphertext>`.
 */
export function createCipher(keys: readonly SecretKey[], random: Random): Cipher {
  const [current] = keys
  if (!current) throw new Error('a cipher needs at least one key')
  const newest = deriveKey(current.secret)
  const derived = new Map([
    ...keys.slice(1).map(({ id, secret }) => [id, deriveKey(secret)] as const),
    [current.id, newest],
  ])
  return {
    encrypt: async (text, associated) => {
      const iv = new Uint8Array(random.bytes(IV_BYTES))
      const key = await newest
      const sealed = await crypto.subtle.encrypt(parameters(iv, associated), key, encoder.encode(text))
      const bytes = new Uint8Array([...iv, ...new Uint8Array(sealed)])
      return `${VERSION}.${current.id}.${bytes.toBase64({ alphabet: 'base64url', omitPadding: true })}`
    },
    decrypt: async (text, associated) => {
      const [version, keyId = '', payload = ''] = text.split('.')
      const key = version === VERSION ? await derived.get(keyId) : undefined
      if (!key) throw new Error('the ciphertext names a key that is not in SECRET_KEYS')
      const bytes = Uint8Array.fromBase64(payload, { alphabet: 'base64url' })
      const iv = bytes.slice(0, IV_BYTES)
      const opened = await crypto.subtle.decrypt(parameters(iv, associated), key, bytes.slice(IV_BYTES))
      return new TextDecoder().decode(opened)
    },
  }
}

const parameters = (iv: Uint8Array<ArrayBuffer>, associated: string) => ({
  name: 'AES-GCM',
  iv,
  additionalData: encoder.encode(associated),
})

async function deriveKey(secret: string): Promise<CryptoKey> {
  const master = await crypto.subtle.importKey('raw', encoder.encode(secret), 'HKDF', false, ['deriveKey'])
  const hkdf = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new Uint8Array(),
    info: encoder.encode('organiser cipher'),
  }
  return crypto.subtle.deriveKey(hkdf, master, { name: 'AES-GCM', length: 256 }, false, [
    'encrypt',
    'decrypt',
  ])
}
