import { type TabMessage, Tabs } from './tabs'
import { Feed, type Liveness } from './feed'
import type { ChangesPage } from '../../features/overview/changes/model'
import { call } from '../api/call'
import { randomShare } from '../api/random'
import { refusalOf, UNREACHABLE } from '../api/refusal'
import { now } from '../time/now'
import { type CopiedRecord, type CopyMeta, DeviceCopy, wantsCopy } from './device-copy'
import { KEPT_KINDS } from './kinds'
import { Listeners } from './listeners'
import { Store } from './store'
import type { MonthCopy } from './fetch-windows'

/** How the client stands with the service, for people. */
export interface LiveState {
  readonly is: Liveness
  /** What shows is at least as new as this; undefined before the first answer. */
  readonly asOf: Temporal.Instant | undefined
}

/** How long changes gather before they are written to the device's copy together. */
const GATHER_MS = 300

/** One user's store, kept up to date as long as the user is signed in (contract: web.live). */
export class Following {
  readonly userId: number
  readonly store: Store
  readonly #tabs: Tabs
  readonly #feed: Feed
  readonly #listeners = new Listeners<'live' | 'copy'>()
  #live: LiveState = { is: 'connecting', asOf: undefined }
  #cursor: string | undefined
  #ends: AbortController | undefined
  #isLeading = false
  /** Pages of the leading tab that came while this one caught up: they are newer. */
  #held: ChangesPage[] | undefined
  #copy: DeviceCopy | undefined
  readonly #dirty = { records: new Map<string, CopiedRecord>(), months: new Map<string, MonthCopy>() }
  #writes: ReturnType<typeof setTimeout> | undefined
  #places = 0

  constructor(userId: number, zone: () => string) {
    this.userId = userId
    this.#tabs = new Tabs(userId, (message) => this.#hear(message))
    this.store = new Store({
      send: call,
      later: (milliseconds, then) => void setTimeout(then, milliseconds),
      random: randomShare,
      zone,
      tab: this.#tabs.id,
    })
    this.#feed = new Feed({
      cursor: () => this.#cursor,
      receive: (page) => this.#receive(page, true),
      reset: () => this.#reset(true),
      state: (liveness) => this.#setLive(liveness),
    })
    this.#watchStore()
  }

  readLive = (): LiveState => this.#live
  subscribeLive = (listener: () => void): (() => void) => this.#listeners.subscribe('live', listener)

  /** Follows the service until `pause`: it is called at the sign-in and after each unlocking. */
  async resume(): Promise<void> {
    if (this.#ends) return
    const ends = new AbortController()
    this.#ends = ends
    addEventListener('online', () => this.store.sender.resume(), { signal: ends.signal })
    addEventListener('pagehide', () => this.#write(), { signal: ends.signal })
    addEventListener('offline', () => this.#setLive('offline'), { signal: ends.signal })
    await this.#openCopy()
    if (ends.signal.aborted) return
    // Those of the session were read before the place in the feed was known, and may have changed in between.
    this.store.loader.need('settings')
    this.store.sender.resume()
    await this.#catchUp(ends.signal)
    await this.#tabs.lead(ends.signal, async () => {
      this.#isLeading = true
      for (const kind of this.#copy ? KEPT_KINDS : []) this.store.loader.need(kind)
      void this.#feed.run(ends.signal)
      await this.#adopt()
    })
  }

  /** Opens the device's copy without asking the service for anything; `resume` follows once it is back. */
  async openOffline(): Promise<void> {
    this.store.sender.pause()
    this.#setLive('offline')
    await this.#openCopy()
    if (this.#cursor === undefined) this.store.stop(UNREACHABLE)
  }

  /** Stops following. The records stay in memory, for when the same user comes back. */
  pause(): void {
    this.store.sender.pause()
    this.#ends?.abort()
    this.#ends = undefined
    this.#isLeading = false
  }

  /** Ends for good. */
  close(): void {
    this.pause()
    this.closeCopy()
    this.#tabs.close()
  }

  /** Reads what was missed while the page was away; what the leading tab tells meanwhile is newer and waits. */
  async #catchUp(signal: AbortSignal): Promise<void> {
    this.#held = []
    try {
      await this.#feed.catchUp(signal)
    } catch (error) {
      if (signal.aborted) return
      const refusal = refusalOf(error) ?? UNREACHABLE
      if (refusal.status === 410) {
        this.#reset(false)
        return this.#catchUp(signal)
      }
      if (this.#cursor === undefined) this.store.stop(refusal)
    }
    if (signal.aborted) return
    const held = this.#held
    this.#held = undefined
    for (const page of held) this.#receive(page, false)
    this.#tabs.post({ is: 'hello' })
  }

  #receive(page: ChangesPage, isOwn: boolean): void {
    const isFirst = this.#cursor === undefined
    this.#cursor = page.next
    this.store.receive(page)
    if (isFirst) this.store.restart()
    if (isOwn && this.#isLeading) this.#tabs.post({ is: 'page', page })
    this.#writeLater()
  }

  #hear(message: TabMessage): void {
    const signal = this.#ends?.signal
    if (!signal) return
    if (message.is === 'hello') {
      if (!this.#isLeading) return
      this.#tabs.post({ is: 'state', liveness: this.#live.is, asOf: this.#live.asOf?.toString() })
      void this.#adopt()
    } else if (message.is === 'page') {
      if (this.#held) this.#held.push(message.page)
      else this.#receive(message.page, false)
    } else if (message.is === 'reset') {
      this.#reset(false)
      void this.#catchUp(signal)
    } else this.#setLive(message.liveness, message.asOf)
  }

  /** Starts anew: the journal of the service is not the one that was followed. */
  #reset(isOwn: boolean): void {
    this.#cursor = undefined
    this.#copy?.empty()
    this.store.stop()
    if (isOwn && this.#isLeading) this.#tabs.post({ is: 'reset' })
  }

  #setLive(liveness: Liveness, asOf?: string): void {
    const before = this.#live.is
    const confirmed = liveness === 'live' && this.#isLeading ? now() : undefined
    this.#live = {
      is: liveness,
      asOf: confirmed ?? (asOf === undefined ? this.#live.asOf : Temporal.Instant.from(asOf)),
    }
    if (this.#isLeading) this.#tabs.post({ is: 'state', liveness, asOf: this.#live.asOf?.toString() })
    this.#listeners.tell('live')
    if (liveness !== 'live' || before === 'live') return
    this.store.sender.resume()
    this.store.loader.retry()
    this.store.windows.refresh()
  }

  /** Whether this device is to keep a copy. */
  hasCopy = (): boolean => wantsCopy(this.userId)
  subscribeCopy = (listener: () => void): (() => void) => this.#listeners.subscribe('copy', listener)

  /** Begins to keep a copy. */
  async keepCopy(): Promise<void> {
    this.#listeners.tell('copy')
    await this.#openCopy()
    for (const kind of KEPT_KINDS) this.store.loader.need(kind)
  }

  /** Copies everything that is known already. */
  #fillCopy(): void {
    for (const kind of KEPT_KINDS) {
      for (const id of this.store.records.ids(kind))
        this.#dirty.records.set(`${kind}:${id}`, { kind, id, entry: this.store.records.said({ kind, id }) })
    }
    for (const [month, copy] of this.store.windows.copies()) this.#dirty.months.set(month, copy)
    for (const command of this.store.outbox.list()) this.store.outbox.onKept(command)
    this.#write()
  }

  /** Stops keeping a copy; the caller deletes it. */
  closeCopy(): void {
    clearTimeout(this.#writes)
    this.#copy?.close()
    this.#copy = undefined
    this.#listeners.tell('copy')
  }

  async #openCopy(): Promise<void> {
    if (this.#copy || !wantsCopy(this.userId) || !('indexedDB' in globalThis)) return
    this.#copy = await DeviceCopy.open(this.userId)
    const isFresh = this.#cursor === undefined
    const { records, months, meta } = await this.#copy.read()
    if (!isFresh) this.#fillCopy()
    else if (meta) {
      this.#cursor = meta.cursor
      for (const { kind, id, entry } of records) if (entry) this.store.records.say({ kind, id }, entry)
      for (const [month, copy] of months) this.store.windows.restore(month, copy)
      this.store.loader.restore(meta.kinds)
      this.store.windows.open()
      this.store.records.flush()
      this.store.windows.changed()
      this.store.windows.refresh()
      this.#live = {
        ...this.#live,
        asOf: meta.asOf === undefined ? undefined : Temporal.Instant.from(meta.asOf),
      }
      this.#listeners.tell('live')
    }
    await this.#adopt()
  }

  /** Takes up what pages that are gone had not sent. */
  async #adopt(): Promise<void> {
    await this.#tabs.alone(async (isGone) => {
      const { outbox = [] } = (await this.#copy?.read()) ?? {}
      const left = outbox.filter(({ id, tab }) => isGone(tab) && !this.store.outbox.find(id))
      this.store.adopt(left.map((command) => ({ ...command, tab: this.#tabs.id, state: 'waiting' })))
    })
  }

  #watchStore(): void {
    const { outbox, records, windows } = this.store
    const places = new Map<string, number>()
    outbox.onKept = (command) => {
      const place = places.get(command.id) ?? now().epochMilliseconds * 1000 + (this.#places++ % 1000)
      places.set(command.id, place)
      this.#copy?.keep(command, place)
    }
    outbox.onLeft = (id) => {
      places.delete(id)
      this.#copy?.drop(id)
    }
    records.onSaid = ({ kind, id }, entry) => {
      if (kind !== 'event' && this.#copy) this.#dirty.records.set(`${kind}:${id}`, { kind, id, entry })
      this.#writeLater()
    }
    windows.onCopied = (month, copy) => {
      if (this.#copy) this.#dirty.months.set(month, copy)
      this.#writeLater()
    }
  }

  /** Only the leading tab writes, so that the records and the cursor belong together. */
  #writeLater(): void {
    if (this.#copy && this.#isLeading) this.#writes ??= setTimeout(() => this.#write(), GATHER_MS)
  }

  #write(): void {
    clearTimeout(this.#writes)
    this.#writes = undefined
    if (!this.#copy || !this.#isLeading || this.#cursor === undefined) return
    // Without the rows that wait, the place in the feed would be too far.
    if (this.store.isWithholding()) return
    const meta: CopyMeta = {
      cursor: this.#cursor,
      kinds: this.store.loader.kinds(),
      asOf: this.#live.asOf?.toString(),
    }
    this.#copy.write([...this.#dirty.records.values()], [...this.#dirty.months], meta)
    this.#dirty.records.clear()
    this.#dirty.months.clear()
  }
}
