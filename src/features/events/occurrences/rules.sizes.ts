import { jsonBytes } from '../../../lib/text'

/** Longer descriptions are read only for occurrences in the response. */
export const SHORT_BYTES = 500

/** The most bytes of an event's view, without its texts and names. */
const FRAME_BYTES = 730

/** The texts of an event or occurrence; a long description is not read yet. */
interface Said {
  readonly title: string
  readonly location: string | null
  readonly description: string | null
  /** UTF-8 bytes of the description, before JSON escapes. */
  readonly descriptionBytes: number
}

/** Whether the description is not read yet. */
export const isUnread = ({ description, descriptionBytes }: Omit<Said, 'title' | 'location'>): boolean =>
  description === null && descriptionBytes > 0

/** The values that all occurrences of an event share. */
interface Framed {
  readonly recurrenceRule: string | null
  readonly timeZone: string | null
  readonly calendarName: string | null
}

/** An upper bound for the bytes of a view without its texts. */
export const frameBytes = ({ recurrenceRule, timeZone, calendarName }: Framed): number =>
  FRAME_BYTES + bytesOf(recurrenceRule) + bytesOf(timeZone) + bytesOf(calendarName)

/** The bytes of the texts; a lower bound while the description is not read. */
export const textBytes = (said: Said): number =>
  bytesOf(said.title) +
  bytesOf(said.location) +
  (isUnread(said) ? said.descriptionBytes : bytesOf(said.description))

const bytesOf = (text: string | null): number => (text === null ? 0 : jsonBytes(text))
