import type { Deps } from '../../../deps'
import { briefFailure } from '../../../lib/database-failure'
import { unavailable } from '../../../lib/errors'
import type { ChangesReader } from '../changes/service'
import { Scopes } from './service.scopes'
import { type LiveDeps, Stream } from './service.stream'
import { RETIREMENT_MS, STREAMS_OF_INSTANCE, STREAMS_OF_USER, TICK_MS, TICKS_PER_LOOK } from './rules'

/** The open streams of this instance (contract: live.streams). */
class Streams {
  readonly #deps: LiveDeps & Pick<Deps, 'readiness'>
  readonly #scopes: Scopes
  readonly #open = new Set<Stream>()
  #isTicking = false
  /** Whether the last look at the journal failed. */
  #isBlind = false

  constructor(deps: LiveDeps & Pick<Deps, 'readiness'>) {
    this.#deps = deps
    this.#scopes = new Scopes(deps.db)
  }

  /**
   * Opens a stream of the changes after `since`, or from now on; it ends itself. A user's oldest stream gives way to one too many.
   * @throws {AppError} 503 when the instance has as many as it can hold, or is stopping.
   */
  async open(reader: ChangesReader, since: string | undefined) {
    if (this.#open.size >= STREAMS_OF_INSTANCE || this.#deps.readiness.isDraining())
      throw unavailable(undefined)
    const others = [...this.#open].filter(({ userId, isEnding }) => userId === reader.userId && !isEnding)
    const stream = new Stream(this.#deps, this.#scopes, { reader, since })
    this.#open.add(stream)
    stream.onEnd = () => this.#forget(stream)
    this.#deps.metrics.setStreams(this.#open.size)
    if (others.length >= STREAMS_OF_USER) others[0]?.end('replaced')
    try {
      // Whatever commits from now on is noticed: the horizon is older than the first page.
      await this.#scopes.prepare()
      await stream.prepare()
    } catch (error) {
      this.#forget(stream)
      throw error
    }
    if (!this.#isTicking) void this.#tick()
    return stream.body
  }

  #forget(stream: Stream): void {
    this.#open.delete(stream)
    this.#scopes.unwatch(stream)
    this.#deps.metrics.setStreams(this.#open.size)
  }

  /** Runs while there are streams: wakes those whose scopes have moved, and looks after the silent ones. */
  async #tick(): Promise<void> {
    const { clock, readiness } = this.#deps
    this.#isTicking = true
    try {
      for (let ticks = 0; this.#open.size > 0; ticks++) {
        await clock.sleep(TICK_MS)
        if (readiness.isDraining()) await this.#retire()
        if (ticks % TICKS_PER_LOOK === 0) this.#lookAfter()
        await this.#wake()
      }
    } finally {
      this.#scopes.rest()
      this.#isTicking = false
    }
  }

  #lookAfter(): void {
    const { clock } = this.#deps
    const [now, instant] = [clock.monotonic(), clock.now().getTime()]
    for (const stream of this.#open) stream.look(now, instant)
  }

  async #wake(): Promise<void> {
    try {
      await this.#scopes.wakeMoved()
      this.#isBlind = false
    } catch (error) {
      if (!this.#isBlind) this.#deps.log.warn('Live updates cannot look at the journal', briefFailure(error))
      this.#isBlind = true
    }
  }

  /** Ends all streams, a few at a time, so that their readers do not all come back at once. */
  async #retire(): Promise<void> {
    const streams = [...this.#open]
    const steps = 20
    const some = Math.ceil(streams.length / steps)
    for (let at = 0; at < streams.length; at += some) {
      for (const stream of streams.slice(at, at + some)) stream.end('restarting')
      await this.#deps.clock.sleep(RETIREMENT_MS / steps)
    }
  }
}

const streams = new WeakMap<Deps, Streams>()

/** The streams of an instance, which all its routes share. */
export function streamsOf(deps: Deps): Streams {
  const known = streams.get(deps) ?? new Streams(deps)
  streams.set(deps, known)
  return known
}
