/** How many passkeys a user can have. */
export const MAX_PASSKEYS = 20

/** Who signs in without a password keeps a second passkey for the day that the first is lost (contract: passkeys.passwordless). */
export const MIN_PASSWORDLESS_PASSKEYS = 2

/** `Passkey <n>`: their number, or the next one that is free. */
export function defaultName(taken: readonly string[]): string {
  let n = taken.length + 1
  while (taken.includes(`Passkey ${n}`)) n++
  return `Passkey ${n}`
}
