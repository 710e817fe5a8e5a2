/** Limits and times of live updates (contract: live.streams). */
export const STREAMS_OF_USER = 10
export const STREAMS_OF_INSTANCE = 10_000
/** How often the journal is asked which scopes have moved. */
export const TICK_MS = 250
/** In every so many ticks, silent streams are looked after. */
export const TICKS_PER_LOOK = 4
/** How often something is sent, so that neither side takes the connection for dead. */
export const BEAT_MS = 15_000
/** A reader that takes nothing for so long is gone. */
export const STALLED_MS = 20_000
/** The ends of all streams are spread over this time when the instance stops, and so their readers' next requests. */
export const RETIREMENT_MS = 2000
/** How long to wait before the database is asked again when it has not answered. */
export const PATIENCE_MS = 1000

/** What is read at once, which is what a reader that does not read costs. */
export const PAGE = { maxBytes: 65_536, limit: 50 }

/** Why a stream has ended. */
const END_REASONS = ['signed_out', 'locked', 'reset', 'restarting', 'replaced'] as const
export type EndReason = (typeof END_REASONS)[number]

/** What is sent to keep a silent connection open: a comment. */
export const BEAT = new TextEncoder().encode(':\n\n')

/** An event of a stream (HTML, section 9.2.6). */
export const toEvent = (name: string, data: object, id?: string): string =>
  `event: ${name}\n${id === undefined ? '' : `id: ${id}\n`}data: ${JSON.stringify(data)}\n\n`

/** How long to wait before reconnecting: between 1 and 5 s, at random, so that readers do not come back all at once. */
export const toRetry = (random: number): string => `retry: ${1000 + Math.floor(random * 4000)}\n`
