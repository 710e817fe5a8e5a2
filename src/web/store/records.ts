import type { ChangeView } from '../../features/overview/changes/model'
import type { Effect } from './commands'
import { after, concerns, isSame } from './effects'
import {
  type SaidRecord,
  type Fields,
  KEPT_KINDS,
  type KeptKind,
  type RecordKind,
  nameOf,
  type RecordName,
} from './kinds'
import { Listeners } from './listeners'

/** What goes when its parent goes. */
const CHILD: Partial<Record<RecordKind, KeptKind>> = { project: 'task', task: 'comment' }
/** What goes when the record goes that a field of it names. */
const NAMED_IN: Partial<Record<RecordKind, readonly [kind: KeptKind, field: string]>> = {
  task: ['task', 'parent_task_id'],
  todo_list: ['todo', 'list_id'],
  address_book: ['person', 'book_id'],
}

const isKept = (kind: RecordKind): kind is KeptKind => kind !== 'event'

const isNewer = (entry: SaidRecord | undefined, version: number): boolean =>
  typeof entry?.version === 'number' && entry.version > version

/** The parent of a record that was just made: as the command said, or the project of a task. */
function parentOf({ project_id: project }: Fields, [made]: readonly Effect[]): number | null {
  const told = made?.is === 'put' ? made.parentId : undefined
  return told ?? (typeof project === 'number' ? project : null)
}

/**
 * The records of each kind: as the service said them last, and as they show, which is with all commands on their way
 * (contract: web.store). A record that did not change stays the same object.
 */
export class Records {
  readonly #said = new Map<KeptKind, Map<number, SaidRecord>>(KEPT_KINDS.map((kind) => [kind, new Map()]))
  readonly #shown = new Map<KeptKind, Map<number, object>>(KEPT_KINDS.map((kind) => [kind, new Map()]))
  readonly #lists = new Map<KeptKind, readonly object[]>()
  /** Versions of what our own commands deleted, so that a page from before does not bring it back. */
  readonly #gone = new Map<string, number>()
  /** Records that an answer told before the feed did. */
  readonly #ahead = new Set<string>()
  /** All that were ever said, also those that are gone. */
  readonly #met = new Set<string>()
  readonly #greatest = new Map<KeptKind, number>()
  readonly #listeners = new Listeners<KeptKind>()
  readonly #touched = new Set<KeptKind>()
  readonly #pending: () => readonly Effect[]
  /** Called with each record whose said state changed. */
  onSaid: (name: RecordName, entry: SaidRecord | undefined) => void = () => {}

  constructor(pending: () => readonly Effect[]) {
    this.#pending = pending
  }

  subscribe = (kind: KeptKind, listener: () => void): (() => void) =>
    this.#listeners.subscribe(kind, listener)

  said({ kind, id }: RecordName): SaidRecord | undefined {
    return isKept(kind) ? this.#said.get(kind)?.get(id) : undefined
  }

  shown({ kind, id }: RecordName): object | undefined {
    return isKept(kind) ? this.#shown.get(kind)?.get(id) : undefined
  }

  /** All that show of a kind, in no order; the same array until one of them changes. */
  list(kind: KeptKind): readonly object[] {
    const known = this.#lists.get(kind)
    if (known) return known
    const made = [...(this.#shown.get(kind)?.values() ?? [])]
    this.#lists.set(kind, made)
    return made
  }

  ids = (kind: KeptKind): number[] => [...(this.#said.get(kind)?.keys() ?? [])]
  /** The greatest id that a record of the kind ever had, as far as is known; what is made now has a greater one. */
  greatestId = (kind: KeptKind): number => this.#greatest.get(kind) ?? 0

  /** Whether a record is known, or was. */
  wasSaid = (name: RecordName): boolean => this.#met.has(nameOf(name))

  /** Whether a record is known as an answer told it, and the feed is still to tell so. */
  isAhead = (name: RecordName): boolean => this.#ahead.has(nameOf(name))

  /** Takes over a row of the change feed, unless something newer is known. */
  receive({ type: kind, id, op, item, version, parent_id: parentId }: ChangeView): void {
    const name = { kind, id }
    if (op === 'delete' || item === null) return this.forget(name)
    this.say(name, { item, version, parentId })
    if (version === null || version >= (this.said(name)?.version ?? 0)) this.#ahead.delete(nameOf(name))
  }

  /** Takes over a row of an answer, which may be newer than what the feed has told. */
  receiveAnswer = ({ type: kind, id, op, item, version, parent_id: parentId }: ChangeView): void => {
    const name = { kind, id }
    if (item && op === 'put') return this.#sayAhead(name, { item, version, parentId })
    // What is newer than what our own command deleted was given again since.
    if (!isNewer(this.said(name), this.#gone.get(nameOf(name)) ?? Infinity)) this.forget(name)
  }

  #sayAhead(name: RecordName, entry: SaidRecord): void {
    if (this.say(name, entry)) this.#ahead.add(nameOf(name))
  }

  /** A row with an older version, or one that says nothing new, is an echo. Returns whether it was news. */
  say(name: RecordName, entry: SaidRecord): boolean {
    const { kind, id } = name
    if (!isKept(kind)) return false
    const known = this.#said.get(kind)?.get(id)
    const isOld = entry.version !== null && entry.version < (known?.version ?? this.#afterDeletion(name))
    if (isOld || isSame(known, entry)) return false
    this.#said.get(kind)?.set(id, entry)
    this.#met.add(nameOf(name))
    this.#greatest.set(kind, Math.max(id, this.greatestId(kind)))
    this.onSaid(name, entry)
    this.touch(name)
    return true
  }

  #afterDeletion = (name: RecordName): number => (this.#gone.get(nameOf(name)) ?? 0) + 1

  /**
   * Takes an answer that is the record itself. What it leaves out, as an answer with a comment does not say of which task it is,
   * stays as it is known.
   */
  answer(name: RecordName, item: object & Fields, apply: readonly Effect[]): void {
    const known = this.said(name)
    const version = typeof item.version === 'number' ? item.version : (known?.version ?? null)
    const [made] = apply
    const before = known?.item ?? (made?.is === 'put' ? made.item : {})
    const parentId = known ? known.parentId : parentOf(item, apply)
    this.#sayAhead(name, { item: { ...before, ...item }, version, parentId })
  }

  /**
   * Takes as said what a confirmed command did, until the feed tells what became of it. `version` is that of the record when the
   * command was sent: what is newer was given again after a deletion.
   */
  commit(effect: Effect, version?: number): void {
    if (effect.is === 'delete') return this.#commitDeletion(effect, version)
    const known = this.said(effect)
    if (effect.is !== 'patch' || !known || !isKept(effect.kind)) return
    const entry = { ...known, item: { ...known.item, ...effect.fields } }
    this.#said.get(effect.kind)?.set(effect.id, entry)
    this.onSaid(effect, entry)
  }

  #commitDeletion(name: RecordName, version: number | undefined): void {
    const known = this.said(name)
    const gone = version ?? known?.version ?? 0
    if (gone > 0) this.#gone.set(nameOf(name), gone)
    if (!isNewer(known, gone)) this.forget(name)
  }

  /** What was deleted may have been given again, as it was. */
  forgetDeletions(): void {
    this.#gone.clear()
  }

  /** Deletes a record and what is in it. */
  forget(name: RecordName): void {
    const { kind, id } = name
    const known = this.said(name)
    if (!isKept(kind) || !known) return
    this.#said.get(kind)?.delete(id)
    this.#ahead.delete(nameOf(name))
    this.onSaid(name, undefined)
    this.touch(name)
    for (const inside of this.#inside(kind, id)) this.forget(inside)
  }

  #inside(kind: KeptKind, id: number): RecordName[] {
    const child = CHILD[kind]
    const children = child
      ? [...(this.#said.get(child) ?? [])].filter(([, entry]) => entry.parentId === id)
      : []
    const [named, field] = NAMED_IN[kind] ?? []
    const naming =
      named && field !== undefined
        ? [...(this.#said.get(named) ?? [])].filter(([, { item }]) => Reflect.get(item, field) === id)
        : []
    return [
      ...children.map(([each]) => ({ kind: child ?? kind, id: each })),
      ...naming.map(([each]) => ({ kind: named ?? kind, id: each })),
    ]
  }

  /** Shows a record anew after a command that concerns it came or went. */
  touch(name: RecordName): void {
    const { kind, id } = name
    if (!isKept(kind)) return
    const effects = this.#pending().filter((effect) => concerns(effect, name))
    const shown = after(this.said(name)?.item, effects)
    if (shown) this.#shown.get(kind)?.set(id, shown)
    else this.#shown.get(kind)?.delete(id)
    this.#lists.delete(kind)
    this.#touched.add(kind)
  }

  /** Tells the page what changed since the last time; it is called once at the end of each step. */
  flush(): void {
    const touched = [...this.#touched]
    this.#touched.clear()
    for (const kind of touched) this.#listeners.tell(kind)
  }
}
