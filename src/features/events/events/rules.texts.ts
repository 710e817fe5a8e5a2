/** The texts and reminder of an event; an override may replace them for one occurrence. */
export interface Texts {
  readonly title: string
  readonly description: string | null
  readonly location: string | null
  /** Null uses the reader's setting. */
  readonly reminderMinutes: number | null
}

/** Undefined keeps a field. */
type Given = { readonly [K in keyof Texts]?: Texts[K] | undefined }

/** The value after the change: undefined keeps the stored one. */
const otherwise = <T>(given: T | undefined, stored: T): T => (given === undefined ? stored : given)

/** The texts of an occurrence: those of its override, or else of its series. */
export const textsOf = (series: Texts, changes: Given = {}): Texts => ({
  title: otherwise(changes.title, series.title),
  description: otherwise(changes.description, series.description),
  location: otherwise(changes.location, series.location),
  reminderMinutes: otherwise(changes.reminderMinutes, series.reminderMinutes),
})

/** The fields in which an occurrence differs from its series. */
export const differences = (series: Texts, own: Texts): Partial<Texts> => ({
  ...(own.title !== series.title && { title: own.title }),
  ...(own.description !== series.description && { description: own.description }),
  ...(own.location !== series.location && { location: own.location }),
  ...(own.reminderMinutes !== series.reminderMinutes && { reminderMinutes: own.reminderMinutes }),
})

/** Whether one of the texts contains `q`, ignoring case. */
export function mentions(
  { title, description, location }: Omit<Texts, 'reminderMinutes'>,
  q: string,
): boolean {
  const part = q.toLowerCase()
  return [title, description, location].some((text) => text?.toLowerCase().includes(part))
}
