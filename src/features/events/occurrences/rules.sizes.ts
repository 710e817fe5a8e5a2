import { jsonBytes } from '../../../lib/text'

/** Longer descriptions are read only for what is in the answer. */
export const SHORT_BYTES = 500

/** The most bytes of an event in an answer, but for its texts and names. */
const FRAME_BYTES = 700

/** What an event, or one of its occurrences, says; a long description is not read yet. */
interface Said {
  readonly title: string
  readonly location: string | null
  readonly description: string | null
  /** UTF-8 bytes of the description; what JSON escapes makes them more. */
  readonly descriptionBytes: number
}

/** Whether the description is still to be read. */
export const isUnread = ({ description, descriptionBytes }: Omit<Said, 'title' | 'location'>): boolean =>
  description === null && descriptionBytes > 0

/** What all occurrences of an event have in common. */
interface Framed {
  readonly recurrenceRule: string | null
  readonly timeZone: string | null
  readonly calendarName: string | null
}

/** Bytes of an answer that hold all but the texts: at least as many as there are. */
export const frameBytes = ({ recurrenceRule, timeZone, calendarName }: Framed): number =>
  FRAME_BYTES + bytesOf(recurrenceRule) + bytesOf(timeZone) + bytesOf(calendarName)

/** Bytes of the texts: as many as there are, or fewer while the description is not read. */
export const textBytes = (said: Said): number =>
  bytesOf(said.title) +
  bytesOf(said.location) +
  (isUnread(said) ? said.descriptionBytes : bytesOf(said.description))

const bytesOf = (text: string | null): number => (text === null ? 0 : jsonBytes(text))
