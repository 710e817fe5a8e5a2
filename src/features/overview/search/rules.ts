import type { Area } from '../../../lib/scopes'

/** The kinds of records that a search covers, by their names in `types`. */
export const KINDS = ['events', 'todos', 'reminders', 'projects', 'tasks', 'people'] as const
export type Kind = (typeof KINDS)[number]

/** The area whose scope lets an access token find the kind. */
export const areaOf = (kind: Kind): Area => {
  if (kind === 'events') return 'calendars'
  return kind === 'people' ? 'people' : 'tasks'
}

/** Only the first words of a search count. */
export const MAX_WORDS = 8

/** The most characters of a text that a snippet is taken from. */
export const SHOWN_LENGTH = 2000

/** The kinds in a comma-separated list; all kinds when the list is undefined. */
export const kindsOf = (list: string | undefined): readonly Kind[] => {
  const named = list?.split(',').map((name) => name.trim())
  return named ? KINDS.filter((kind) => named.includes(kind)) : KINDS
}
