/** An invitation as far as it decides where its event shows. */
interface Placement {
  /** The calendar that the invitee chose for it. */
  readonly displayCalendarId: number | null
}

/**
 * Whether an event shows to a user of whose calendars `shown` are visible. An invitation shows in the calendar that the invitee
 * chose, and without one also while the shared calendar that contains the event is hidden. The queries of windows say the same.
 */
export const isShown = (
  shown: ReadonlySet<number>,
  { calendarId }: { readonly calendarId: number },
  invitation: Placement | null,
): boolean =>
  invitation === null || invitation.displayCalendarId !== null
    ? shown.has(invitation?.displayCalendarId ?? calendarId)
    : true
