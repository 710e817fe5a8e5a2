/** A secret key of the service. Whatever it signs or encrypts carries its `id`. */
export interface SecretKey {
  readonly id: string
  readonly secret: string
}

/** Encrypts secrets for the database. `associated` binds a ciphertext to its owner: decryption must pass the same value. */
export interface Cipher {
  encrypt(text: string, associated: string): Promise<string>
  /** @throws when the key is unknown, the text was changed, or `associated` differs. */
  decrypt(text: string, associated: string): Promise<string>
}

/** The payload of a session token (contract: sessions.cookie). Times are seconds since the epoch. */
export interface SessionClaims {
  readonly uid: number
  readonly sid: string
  readonly iat: number
  readonly exp: number
}

export interface TokenSigner {
  /** `v1.<key id>.<payload>.<HMAC-SHA-256>`, signed with the first key. */
  sign(claims: SessionClaims): string
  /** The payload of a token signed with any of the keys, whatever its content; undefined for every other text. */
  verify(token: string): Readonly<Record<string, unknown>> | undefined
  /** Signs a text without dots for one purpose, with the first key: `<text>.<key id>.<HMAC-SHA-256>`. */
  signText(purpose: string, text: string): string
  /** The text, if it was signed for this purpose with any of the keys. */
  readText(purpose: string, signed: string): string | undefined
}
