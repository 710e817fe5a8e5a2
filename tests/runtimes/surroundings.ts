/** The instant at which the clock of the app stands when it starts. */
export const START = '2026-03-04T09:30:00Z' // a Wednesday

/** The first line that a server says; the port follows. */
export const LISTENS = 'listens on '
