import type { Deps } from '../../../deps'
import { briefFailure, isDatabaseTrouble } from '../../../lib/database-failure'
import { AppError } from '../../../lib/errors'
import { type ChangesReader, listChanges, scopesOf } from '../changes/service'
import * as q from './queries'
import { BEAT, BEAT_MS, type EndReason, PAGE, PATIENCE_MS, STALLED_MS, toEvent, toRetry } from './rules'
import type { Scopes, Watcher } from './service.scopes'

export type LiveDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'tokens' | 'log' | 'metrics' | 'random'>

interface Opening {
  readonly reader: ChangesReader
  /** A cursor; undefined to begin now. */
  readonly since: string | undefined
}

/**
 * One reader's stream. Its next page is read only when the reader takes it, so that a slow reader costs one page and then gets
 * the newest states. Before a page is sent, the session or token is checked again (contract: live.credentials).
 */
export class Stream implements Watcher {
  readonly userId: number
  readonly body: ReadableStream<Uint8Array>
  /** Called once, when the stream is over. */
  onEnd: () => void = () => {}
  readonly #deps: LiveDeps
  readonly #scopes: Scopes
  readonly #reader: ChangesReader
  #cursor: string
  #isReady = false
  /** Whether there may be something to read. */
  #isDue = true
  /** Resolves what the reader waits for. */
  #proceed: (() => void) | undefined
  #reason: EndReason | undefined
  #hasSaidWhy = false
  #isOver = false
  /** In milliseconds since 1970; undefined for a token that never expires. */
  #expiresAt: number | undefined
  #beatAt = 0
  #notBefore = 0
  /** When the reader was last given something that it has not asked beyond; undefined while it waits. */
  #givenAt: number | undefined
  #controller: ReadableStreamDefaultController<Uint8Array> | undefined

  constructor(deps: LiveDeps, scopes: Scopes, { reader, since }: Opening) {
    this.#deps = deps
    this.#scopes = scopes
    this.#reader = reader
    this.#cursor = since ?? 'now'
    this.userId = reader.userId
    const encoder = new TextEncoder()
    this.body = new ReadableStream<Uint8Array>(
      {
        start: (controller) => void (this.#controller = controller),
        pull: async (controller) => {
          this.#givenAt = undefined
          const text = await this.#next()
          if (this.#isOver) return
          if (text !== undefined) controller.enqueue(encoder.encode(text))
          this.#givenAt = deps.clock.monotonic()
          if (text === undefined) {
            controller.close()
            this.#finish()
          }
        },
        cancel: () => this.#finish(),
      },
      { highWaterMark: 0 },
    )
  }

  /** Reads the place from which a stream without a cursor starts. */
  async prepare(): Promise<void> {
    // Whoever never asks for the body is gone as well.
    this.#givenAt = this.#deps.clock.monotonic()
    this.#beatAt = this.#givenAt + BEAT_MS
    if (this.#cursor !== 'now' || !(await this.#mayRead())) return
    const { next } = await listChanges(this.#deps, this.#reader, { since: 'now' })
    this.#moveTo(next)
  }

  wake(): void {
    this.#isDue = true
    this.#continue()
  }

  /** Whether the stream only has to say why it ends. */
  get isEnding(): boolean {
    return this.#reason !== undefined
  }

  /** Ends the stream after what is being sent; no data follows. */
  end(reason: EndReason): void {
    this.#reason ??= reason
    this.#continue()
  }

  /** Looks after a stream in which nothing happens, every second: at `now` of the monotonic clock, and that instant. */
  look(now: number, instant: number): void {
    if (this.#givenAt !== undefined && now - this.#givenAt > STALLED_MS) return this.#abandon()
    if (this.#expiresAt !== undefined && instant >= this.#expiresAt) this.#isDue = true
    if (this.#isDue && now >= this.#notBefore) this.#continue()
    else if (now >= this.#beatAt && this.#proceed) this.#beat(now)
  }

  /** Sends a comment past the page that the reader waits for, which costs less than answering the wait. */
  #beat(now: number): void {
    this.#beatAt = now + BEAT_MS
    // Below zero, the reader has not taken the last one.
    if (this.#controller?.desiredSize === 0) this.#controller.enqueue(BEAT)
  }

  #continue(): void {
    this.#proceed?.()
    this.#proceed = undefined
  }

  /** The next text to send; undefined at the end. */
  async #next(): Promise<string | undefined> {
    if (!this.#isReady) {
      this.#isReady = true
      return toRetry((this.#deps.random.bytes(1)[0] ?? 0) / 256) + toEvent('ready', {})
    }
    for (;;) {
      if (this.#isOver) return undefined
      if (this.#reason !== undefined) return this.#farewell(this.#reason)
      const now = this.#deps.clock.monotonic()
      if (this.#isDue && now >= this.#notBefore) {
        this.#isDue = false
        const text = await this.#read()
        if (text !== undefined) return text
      } else await new Promise<void>((resolve) => (this.#proceed = resolve))
    }
  }

  #farewell(reason: EndReason): string | undefined {
    if (this.#hasSaidWhy) return undefined
    this.#hasSaidWhy = true
    return toEvent('end', { reason })
  }

  /**
   * Reads a page and looks at the session before, and again after a page with changes: by then it may have been ended, and what is
   * on the page written later. Returns undefined when there is nothing to send.
   */
  async #read(): Promise<string | undefined> {
    try {
      if (!(await this.#mayRead())) return undefined
      const page = await listChanges(
        this.#deps,
        this.#reader,
        { since: this.#cursor, limit: PAGE.limit },
        PAGE.maxBytes,
      )
      if (page.changes.length > 0 && !(await this.#mayRead())) return undefined
      this.#moveTo(page.next)
      if (page.has_more) this.#isDue = true
      if (page.changes.length === 0) return undefined
      this.#beatAt = this.#deps.clock.monotonic() + BEAT_MS
      return toEvent('changes', page, page.next)
    } catch (error) {
      this.#bear(error)
      return undefined
    }
  }

  /** Decides what becomes of the stream when a page could not be read. */
  #bear(error: unknown): void {
    // The cursor does not count, or is of other types than the reader may read.
    if (error instanceof AppError && error.kind !== 'unavailable') this.#reason ??= 'reset'
    else {
      if (!isDatabaseTrouble(error)) {
        this.#deps.log.error('Live updates could not be read', {
          user_id: this.userId,
          ...briefFailure(error),
        })
      }
      this.#isDue = true
      this.#notBefore = this.#deps.clock.monotonic() + PATIENCE_MS
    }
  }

  /** Whether the session or token still lets its user read; otherwise the stream ends. */
  async #mayRead(): Promise<boolean> {
    const { db, clock } = this.#deps
    const { id, userId } = this.#reader
    const [credential] = await q.findCredential(db).execute({ id, userId, now: clock.now().toISOString() })
    if (!credential?.isLive) this.#reason ??= 'signed_out'
    else if (credential.isLocked) this.#reason ??= 'locked'
    else this.#expiresAt = credential.expiresAt?.getTime()
    return this.#reason === undefined
  }

  #moveTo(cursor: string): void {
    this.#cursor = cursor
    if (!this.#scopes.watch(this, scopesOf(this.#deps, cursor))) this.#isDue = true
  }

  /** Breaks off: the reader does not read. */
  #abandon(): void {
    // Passing an error on would make the runtime print it.
    this.#controller?.error()
    this.#finish()
  }

  #finish(): void {
    if (this.#isOver) return
    this.#isOver = true
    this.#continue()
    this.#deps.metrics.countEndedStream(this.#reason ?? 'disconnected')
    this.onEnd()
  }
}
