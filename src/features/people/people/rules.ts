import type { Names } from '../../../lib/person-name'

/** Whether there is anything to call the person by (contract: people.names). */
export const isNamed = ({ firstName, lastName, nickname }: Names): boolean =>
  firstName !== null || lastName !== null || nickname !== null

/** Whether the birthday, `YYYY-MM-DD` or `--MM-DD`, is one that `today` does not know yet. */
export const isUnborn = (birthday: string | null | undefined, today: string): boolean =>
  !!birthday && !birthday.startsWith('-') && birthday > today
