import type { ChangesPage } from '../../features/overview/changes/model'
import { call, queryOf, request } from '../api/call'
import { EventReader } from '../api/event-stream'
import { randomShare } from '../api/random'
import { refusalOf } from '../api/refusal'

/** How the client stands with the service; `connecting` until it was live or failed for the first time. */
export type Liveness = 'connecting' | 'live' | 'reconnecting' | 'offline' | 'read-only'

export interface FeedPorts {
  /** The place in the feed up to which everything is known. */
  readonly cursor: () => string | undefined
  readonly receive: (page: ChangesPage) => void
  /** The cursor no longer counts: everything is read from the beginning. */
  readonly reset: () => void
  readonly state: (liveness: Liveness) => void
}

/** The service sends something every 15 s; a stream that is silent for longer is dead. */
const SILENCE_MS = 18_500
const LONGEST_PAUSE_MS = 30_000
/** How long another stream of this user, which took the place of this one, is left alone. */
const AFTER_REPLACED_MS = 60_000

const readPage = async (since: string, signal: AbortSignal): Promise<ChangesPage> =>
  (
    await call<ChangesPage>('GET', `changes${queryOf({ since, limit: since === 'now' ? undefined : 500 })}`, {
      signal,
    })
  ).body

/** Follows the change feed: reads what was missed, then listens, and does so again after each interruption. */
export class Feed {
  readonly #ports: FeedPorts
  #failures = 0

  constructor(ports: FeedPorts) {
    this.#ports = ports
  }

  /** Reads pages until nothing is missed. Without a cursor the feed begins now. */
  async catchUp(signal: AbortSignal): Promise<void> {
    const { cursor, receive } = this.#ports
    for (let hasMore = true; hasMore;) {
      const page = await readPage(cursor() ?? 'now', signal)
      signal.throwIfAborted()
      receive(page)
      hasMore = page.has_more
    }
  }

  /** Goes on until the signal, or until the session has to be mended. */
  async run(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const isOver = await this.#once(signal).catch((error: unknown) => this.#afterFailure(error))
      if (isOver || signal.aborted) return
      await this.#pause(signal)
    }
  }

  async #once(signal: AbortSignal): Promise<boolean> {
    await this.catchUp(signal)
    const reason = await this.#listen(signal)
    if (reason === 'restarting') this.#ports.state('read-only')
    else this.#ports.state(navigator.onLine ? 'reconnecting' : 'offline')
    if (reason === 'reset') this.#ports.reset()
    if (reason === 'replaced') await pause(AFTER_REPLACED_MS, signal)
    return false
  }

  #afterFailure(error: unknown): boolean {
    const status = refusalOf(error)?.status ?? 0
    this.#ports.state(navigator.onLine ? 'reconnecting' : 'offline')
    if (status === 410) this.#ports.reset()
    this.#failures++
    return status === 401 || status === 403 || status === 423
  }

  /** Takes pages until the stream ends, and returns the reason, if one was told. */
  async #listen(signal: AbortSignal): Promise<string | undefined> {
    const silence = new AbortController()
    const either = AbortSignal.any([signal, silence.signal])
    let timer = setTimeout(() => silence.abort(), SILENCE_MS)
    try {
      const { body } = await request('GET', `changes/stream${queryOf({ since: this.#ports.cursor() })}`, {
        signal: either,
      })
      const [reader, events] = [body?.pipeThrough(new TextDecoderStream()).getReader(), new EventReader()]
      for (;;) {
        const piece = await reader?.read()
        if (!piece || piece.done) return undefined
        clearTimeout(timer)
        timer = setTimeout(() => silence.abort(), SILENCE_MS)
        for (const { name, data } of events.read(piece.value)) {
          if (name === 'end') return (JSON.parse(data) as { reason: string }).reason
          if (name === 'changes') this.#ports.receive(JSON.parse(data) as ChangesPage)
        }
        this.#failures = 0
        this.#ports.state('live')
      }
    } finally {
      clearTimeout(timer)
      silence.abort()
    }
  }

  /** Waits longer after each failure, never as long as other clients, and no longer once the device is online again. */
  async #pause(signal: AbortSignal): Promise<void> {
    const grown = Math.min(500 * 2 ** this.#failures, LONGEST_PAUSE_MS)
    await pause(grown * (0.5 + randomShare() / 2), signal)
  }
}

/** Resolves after a while, or when the device comes online or the page comes to the front. */
function pause(milliseconds: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const ends = new AbortController()
    const end = () => {
      ends.abort()
      clearTimeout(timer)
      resolve()
    }
    const timer = setTimeout(end, milliseconds)
    signal.addEventListener('abort', end, { signal: ends.signal })
    addEventListener('online', end, { signal: ends.signal })
    document.addEventListener('visibilitychange', () => document.hidden || end(), { signal: ends.signal })
  })
}
