interface Names {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly nickname: string | null
}

/** What a person is called where one name is needed: first and last name, else the nickname. */
export function displayName({ firstName, lastName, nickname }: Names): string {
  const full = [firstName, lastName].filter((name) => name !== null).join(' ')
  return full === '' ? (nickname ?? '') : full
}

/** Whether there is anything to call the person by (contract, section 14). */
export const isNamed = ({ firstName, lastName, nickname }: Names): boolean =>
  firstName !== null || lastName !== null || nickname !== null

/** Whether the birthday, `YYYY-MM-DD` or `--MM-DD`, is one that `today` does not know yet. */
export const isUnborn = (birthday: string | null | undefined, today: string): boolean =>
  !!birthday && !birthday.startsWith('-') && birthday > today
