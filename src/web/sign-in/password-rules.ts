/** What a service asks of a new password unless it is told otherwise (contract: accounts.password-policy). */
export const USUAL_MIN_LENGTH = 12

interface NewPassword {
  readonly password: string
  readonly username: string
  readonly minLength: number
}

export interface PasswordRuleState {
  readonly isLongEnough: boolean
  /** Undefined as long as there is nothing to compare. */
  readonly isWithoutUsername: boolean | undefined
}

/** Which rules a password keeps. Whether it is a common one only the service knows. */
export function passwordRules({ password, username, minLength }: NewPassword): PasswordRuleState {
  const normalised = password.normalize('NFC')
  return {
    isLongEnough: Array.from(normalised).length >= minLength,
    isWithoutUsername:
      password === '' || username === ''
        ? undefined
        : !normalised.toLowerCase().includes(username.toLowerCase()),
  }
}

/** The shortest length that the service named when it refused a password; undefined when it named none. */
export function minLengthIn(errors: ReadonlyArray<{ readonly message: string }>): number | undefined {
  const lengths = errors.map(({ message }) => /^must be at least (\d+) characters$/.exec(message)?.[1])
  const named = lengths.find((length) => length !== undefined)
  return named === undefined ? undefined : Number(named)
}
