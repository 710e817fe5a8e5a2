import type { Names } from '../../../lib/person-name'

/** Whether the person has at least one name (contract: people.names). */
export const isNamed = ({ firstName, lastName, nickname }: Names): boolean =>
  firstName !== null || lastName !== null || nickname !== null

/** Whether the birthday, `YYYY-MM-DD` or `--MM-DD`, is after `today`. A birthday without a year never is. */
export const isUnborn = (birthday: string | null | undefined, today: string): boolean =>
  !!birthday && !birthday.startsWith('-') && birthday > today
