/** Calendars as text (RFC 5545), as an adapter reads and prints them. */

/** A content line (section 3.1). */
export interface ContentLine {
  /** In upper case. */
  readonly name: string
  /** By names in lower case. */
  readonly params: Readonly<Record<string, string | readonly string[]>>
  /** Escaped, as it is written. */
  readonly value: string
  /** The whole line, unfolded. */
  readonly text: string
}

export interface CalendarComponent {
  /** In upper case. */
  readonly name: string
  readonly lines: readonly ContentLine[]
  readonly parts: readonly CalendarComponent[]
}

/** A component where it stands in its file, unread. */
export interface ComponentFound {
  readonly name: 'VCALENDAR' | 'VEVENT' | 'VTIMEZONE'
  /** Which calendar of the file it belongs to. */
  readonly calendar: number
  /** The value of its UID. */
  readonly uid: string | null
  /** What stands between the lines that begin and end it; nothing of a calendar. */
  readonly text: string
  /** Why it cannot be read, where it cannot. */
  readonly problem?: string
}

export interface ComponentRead {
  /** Its lines, unfolded: the same component however it was folded and its lines ended. */
  readonly lines: readonly string[]
  readonly component: CalendarComponent
  /** Why it cannot be used, where it cannot. */
  readonly problem?: string
}

/** Calendar files (RFC 5545, vCalendar 1.0 where that is alike): text in, text out; what they mean is not its business. */
export interface CalendarFiles {
  /** The calendars, events and time zones of a file, one by one; now and then undefined, so that the reader may pause. */
  find(file: Uint8Array): Iterable<ComponentFound | undefined>
  /** The component of this name that has `text` within. */
  read(name: string, text: string): ComponentRead
  /** Content lines, folded and ended by CRLF. */
  print(lines: readonly string[]): string
  /** The IANA zone of what Windows calls a time zone (CLDR's table); undefined for what it does not. */
  zoneOfWindows(name: string): string | undefined
  /** The IANA zones that stand for the others of their kind, as that table has them. */
  readonly mainZones: readonly string[]
}
