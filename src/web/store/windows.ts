import type { EventView } from '../../features/events/events/model'
import type { ChangeView } from '../../features/overview/changes/model'
import { type Refusal, refusalOf, UNREACHABLE } from '../api/refusal'
import { now } from '../time/now'
import type { Effect } from './commands'
import { DaysAhead, isFew } from './days-ahead'
import type { RecordName } from './kinds'
import { Listeners } from './listeners'
import { fetchWindows, type MonthCopy } from './fetch-windows'
import { keyOf, overlaid, reused } from './overlaid'
import { readEventAt } from './read-event'
import { byStart, type Days, dayMs, isWithin, monthsAround, reachOf, spanOf } from './spans'

interface Month {
  copy?: MonthCopy
  refusal?: Refusal | undefined
  isStale: boolean
  isFetching: boolean
  /** How many confirmed commands were taken into it. */
  commits: number
}

/** The occurrences in a span of days, by start. */
export interface Occurrences {
  readonly items: readonly EventView[]
  /** Whether some of the span is still to come, or was left out. */
  readonly isPartial: boolean
  /** Why some of the span is missing or may be out of date. */
  readonly refusal?: Refusal
  /** The state shown is at least that of this instant; undefined until all of the span is there. */
  readonly asOf: Temporal.Instant | undefined
}

export interface WindowPorts {
  /** The effects of the commands on their way. */
  readonly pending: () => readonly Effect[]
  /** The zone in which days begin. */
  readonly zone: () => string
  /** Whether an event may be one that this device just made, whose answer is still to come. */
  readonly isWithheld: (id: number) => boolean
  /** Whether kinds are being read that the page needs. */
  readonly isReading: () => boolean
}

const UNKNOWN: Month = { isStale: true, isFetching: false, commits: 0 }

/** Months of events, fetched as they are looked at and again when one of their events changes (contract: web.windows). */
export class Windows {
  readonly #months = new Map<string, Month>()
  readonly #watched = new Map<string, number>()
  /** Those of the watched months that show; the ones beside them are fetched after. */
  readonly #inSight = new Map<string, number>()
  readonly #listeners = new Listeners<'events'>()
  readonly #read = new Map<string, Occurrences>()
  /** Events and occurrences that were read by themselves. */
  readonly #single = new Map<string, EventView>()
  /** Versions that our own commands produced: rows up to them are echoes. */
  readonly #ours = new Map<number, number>()
  readonly #ports: WindowPorts
  /** What is looked at. */
  readonly #spans = new Set<Days>()
  readonly #ahead = new DaysAhead()
  #isOpen = false
  /** Called with each month that was fetched. */
  onCopied: (month: string, copy: MonthCopy) => void = () => {}

  constructor(ports: WindowPorts) {
    this.#ports = ports
  }

  subscribe = (listener: () => void): (() => void) => this.#listeners.subscribe('events', listener)

  /** Fetches what is looked at, and keeps it up to date until the returned function is called. */
  watch(from: Temporal.PlainDate, to: Temporal.PlainDate): () => void {
    const months = monthsAround(from, to)
    const count = (by: 1 | -1) => {
      for (const month of months) add(this.#watched, month, by)
      for (const month of months.slice(1, -1)) add(this.#inSight, month, by)
    }
    const span = { from, to }
    this.#spans.add(span)
    count(1)
    this.refresh()
    return () => {
      this.#spans.delete(span)
      count(-1)
    }
  }

  /** The same object until something in any month changes. */
  read(from: Temporal.PlainDate, to: Temporal.PlainDate): Occurrences {
    const key = `${from.toString()} ${to.toString()}`
    const before = this.#read.get(key)
    if (before) return before
    const held = this.#monthsOf({ from, to })
    const known = held.flatMap((month) => month?.copy ?? [])
    const ahead = this.#ahead.copyOf({ from, to })
    const isKnown = known.length === held.length
    const copies = isKnown || !ahead ? known : [...known, ahead]
    const isWhole = isKnown || ahead !== undefined
    const refusal = held.find((month) => month?.refusal)?.refusal
    const [oldest] = copies
      .map(({ asOf }) => Temporal.Instant.from(asOf))
      .toSorted((a, b) => Temporal.Instant.compare(a, b))
    const made: Occurrences = {
      items: this.#shown(from, to),
      isPartial: !isWhole || copies.some(({ isTruncated }) => isTruncated),
      ...(refusal && { refusal }),
      asOf: isWhole ? oldest : undefined,
    }
    this.#read.set(key, made)
    return made
  }

  #shown(from: Temporal.PlainDate, to: Temporal.PlainDate): EventView[] {
    const zone = this.#ports.zone()
    const timed = {
      from: from.toZonedDateTime(zone).epochMilliseconds,
      to: to.toZonedDateTime(zone).epochMilliseconds,
    }
    const days = { from: dayMs(from.toString()), to: dayMs(to.toString()) }
    return this.#overlaid(monthsAround(from, to).slice(1, -1))
      .filter((event) => {
        const [span, looked] = [spanOf(event), event.all_day ? days : timed]
        return span.from < looked.to && (span.to > looked.from || span.from >= looked.from)
      })
      .toSorted(byStart)
  }

  /** What the months hold, with the commands on their way, which may bring an event from another month. */
  #overlaid(months: readonly string[]): EventView[] {
    const effects = this.#ports.pending().filter(({ kind }) => kind === 'event')
    const moved = new Set(effects.map(({ id }) => id))
    const said = new Map<string, EventView>()
    const take = (item: EventView) => void said.set(keyOf(item), item)
    if (moved.size > 0)
      this.#items()
        .filter(({ id }) => id !== null && moved.has(id))
        .forEach(take)
    this.#ahead.items().forEach(take)
    for (const name of months) this.#months.get(name)?.copy?.items.forEach(take)
    return moved.size === 0 ? [...said.values()] : overlaid([...said.values()], effects)
  }

  #items = (): EventView[] => [
    ...[...this.#months.values()].flatMap(({ copy }) => copy?.items ?? []),
    ...this.#ahead.items(),
  ]

  /** One occurrence as the service said it last; of an event, its first. */
  said(id: number, at: string | undefined): EventView | undefined {
    const isNamed = (item: EventView) => item.id === id && (at === undefined || item.occurrence_start === at)
    const [held, single] = [this.#items().find(isNamed), [...this.#single.values()].find(isNamed)]
    return held && (!single || held.version >= single.version) ? held : single
  }

  /** One occurrence as it shows. */
  shown(id: number, at: string | undefined): EventView | undefined {
    const item = this.said(id, at)
    return overlaid(
      item ? [item] : [],
      this.#ports.pending().filter((effect) => effect.kind === 'event' && effect.id === id),
    )[0]
  }

  /** Holds an event or occurrence that may be in no month that is looked at. */
  meet(event: EventView): void {
    this.#single.set(keyOf(event), event)
  }

  /** Reads an event or occurrence for its newest version, and the months that show it. @throws {RefusedError} 404 when it is gone. */
  async readAgain({ id, at }: RecordName): Promise<void> {
    this.meet(await readEventAt(id, at))
    for (const month of this.#months.values()) month.isStale ||= holds(month, id)
    this.refresh()
  }

  greatestId = (): number => this.#items().reduce((greatest, { id }) => Math.max(greatest, id ?? 0), 0)

  /** A row of the change feed: the months that its event was or is in are out of date. */
  receive({ id, item, version }: Extract<ChangeView, { type: 'event' }>): void {
    if (version !== null && version <= (this.#ours.get(id) ?? 0)) return
    this.#forget(id)
    const reach = item === null ? undefined : reachOf(item)
    for (const [name, month] of this.#months) {
      // What is gone may still be in what is on its way.
      const isThere = reach === undefined ? month.isFetching : isWithin(name, reach)
      if (isThere || holds(month, id)) month.isStale = true
    }
    if (!this.#ahead.days) return
    this.#ahead.change((items) => (item === null ? items.filter((each) => each.id !== id) : items))
    this.changed()
  }

  /** Fetches everything that is looked at, also what is known. */
  restart(): void {
    this.#isOpen = true
    this.doubt()
    this.refresh()
  }

  /** The place in the feed is known: months are fetched as they are looked at. */
  open(): void {
    this.#isOpen = true
  }

  /** Fetches nothing more until `restart`, as changes that follow would be missed. */
  stop(refusal?: Refusal): void {
    this.#isOpen = false
    if (!refusal) return
    for (const [name, count] of this.#watched)
      if (count > 0) this.#months.set(name, { ...(this.#months.get(name) ?? UNKNOWN), refusal })
    this.changed()
  }

  /** Every month may be different now. */
  doubt(): void {
    for (const month of this.#months.values()) month.isStale = true
  }

  /** Takes the answer to a command of ours. A change gives its version to all occurrences, so that the next one starts from it. */
  answer(item: EventView & { readonly id: number }, isChange: boolean): void {
    const { id, version } = item
    this.#ours.set(id, version)
    this.#forget(id)
    this.meet(item)
    if (!isChange) return
    const withVersion = (items: readonly EventView[]) =>
      items.map((each) => (each.id === id ? { ...each, version } : each))
    for (const month of this.#months.values())
      if (month.copy && holds(month, id)) month.copy = { ...month.copy, items: withVersion(month.copy.items) }
    this.#ahead.change(withVersion)
  }

  #forget(id: number): void {
    for (const [key, item] of this.#single) if (item.id === id) this.#single.delete(key)
  }

  /** Takes what a confirmed command did into the months, until they are fetched again. */
  commit(effects: readonly Effect[]): void {
    const events = effects.filter(({ kind }) => kind === 'event')
    if (events.length === 0) return
    const ids = new Set(events.map(({ id }) => id))
    for (const { id, is } of events) if (is === 'delete') this.#forget(id)
    const before = this.#items().filter(({ id }) => id !== null && ids.has(id))
    const kept = overlaid([...new Map(before.map((item) => [keyOf(item), item])).values()], events)
    for (const [name, month] of this.#months) {
      const others = month.copy?.items.filter(({ id }) => id === null || !ids.has(id)) ?? []
      const here = kept.filter((item) => isWithin(name, reachOf(item)))
      if (month.copy) month.copy = { ...month.copy, items: [...others, ...here] }
      month.isStale = true
      month.commits++
    }
    this.#ahead.change((items) => overlaid(items, events))
  }

  /** Fetches the watched months that are missing or out of date. */
  refresh(): void {
    if (!this.#isOpen || this.#isReadingAhead() || this.#canWait()) return
    const fetching = this.#fetchStale(this.#inSight)
    if (fetching === 0) this.#fetchStale(this.#watched)
  }

  /** Whether a few days that are looked at come first, as nothing is known of their months. */
  #isReadingAhead(): boolean {
    if (this.#ahead.days) return this.#ahead.isFetching
    const days = [...this.#spans].find(
      (each) => isFew(each) && this.#monthsOf(each).every((month) => month === undefined),
    )
    if (days) void this.#readAhead(days)
    return days !== undefined
  }

  /** Whether all days that are looked at are there, and the service has more urgent work than their months. */
  #canWait = (): boolean =>
    this.#ports.isReading() &&
    this.#ahead.isAsRead &&
    [...this.#spans].every((days) => this.#ahead.copyOf(days) !== undefined)

  async #readAhead(days: Days): Promise<void> {
    await this.#ahead.read(days, async () => (await this.#fetchDays(days)).copy)
    this.changed()
    this.refresh()
  }

  #monthsOf = ({ from, to }: Days): Array<Month | undefined> =>
    monthsAround(from, to)
      .slice(1, -1)
      .map((name) => this.#months.get(name))

  /** Returns how many of these months are on their way. */
  #fetchStale(counts: ReadonlyMap<string, number>): number {
    const names = [...counts].flatMap(([name, count]) => (count > 0 ? [name] : []))
    const months = names.map((name) => {
      const month = this.#months.get(name) ?? { ...UNKNOWN }
      this.#months.set(name, month)
      if (month.isStale && !month.isFetching) void this.#fetch(name, month)
      return month
    })
    return months.filter(({ isFetching }) => isFetching).length
  }

  async #fetch(name: string, month: Month): Promise<void> {
    const { commits } = month
    Object.assign(month, { isFetching: true, isStale: false })
    try {
      const first = Temporal.PlainYearMonth.from(name).toPlainDate({ day: 1 })
      const fetched = await this.#fetchDays({ from: first, to: first.add({ months: 1 }) })
      // What was read before a command was confirmed does not show it.
      if (commits === month.commits) {
        Object.assign(month, { copy: fetched.copy, refusal: undefined })
        this.onCopied(name, fetched.copy)
      }
      // A withheld event is fetched once the answer that it waits for has come.
      if (fetched.isWithheld) setTimeout(() => this.refresh(), 250)
      month.isStale ||= fetched.isWithheld
    } catch (error) {
      Object.assign(month, { refusal: refusalOf(error) ?? UNREACHABLE, isStale: true })
    }
    month.isFetching = false
    if (this.#ahead.days && this.#monthsOf(this.#ahead.days).every((each) => each?.copy)) this.#ahead.end()
    this.changed()
    // What is stale because it was refused waits for another reason to be fetched.
    if (commits !== month.commits || !month.isStale) this.refresh()
  }

  async #fetchDays({ from, to }: Days): Promise<{ copy: MonthCopy; isWithheld: boolean }> {
    const windows = await fetchWindows(from, to)
    const all = windows.flatMap(({ events }) => events)
    const said = all.filter(({ id }) => id === null || !this.#ports.isWithheld(id))
    const items = reused(this.#items(), said)
    const isTruncated = windows.some((each) => each.invitations_truncated)
    return { copy: { items, asOf: now().toString(), isTruncated }, isWithheld: items.length < all.length }
  }

  /** Shows everything anew after commands came or went. */
  changed(): void {
    this.#read.clear()
    this.#listeners.tell('events')
  }

  /** The months that were fetched. */
  copies = (): Array<readonly [string, MonthCopy]> =>
    [...this.#months].flatMap(([name, { copy }]) => (copy ? [[name, copy] as const] : []))

  /** Shows months from the device's copy, until they are fetched. */
  restore(name: string, copy: MonthCopy): void {
    this.#months.set(name, { ...UNKNOWN, copy })
  }
}

const add = (counts: Map<string, number>, name: string, by: number) =>
  counts.set(name, (counts.get(name) ?? 0) + by)

const holds = ({ copy }: Month, id: number) => copy?.items.some((item) => item.id === id) === true
