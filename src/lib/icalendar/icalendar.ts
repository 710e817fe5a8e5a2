/** Calendar files as text (RFC 5545), as an adapter reads and prints them. */

/** A content line (section 3.1). */
export interface ContentLine {
  /** In upper case. */
  readonly name: string
  /** Keys are in lower case. */
  readonly params: Readonly<Record<string, string | readonly string[]>>
  /** Still escaped. */
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

/** An unparsed component with its place in the file. */
export interface ComponentFound {
  readonly name: 'VCALENDAR' | 'VEVENT' | 'VTIMEZONE'
  /** The number of its calendar within the file. */
  readonly calendar: number
  /** The value of its UID. */
  readonly uid: string | null
  /** The text between the lines that begin and end it; empty for a calendar. */
  readonly text: string
  /** With the lines that begin and end it. */
  readonly whole: string
  /** VERSION, PRODID and CALSCALE of its calendar, as written; complete once the file is read. */
  readonly head: readonly string[]
  /** Why it cannot be parsed; undefined when it can. */
  readonly problem?: string
}

export interface ComponentRead {
  /** The unfolded lines: equal for equal components, regardless of folding and line ends. */
  readonly lines: readonly string[]
  readonly component: CalendarComponent
  /** Why it cannot be used; undefined when it can. */
  readonly problem?: string
}

/** Reads and prints calendar files (RFC 5545, and vCalendar 1.0 as far as it is the same), without interpreting them. */
export interface CalendarFiles {
  /**
   * Finds the calendars, events and time zones of a file, one by one; yields undefined now and then so that the caller can
   * pause.
   */
  find(file: Uint8Array): Iterable<ComponentFound | undefined>
  /** Parses the component of this name whose inner lines are `text`. */
  read(name: string, text: string): ComponentRead
  /** Prints content lines, folded and ending with CRLF. */
  print(lines: readonly string[]): string
  /** The IANA zone for a Windows name of a time zone (CLDR's table); undefined for other names. */
  zoneOfWindows(name: string): string | undefined
  /** The main IANA zone of each Windows zone, from the same table. */
  readonly mainZones: readonly string[]
}
