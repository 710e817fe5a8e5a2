export interface Names {
  readonly firstName: string | null
  readonly lastName: string | null
  readonly nickname: string | null
}

/** The display name: first and last name, or else the nickname. */
export function displayName({ firstName, lastName, nickname }: Names): string {
  const full = [firstName, lastName].filter((name) => name !== null).join(' ')
  return full === '' ? (nickname ?? '') : full
}
