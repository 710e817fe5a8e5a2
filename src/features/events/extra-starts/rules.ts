/** The most extra starts of an event. Events from before this limit may have more. */
export const MAX_EXTRA_STARTS = 1000
