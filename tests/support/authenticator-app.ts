import { TOTP } from 'otpauth'

/** The code that an authenticator app shows at `at`; `steps` later or, negative, earlier. */
export const codeAt = (secret: string, at: Date, steps = 0): string =>
  new TOTP({ secret, algorithm: 'SHA1', digits: 6, period: 30 }).generate({
    timestamp: at.getTime() + steps * 30_000,
  })

/** A code of six digits that no step near `at` has. */
export function wrongCodeAt(secret: string, at: Date): string {
  const right = new Set([-3, -2, -1, 0, 1, 2, 3].map((steps) => codeAt(secret, at, steps)))
  return ['000000', '111111', '222222', '333333', '444444', '555555', '666666', '777777'].find(
    (code) => !right.has(code),
  ) as string
}
