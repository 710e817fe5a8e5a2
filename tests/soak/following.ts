import type { ChangesPage } from '../../src/features/overview/changes/model'
import { Follower, knownTo, truthOf } from '../support/changes'
import type { Actor } from '../support/harness'
import { type OpenedStream, openStream } from '../support/streams'
import type { Line, Sent } from './calls'
import type { Member } from './household'

/** Reads with the session of a member, as the helpers of other tests do. */
function readerOf({ id, session }: Member): Actor {
  const request = async (method: string, path: string, sent: Sent = {}) => session.sure(method, path, sent)
  return { row: { id }, request } as unknown as Actor
}

/** Two copies of what a member sees: one that asks for changes, one that is told them; both go on for the whole run. */
export class Copies {
  readonly asking: Follower
  readonly told: Follower
  readonly #member: Member
  readonly #line: Line

  constructor(member: Member, line: Line) {
    this.#member = member
    this.#line = line
    this.asking = new Follower(readerOf(member))
    this.told = new Follower(readerOf(member))
  }

  /** Follows live updates until `isOver`, from the last event on whenever they end. */
  async listen(isOver: () => boolean): Promise<void> {
    await this.told.catchUp()
    while (!isOver()) {
      const mayFail = this.#line.watch()
      const headers = { cookie: this.#member.cookie, 'last-event-id': this.told.since ?? '' }
      const stream = await openStream(this.#line.url, { headers }).catch((error: unknown) => {
        if (!mayFail())
          this.#line.records.problem(`a stream of ${this.#member.username} answers ${String(error)}`)
      })
      if (stream) await this.#read(stream, isOver)
      else {
        await this.#line.send('GET', '/api/changes?since=now')
        await Bun.sleep(200)
      }
    }
  }

  async #read(stream: OpenedStream, isOver: () => boolean): Promise<void> {
    const ended = { is: false }
    void stream.ended.then(() => (ended.is = true))
    const until = Date.now() + 60_000 + Math.random() * 60_000
    for (let isLast = false; !isLast;) {
      isLast = ended.is || isOver() || Date.now() > until
      for (const event of stream.events.splice(0)) this.#hear(event)
      if (!isLast) await Bun.sleep(50)
    }
    await stream.leave()
  }

  #hear({ name, data }: OpenedStream['events'][number]): void {
    if (name === 'changes') this.told.take(data as unknown as ChangesPage)
    if (name === 'end' && data.reason !== 'restarting' && data.reason !== 'replaced')
      this.#line.records.problem(`a stream of ${this.#member.username} ends: ${data.reason}`)
  }

  /** One poll, as programs do it. */
  async step(): Promise<void> {
    await this.asking.poll([1, 7, 50, 500][Math.floor(Math.random() * 4)])
  }

  /** Whether all copies are what a fresh one is, and what the export and the lists say. */
  async verify(): Promise<void> {
    let difference: string | undefined
    // What jobs change meanwhile is in some and not yet in others.
    for (let tries = 0; tries < 40; tries++) {
      difference = await this.#difference()
      if (difference === undefined) return
      await Bun.sleep(500)
    }
    this.#line.records.problem(`${this.#member.username}: ${difference}`)
  }

  async #difference(): Promise<string | undefined> {
    await this.asking.catchUp()
    const fresh = new Follower(readerOf(this.#member))
    await fresh.catchUp()
    const [whole, truth] = [knownTo(fresh), await truthOf(readerOf(this.#member))]
    return (
      differenceOf('the changes and the export', whole, truth) ??
      differenceOf('who asked and a fresh copy', knownTo(this.asking), whole) ??
      differenceOf('who was told and a fresh copy', knownTo(this.told), whole)
    )
  }
}

type Known = Readonly<Record<string, unknown>>

function differenceOf(what: string, one: Known, other: Known): string | undefined {
  const names = new Set([...Object.keys(one), ...Object.keys(other)])
  for (const name of names)
    if (!Bun.deepEquals(one[name], other[name]) && !matches(one[name], other[name]))
      return `${what} differ in ${name}: ${JSON.stringify(one[name])?.slice(0, 600)} and ${JSON.stringify(other[name])?.slice(0, 600)}`
  return undefined
}

/** As an answer would be written: without members that are undefined. */
const matches = (one: unknown, other: unknown) =>
  JSON.stringify(sorted(one)) === JSON.stringify(sorted(other))

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, inner]) => [name, sorted(inner)]),
  )
}
