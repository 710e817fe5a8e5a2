import { isoCBOR } from '@simplewebauthn/server/helpers'

/** An authenticator and the browser before it, in software: makes one discoverable credential and signs with it. */

type Bytes = Uint8Array<ArrayBuffer>

/** What can differ from an honest ceremony. */
export interface Lies {
  readonly type?: string
  readonly challenge?: string
  readonly origin?: string
  readonly crossOrigin?: boolean
  readonly topOrigin?: string
  readonly rpId?: string
  readonly userPresent?: boolean
  readonly userVerified?: boolean
  readonly backupEligible?: boolean
  readonly backedUp?: boolean
  readonly signCount?: number
  /** Null: none. */
  readonly userHandle?: string | null
  readonly attestation?: (parts: AttestationParts) => Map<string, unknown> | Promise<Map<string, unknown>>
  readonly publicKey?: Bytes
}

interface AttestationParts {
  readonly authData: Bytes
  /** By the new credential's own key. */
  readonly sign: () => Promise<Bytes>
}

interface Options {
  readonly algorithm?: keyof typeof ALGORITHMS
  readonly origin?: string
  readonly rpId?: string
  /** Whether it counts its signatures. */
  readonly counts?: boolean
  readonly backupEligible?: boolean
  readonly backedUp?: boolean
}

const EC = { name: 'ECDSA', namedCurve: 'P-256' }
const RSA = {
  name: 'RSASSA-PKCS1-v1_5',
  modulusLength: 2048,
  publicExponent: new Uint8Array([1, 0, 1]),
  hash: 'SHA-256',
}
/** By COSE identifier. */
const ALGORITHMS = {
  [-7]: { generate: EC, sign: { name: 'ECDSA', hash: 'SHA-256' } },
  [-8]: { generate: { name: 'Ed25519' }, sign: { name: 'Ed25519' } },
  [-257]: { generate: RSA, sign: { name: 'RSASSA-PKCS1-v1_5' } },
}

const encode = (text: string): Bytes => new TextEncoder().encode(text)
const concat = (...parts: ReadonlyArray<ArrayLike<number>>): Bytes =>
  Uint8Array.from(parts.flatMap((part) => Array.from(part)))
export const toBase64url = (bytes: Uint8Array) => bytes.toBase64({ alphabet: 'base64url', omitPadding: true })
const fromBase64url = (text = ''): Bytes => Uint8Array.fromBase64(text, { alphabet: 'base64url' })
const sha256 = async (bytes: Bytes): Promise<Bytes> =>
  new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
const cbor = (value: unknown): Bytes => new Uint8Array(isoCBOR.encode(value as never))

/** RFC 9053: the public key as credentials carry it. */
async function coseKey(key: CryptoKey, algorithm: keyof typeof ALGORITHMS): Promise<Bytes> {
  const { x, y, n, e } = await crypto.subtle.exportKey('jwk', key)
  const fields: Record<keyof typeof ALGORITHMS, Array<[number, number | Bytes]>> = {
    [-7]: [
      [1, 2],
      [3, -7],
      [-1, 1],
      [-2, fromBase64url(x)],
      [-3, fromBase64url(y)],
    ],
    [-8]: [
      [1, 1],
      [3, -8],
      [-1, 6],
      [-2, fromBase64url(x)],
    ],
    [-257]: [
      [1, 3],
      [3, -257],
      [-1, fromBase64url(n)],
      [-2, fromBase64url(e)],
    ],
  }
  return cbor(new Map(fields[algorithm]))
}

/** Web Crypto writes r and s side by side; WebAuthn wants ASN.1 (section 6.5.5). */
function toDer(signature: Bytes): Bytes {
  const integer = (half: Bytes) => {
    const trimmed = half.slice(half.findIndex((byte) => byte > 0))
    const positive = (trimmed[0] ?? 0) > 0x7f ? concat([0], trimmed) : trimmed
    return concat([2, positive.length], positive)
  }
  const body = concat(integer(signature.slice(0, 32)), integer(signature.slice(32)))
  return concat([0x30, body.length], body)
}

interface CreationOptions {
  readonly challenge: string
  readonly user: { readonly id: string }
}

interface RequestOptions {
  readonly challenge: string
}

export class Authenticator {
  readonly #algorithm: keyof typeof ALGORITHMS
  readonly #defaults: Required<Pick<Lies, 'origin' | 'rpId' | 'backupEligible' | 'backedUp'>>
  readonly #counts: boolean
  readonly #id: Bytes = crypto.getRandomValues(new Uint8Array(32))
  #keys: CryptoKeyPair | undefined
  #userHandle: string | undefined
  signCount = 0

  constructor(options: Options = {}) {
    const { algorithm = -7, origin = 'http://localhost:3000', rpId = 'localhost', counts = true } = options
    const { backupEligible = false, backedUp = false } = options
    this.#algorithm = algorithm
    this.#counts = counts
    this.#defaults = { origin, rpId, backupEligible, backedUp }
  }

  get credentialId() {
    return toBase64url(this.#id)
  }

  /** `navigator.credentials.create()` */
  async create({ challenge, user }: CreationOptions, lies: Lies = {}) {
    const { generate } = ALGORITHMS[this.#algorithm]
    this.#keys = (await crypto.subtle.generateKey(generate, true, ['sign', 'verify'])) as CryptoKeyPair
    this.#userHandle = user.id
    const clientDataJSON = this.#clientData('webauthn.create', challenge, lies)
    const key = lies.publicKey ?? (await coseKey(this.#keys.publicKey, this.#algorithm))
    const credential = concat(new Uint8Array(16), [0, this.#id.length], this.#id, key)
    const authData = await this.#authData(lies, credential)
    const parts = { authData, sign: () => this.#sign(authData, clientDataJSON) }
    const attestation = await (lies.attestation ?? unattested)(parts)
    return this.#credential({
      clientDataJSON: toBase64url(clientDataJSON),
      attestationObject: toBase64url(cbor(attestation)),
      transports: ['internal'],
    })
  }

  /** `navigator.credentials.get()` */
  async get({ challenge }: RequestOptions, lies: Lies = {}) {
    if (this.#counts) this.signCount++
    const clientDataJSON = this.#clientData('webauthn.get', challenge, lies)
    const authData = await this.#authData(lies)
    const userHandle = lies.userHandle === undefined ? this.#userHandle : lies.userHandle
    return this.#credential({
      clientDataJSON: toBase64url(clientDataJSON),
      authenticatorData: toBase64url(authData),
      signature: toBase64url(await this.#sign(authData, clientDataJSON)),
      ...(userHandle != null && { userHandle }),
    })
  }

  #credential<T>(response: T) {
    const id = this.credentialId
    return { id, rawId: id, type: 'public-key', response, clientExtensionResults: {} }
  }

  #clientData(type: string, challenge: string, lies: Lies): Bytes {
    const { crossOrigin = false, topOrigin } = lies
    return encode(
      JSON.stringify({
        type: lies.type ?? type,
        challenge: lies.challenge ?? challenge,
        origin: lies.origin ?? this.#defaults.origin,
        crossOrigin,
        ...(topOrigin !== undefined && { topOrigin }),
      }),
    )
  }

  async #authData(lies: Lies, credential: Bytes = new Uint8Array()): Promise<Bytes> {
    const is = { userPresent: true, userVerified: true, ...this.#defaults, ...lies }
    const flags =
      (is.userPresent ? 1 : 0) |
      (is.userVerified ? 4 : 0) |
      (is.backupEligible ? 8 : 0) |
      (is.backedUp ? 16 : 0) |
      (credential.length > 0 ? 64 : 0)
    const count = new Uint8Array(4)
    new DataView(count.buffer).setUint32(0, lies.signCount ?? this.signCount)
    return concat(await sha256(encode(is.rpId)), [flags], count, credential)
  }

  async #sign(authData: Bytes, clientDataJSON: Bytes): Promise<Bytes> {
    if (!this.#keys) throw new Error('there is no credential yet')
    const data = concat(authData, await sha256(clientDataJSON))
    const { sign } = ALGORITHMS[this.#algorithm]
    const signature = new Uint8Array(await crypto.subtle.sign(sign, this.#keys.privateKey, data))
    return this.#algorithm === -7 ? toDer(signature) : signature
  }
}

const unattested = ({ authData }: AttestationParts) =>
  new Map<string, unknown>([
    ['fmt', 'none'],
    ['attStmt', new Map()],
    ['authData', authData],
  ])
