export interface Random {
  /** `length` cryptographically secure random bytes. */
  bytes(length: number): Uint8Array
}
