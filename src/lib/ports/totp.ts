/** Time-based one-time passwords (RFC 6238): SHA-1, six digits, steps of 30 seconds. */
export interface Totp {
  /** A new secret: 160 bits as 32 characters of base32. */
  newSecret(): string
  /** The URI for the QR code that authenticators scan (Key Uri Format). */
  uri(secret: string, label: string): string
  /** The time step of `code`, which may differ by one from that of `at`; undefined for a wrong code. */
  stepOf(secret: string, code: string, at: Date): number | undefined
}
