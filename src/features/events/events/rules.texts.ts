/** What an event says; an override may say it otherwise for one occurrence. */
export interface Texts {
  readonly title: string
  readonly description: string | null
  readonly location: string | null
  /** Null leaves it to the settings. */
  readonly reminderMinutes: number | null
}

/** Undefined leaves a field. */
type Given = { readonly [K in keyof Texts]?: Texts[K] | undefined }

/** What a field holds where undefined leaves it. */
const otherwise = <T>(given: T | undefined, stored: T): T => (given === undefined ? stored : given)

/** What an occurrence says: of its own what its override sets, else what the series says. */
export const textsOf = (series: Texts, changes: Given = {}): Texts => ({
  title: otherwise(changes.title, series.title),
  description: otherwise(changes.description, series.description),
  location: otherwise(changes.location, series.location),
  reminderMinutes: otherwise(changes.reminderMinutes, series.reminderMinutes),
})

/** What of an occurrence's texts the series says otherwise; the rest follows the series. */
export const differences = (series: Texts, own: Texts): Partial<Texts> => ({
  ...(own.title !== series.title && { title: own.title }),
  ...(own.description !== series.description && { description: own.description }),
  ...(own.location !== series.location && { location: own.location }),
  ...(own.reminderMinutes !== series.reminderMinutes && { reminderMinutes: own.reminderMinutes }),
})

/** Whether `q` is part of what people read of it, without regard to case. */
export function mentions(
  { title, description, location }: Omit<Texts, 'reminderMinutes'>,
  q: string,
): boolean {
  const part = q.toLowerCase()
  return [title, description, location].some((text) => text?.toLowerCase().includes(part))
}
