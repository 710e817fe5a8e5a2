import type { Answer, Sent } from '../api/call'
import { type Refusal, refusalOf, UNREACHABLE } from '../api/refusal'
import type { SentCommand } from './commands'
import { isSame } from './effects'
import type { Fields } from './kinds'
import { type Clash, merge, without } from './merge'
import type { Outbox } from './outbox'

/** What the sender needs of the store and of the world. */
export interface SenderPorts {
  readonly outbox: Outbox
  readonly send: (
    method: SentCommand['request']['method'],
    path: string,
    sent: Sent,
  ) => Promise<Answer<unknown>>
  /** Reads the guarded record of a command anew; undefined when it is gone. */
  readonly reread: (command: SentCommand) => Promise<void>
  /** The record that a command is about as the service said it last, and its version. */
  readonly current: (command: SentCommand) => { readonly item: Fields; readonly version: number } | undefined
  readonly confirmed: (command: SentCommand, answer: Answer<unknown>) => void
  readonly refused: (command: SentCommand, refusal: Refusal) => void
  readonly merged: (command: SentCommand) => void
  readonly clashed: (command: SentCommand, clashes: readonly Clash[]) => void
  /** Calls back after so many milliseconds. */
  readonly later: (milliseconds: number, then: () => void) => void
  /** From 0 to 1. */
  readonly random: () => number
}

/** Answers after which the same request may succeed: nobody was reached, or somebody was too busy. */
const COMES_AGAIN = new Set([0, 408, 425, 429, 502, 503, 504])
/** The session has to be mended first; nothing is lost meanwhile. */
const NEEDS_SESSION = new Set([401, 423])

const LONGEST_PAUSE_MS = 30_000

/** A record that this device does not hold must still be as it was opened. */
function openedVersion({ guard, opened }: SentCommand): Pick<SentCommand, 'ifMatch'> {
  const { version }: Fields = { ...opened }
  return guard && typeof version === 'number' && version > 0 ? { ifMatch: version } : {}
}

/** Whether nothing that a person sees of a record is different. */
const isAsSeen = (opened: Fields, now: Fields): boolean =>
  isSame(without(opened, UNSEEN), without(now, UNSEEN))
const UNSEEN = ['version', 'updated_at']

/** Sends commands in the order of their records, until each is confirmed or refused (contract: web.commands). */
export class Sender {
  readonly #ports: SenderPorts
  #isHeld = false
  #isPaused = false
  #failures = 0

  constructor(ports: SenderPorts) {
    this.#ports = ports
  }

  /** Whether commands wait because the last one did not get through. */
  get isHeld(): boolean {
    return this.#isHeld || this.#isPaused
  }

  /** Stops until `resume`, because nobody is signed in or the client is locked. */
  pause(): void {
    this.#isPaused = true
  }

  /** The service can be reached again. */
  resume(): void {
    this.#isPaused = false
    this.#isHeld = false
    this.pump()
  }

  /** Sends what may go out. */
  pump(): void {
    while (!this.isHeld) {
      const [next] = this.#ports.outbox.due()
      if (!next) return
      void this.#send(next)
    }
  }

  async #send(waiting: SentCommand): Promise<void> {
    const command = this.#prepared(waiting)
    if (!command) return
    const { method, path, body } = command.request
    try {
      const answer = await this.#ports.send(method, path, {
        body,
        ifMatch: command.guard && command.ifMatch,
        idempotencyKey: command.id,
      })
      this.#failures = 0
      this.#ports.confirmed(this.#ports.outbox.find(command.id) ?? command, answer)
    } catch (error) {
      await this.#failed(command, refusalOf(error) ?? UNREACHABLE)
    }
    this.pump()
  }

  /** The command with the version that it goes out with; undefined if a person has to decide first, or nothing is left of it. */
  #prepared(command: SentCommand): SentCommand | undefined {
    const { outbox, current } = this.#ports
    const now = current(command)
    // A request that may have arrived is repeated as it was: the service knows it by its key.
    const isRepeated = command.wasSent && command.ifMatch !== undefined
    if (isRepeated) return outbox.update(command.id, { state: 'sending', wasSent: true })
    if (!now) return outbox.update(command.id, { state: 'sending', wasSent: true, ...openedVersion(command) })
    const merged = command.guard ? this.#merged(command, now) : {}
    if (!merged) return undefined
    return outbox.update(command.id, { ...merged, state: 'sending', wasSent: true, ifMatch: now.version })
  }

  #merged(command: SentCommand, now: { item: Fields; version: number }): Partial<SentCommand> | undefined {
    const { outbox, merged, clashed, confirmed } = this.#ports
    const opened: Fields = { ...command.opened }
    // What was opened before the service had answered is the first version.
    const isOthers = 'version' in opened && (opened.version || 1) !== now.version
    const [effect] = command.apply
    if (!isOthers || !effect) return {}
    if (effect.is !== 'patch') {
      if (isAsSeen(opened, now.item)) return { opened: now.item }
      outbox.update(command.id, { state: 'conflict' })
      clashed(command, [{ fields: [], mine: {}, theirs: now.item }])
      return undefined
    }
    const { fields, clashes } = merge({ kind: effect.kind, opened, mine: effect.fields, theirs: now.item })
    if (clashes.length > 0) {
      outbox.update(command.id, { state: 'conflict' })
      clashed(command, clashes)
      return undefined
    }
    const dropped = Object.keys(effect.fields).filter((name) => !(name in fields))
    const left = withoutFields(command, dropped)
    if (Object.keys(fields).length === 0) {
      confirmed({ ...command, ...left }, { body: now.item, status: 200, operationId: undefined })
      return undefined
    }
    merged(command)
    return { ...left, opened: now.item }
  }

  async #failed(command: SentCommand, refusal: Refusal): Promise<void> {
    const { outbox, reread, refused, confirmed } = this.#ports
    const isUnderWay = refusal.code === 'idempotency_in_progress'
    if (COMES_AGAIN.has(refusal.status) || isUnderWay) {
      this.#hold(refusal)
      outbox.update(command.id, { state: 'waiting' })
    } else if (NEEDS_SESSION.has(refusal.status) || refusal.code === 'password_change_required') {
      this.pause()
      outbox.update(command.id, { state: 'waiting', wasSent: false })
    } else if (refusal.status === 412) {
      await this.#readAgain(command, reread)
    } else if (refusal.status === 410 && command.creates) {
      // It was made, and somebody deleted it since.
      confirmed(command, { body: undefined, status: 410, operationId: undefined })
    } else if (refusal.status === 404 && command.request.method === 'DELETE') {
      confirmed(command, { body: undefined, status: 204, operationId: undefined })
    } else refused(command, refusal)
  }

  async #readAgain(command: SentCommand, reread: SenderPorts['reread']): Promise<void> {
    const { outbox, refused } = this.#ports
    try {
      await reread(command)
      outbox.update(command.id, { state: 'waiting', wasSent: false, ifMatch: undefined })
    } catch (error) {
      const refusal = refusalOf(error) ?? UNREACHABLE
      if (refusal.status === 404 || refusal.status === 403) return refused(command, refusal)
      this.#hold(refusal)
      outbox.update(command.id, { state: 'waiting', wasSent: false, ifMatch: undefined })
    }
  }

  /** Nothing more goes out for a while, which grows with each failure and is never the same for all clients. */
  #hold({ retryAfterSeconds, status }: Refusal): void {
    if (this.#isHeld) return
    this.#isHeld = true
    this.#failures++
    const grown = Math.min(500 * 2 ** (this.#failures - 1), LONGEST_PAUSE_MS)
    const asked = status === 0 ? 0 : (retryAfterSeconds ?? 0) * 1000
    this.#ports.later(Math.max(grown, asked) * (1 + this.#ports.random() / 2), () => {
      if (this.#isPaused) return
      this.#isHeld = false
      this.pump()
    })
  }
}

/** A command that no longer sets some of its fields. */
export function withoutFields(
  { apply, request }: SentCommand,
  names: readonly string[],
): Partial<SentCommand> {
  const [first, ...rest] = apply
  if (first?.is !== 'patch') return {}
  return {
    apply: [{ ...first, fields: without(first.fields, names) }, ...rest],
    request: { ...request, ...(request.body && { body: without(request.body, names) }) },
  }
}
