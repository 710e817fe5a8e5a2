/** The most starts that an event may have beside those that its rule names. Events of before may have more. */
export const MAX_EXTRA_STARTS = 1000
