/** What is searched, by the names in `types`. */
export const KINDS = ['events', 'todos', 'reminders', 'projects', 'tasks', 'people'] as const
export type Kind = (typeof KINDS)[number]

/** How many words of a search count: the first ones. */
export const MAX_WORDS = 8

/** How many characters of a text a snippet is of. */
export const SHOWN_LENGTH = 2000

/** The kinds that a comma-separated list names; all of them without one. */
export const kindsOf = (list: string | undefined): readonly Kind[] => {
  const named = list?.split(',').map((name) => name.trim())
  return named ? KINDS.filter((kind) => named.includes(kind)) : KINDS
}
