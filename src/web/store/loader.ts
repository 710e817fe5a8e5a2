import type { ChangesPage, ChangeView } from '../../features/overview/changes/model'
import { call, queryOf } from '../api/call'
import { type Refusal, refusalOf, UNREACHABLE } from '../api/refusal'
import { KEPT_KINDS, type KeptKind } from './kinds'
import { Listeners } from './listeners'

/** How far a kind is read. */
export type Loading =
  | { readonly is: 'loading' }
  | { readonly is: 'loaded' }
  | { readonly is: 'refused'; readonly refusal: Refusal }

const LOADING: Loading = { is: 'loading' }
const LOADED: Loading = { is: 'loaded' }

interface LoaderPorts {
  /** `isFed` for rows of the feed, which were told before. */
  readonly receive: (rows: readonly ChangeView[], isFed: boolean) => void
  /** A kind was read to its end: whatever else is known of it is gone. */
  readonly whole: (kind: KeptKind, ids: ReadonlySet<number>) => void
  /** Nothing is being read any more. */
  readonly rest: () => void
}

/** Reads whole kinds by pages, when a page first asks for them. */
export class Loader {
  readonly #loading = new Map<KeptKind, Loading>()
  readonly #listeners = new Listeners<KeptKind>()
  readonly #ports: LoaderPorts
  /** Rows that came by the feed while a kind is being read: they are newer than what the reading may still bring. */
  #meanwhile: ChangeView[] = []
  #readings = 0
  #generation = 0
  #isOpen = false

  constructor(ports: LoaderPorts) {
    this.#ports = ports
  }

  subscribe = (kind: KeptKind, listener: () => void): (() => void) =>
    this.#listeners.subscribe(kind, listener)

  read = (kind: KeptKind): Loading => this.#loading.get(kind) ?? LOADING
  isReading = (): boolean => this.#readings > 0
  kinds = (): KeptKind[] => KEPT_KINDS.filter((kind) => this.read(kind).is === 'loaded')

  /** Reads a kind unless it is read already or being read; before the place in the feed is known, it waits. */
  need(kind: KeptKind): void {
    if (this.#loading.has(kind)) return
    this.#set(kind, LOADING)
    if (this.#isOpen) void this.#load(kind, this.#generation)
  }

  /** Tries again what was refused. */
  retry(): void {
    if (!this.#isOpen) return
    for (const [kind, { is }] of this.#loading) {
      if (is !== 'refused') continue
      this.#set(kind, LOADING)
      void this.#load(kind, this.#generation)
    }
  }

  /** Reads everything that was asked for, also what is known, which stays until the reading ends. */
  restart(): void {
    this.#isOpen = true
    this.#generation++
    this.#meanwhile = []
    this.#readings = 0
    for (const [kind, { is }] of this.#loading) {
      if (is === 'refused') this.#set(kind, LOADING)
      void this.#load(kind, this.#generation)
    }
  }

  /** Reads nothing more until `restart`, as changes that follow the reading would be missed. */
  stop(refusal?: Refusal): void {
    this.#isOpen = false
    if (!refusal) return
    for (const [kind, { is }] of this.#loading)
      if (is === 'loading') this.#set(kind, { is: 'refused', refusal })
  }

  /** Kinds that the device's copy has whole. */
  restore(kinds: readonly KeptKind[]): void {
    this.#isOpen = true
    for (const kind of kinds) this.#set(kind, LOADED)
    for (const [kind, { is }] of this.#loading) if (is === 'loading') void this.#load(kind, this.#generation)
  }

  /** Rows of the feed, which count more than what is being read. */
  note(rows: readonly ChangeView[]): void {
    if (this.#readings > 0) this.#meanwhile.push(...rows)
  }

  async #load(kind: KeptKind, generation: number): Promise<void> {
    this.#readings++
    const ids = new Set<number>()
    let state: Loading = LOADED
    try {
      let since: string | undefined
      for (let hasMore = true; hasMore;) {
        const { body } = await call<ChangesPage>(
          'GET',
          `changes${queryOf({ since, types: kind, limit: 500 })}`,
        )
        if (generation !== this.#generation) return
        for (const { id } of body.changes) ids.add(id)
        this.#ports.receive(body.changes, false)
        this.#ports.receive(this.#meanwhile, true)
        ;[since, hasMore] = [body.next, body.has_more]
      }
      for (const { type, id } of this.#meanwhile) if (type === kind) ids.add(id)
      this.#ports.whole(kind, ids)
    } catch (error) {
      if (generation !== this.#generation) return
      state = { is: 'refused', refusal: refusalOf(error) ?? UNREACHABLE }
    }
    this.#end(kind, state)
  }

  #end(kind: KeptKind, state: Loading): void {
    const isLast = --this.#readings === 0
    if (isLast) this.#meanwhile = []
    this.#set(kind, state)
    if (isLast) this.#ports.rest()
  }

  #set(kind: KeptKind, state: Loading): void {
    this.#loading.set(kind, state)
    this.#listeners.tell(kind)
  }
}
