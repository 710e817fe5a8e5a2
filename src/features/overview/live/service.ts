import type { Deps } from '../../../deps'
import { isDatabaseTrouble } from '../../../lib/database-failure'
import { unavailable } from '../../../lib/errors'
import type { SessionKey } from '../../../access/sessions/service'
import type { ChangeType } from '../changes/rules.types'
import { Scopes } from './service.scopes'
import { type LiveDeps, Stream } from './service.stream'
import { RETIREMENT_MS, STREAMS_OF_INSTANCE, STREAMS_OF_USER, TICK_MS, TICKS_PER_LOOK } from './rules'

/** The open streams of this instance (contract: live.streams). */
export class Streams {
  readonly #deps: LiveDeps & Pick<Deps, 'readiness'>
  readonly #scopes: Scopes
  readonly #open = new Set<Stream>()
  #isTicking = false

  constructor(deps: LiveDeps & Pick<Deps, 'readiness'>) {
    this.#deps = deps
    this.#scopes = new Scopes(deps.db)
  }

  /**
   * Opens a stream of the changes after `since`, or from now on; it ends itself. A user's oldest stream gives way to one too many.
   * @throws {AppError} 503 when the instance has as many as it can hold, or is stopping.
   */
  async open(reader: SessionKey, since: string | undefined, readable: readonly ChangeType[]) {
    if (this.#open.size >= STREAMS_OF_INSTANCE || this.#deps.readiness.isDraining())
      throw unavailable(undefined)
    const others = [...this.#open].filter(({ userId, isEnding }) => userId === reader.userId && !isEnding)
    const stream = new Stream(this.#deps, this.#scopes, { reader, readable, since })
    this.#open.add(stream)
    stream.onEnd = () => this.#forget(stream)
    this.#deps.metrics.setStreams(this.#open.size)
    if (others.length >= STREAMS_OF_USER) others[0]?.end('replaced')
    try {
      // Whatever commits from now on is noticed: the horizon is older than the first page.
      await this.#scopes.prepare()
      await stream.begin()
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
    const { clock, readiness, log } = this.#deps
    this.#isTicking = true
    let isSilent = false
    for (let ticks = 0; this.#open.size > 0; ticks++) {
      await clock.sleep(TICK_MS)
      if (readiness.isDraining()) await this.#retire()
      try {
        await this.#scopes.wakeMoved()
        isSilent = false
      } catch (error) {
        if (!isDatabaseTrouble(error))
          log.error('Live updates cannot look at the journal', { error: String(error) })
        else if (!isSilent) log.warn('Live updates wait for the database', {})
        isSilent = true
      }
      if (ticks % TICKS_PER_LOOK > 0) continue
      const [now, instant] = [clock.monotonic(), clock.now().getTime()]
      for (const stream of this.#open) stream.look(now, instant)
    }
    this.#scopes.rest()
    this.#isTicking = false
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
