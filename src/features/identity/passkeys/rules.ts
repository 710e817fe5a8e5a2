/** The most passkeys that a user may have. */
export const MAX_PASSKEYS = 20

/**
 * The fewest passkeys for passwordless sign-in, so that losing one does not lock the user out
 * (contract: passkeys.passwordless).
 */
export const MIN_PASSWORDLESS_PASSKEYS = 2

/** `Passkey <n>`, where n is the number of passkeys with the new one, or the next free number. */
export function defaultName(taken: readonly string[]): string {
  let n = taken.length + 1
  while (taken.includes(`Passkey ${n}`)) n++
  return `Passkey ${n}`
}
