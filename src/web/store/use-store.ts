import { useCallback, useEffect, useMemo, useSyncExternalStore } from 'react'
import type { Following, LiveState } from './following'
import { type KeptKind, nameOf, type RecordKind, type RecordName, type RecordOf } from './kinds'
import { followed, keepCopy } from './lifecycle'
import type { Loading } from './loader'
import type { Conflict, Notice } from './notes'
import type { Store } from './store'
import type { Occurrences } from './windows'

function useFollowing(): Following {
  const following = useSyncExternalStore(followed.subscribe, followed.read)
  if (!following) throw new Error('Nobody is signed in')
  return following
}

/** The signed-in user's store; only pages below the frame may ask. */
export const useStore = (): Store => useFollowing().store

function useLoading(kind: KeptKind): Loading {
  const { loader } = useStore()
  useEffect(() => loader.need(kind), [loader, kind])
  const subscribe = useCallback((listener: () => void) => loader.subscribe(kind, listener), [loader, kind])
  return useSyncExternalStore(subscribe, () => loader.read(kind))
}

function useKind<T>(kind: KeptKind, read: (store: Store) => T): T {
  const store = useStore()
  const subscribe = useCallback(
    (listener: () => void) => store.records.subscribe(kind, listener),
    [store, kind],
  )
  return useSyncExternalStore(subscribe, () => read(store))
}

/** Ids of all records of a kind where another page has read them whole; undefined elsewhere, as this reads nothing. */
export function useKnownIds(kind: KeptKind): ReadonlySet<number> | undefined {
  const { loader } = useStore()
  const subscribe = useCallback((listener: () => void) => loader.subscribe(kind, listener), [loader, kind])
  const isLoaded = useSyncExternalStore(subscribe, () => loader.read(kind).is === 'loaded')
  const items = useKind(kind, ({ records }) => records.list(kind)) as ReadonlyArray<{ readonly id: number }>
  return useMemo(() => (isLoaded ? new Set(items.map(({ id }) => id)) : undefined), [isLoaded, items])
}

/** All records of a kind, in no order, and how far they are read. */
export function useRecords<K extends KeptKind>(
  kind: K,
): { readonly items: ReadonlyArray<RecordOf<K>>; readonly loading: Loading } {
  const loading = useLoading(kind)
  const items = useKind(kind, ({ records }) => records.list(kind)) as ReadonlyArray<RecordOf<K>>
  return { items, loading }
}

/** The service's id of a record, once there is one, also where an address still has this device's. */
export const useRealId = (kind: KeptKind, id: number): number => useKind(kind, ({ ids }) => ids.real(id))

/** Names the records of a kind in the page: a record keeps its key when the service gives it an id. The function stays the same. */
export function useKeys(kind: RecordKind): (id: number) => string {
  const { ids } = useStore()
  return useCallback((id: number) => String(ids.local({ kind, id })), [ids, kind])
}

/** The occurrences from one day to another, which is not included; they stay up to date while they are looked at. */
export function useOccurrences(from: Temporal.PlainDate, to: Temporal.PlainDate): Occurrences {
  const { windows } = useStore()
  const [first, end] = [from.toString(), to.toString()]
  useEffect(
    () => windows.watch(Temporal.PlainDate.from(first), Temporal.PlainDate.from(end)),
    [windows, first, end],
  )
  return useSyncExternalStore(windows.subscribe, () => windows.read(from, to))
}

/** Calls the listener whenever the feed tells of a record, or of any record of a kind. */
export function useRowsOf(of: RecordName | RecordKind, listener: () => void): void {
  const { told } = useStore()
  const topic = typeof of === 'string' ? of : nameOf(of)
  useEffect(() => told.subscribe(topic, listener), [told, topic, listener])
}

const never = () => () => {}
const unknown = () => undefined

/** How the client stands with the service; undefined before it follows anything. */
export function useLive(): LiveState | undefined {
  const following = useSyncExternalStore(followed.subscribe, followed.read)
  return useSyncExternalStore<LiveState | undefined>(
    following?.subscribeLive ?? never,
    following?.readLive ?? unknown,
  )
}

/** Whether there is a store to ask. */
export const useHasStore = (): boolean =>
  useSyncExternalStore(followed.subscribe, () => followed.read() !== undefined)

/** How many changes are on their way. */
export function useWaitingCount(): number {
  const { outbox } = useStore()
  return useSyncExternalStore(outbox.subscribe, () => outbox.list().length)
}

/** Whether a record has changes that did not get through yet, which a clock marks. */
export function useIsWaiting({ kind, id, at }: RecordName): boolean {
  const { outbox, sender } = useStore()
  return useSyncExternalStore(outbox.subscribe, () => sender.isHeld && outbox.holds({ kind, id, at }))
}

/** The changes that met others and wait for a person to decide. */
export function useConflicts(): readonly Conflict[] {
  const { notes } = useStore()
  return useSyncExternalStore(notes.subscribe, notes.conflicts)
}

/** Calls the listener with what there is to tell about commands. */
export function useNotices(listener: (notice: Notice) => void): void {
  const { notes } = useStore()
  useEffect(() => notes.onNotice(listener), [notes, listener])
}

/** Whether this device keeps a copy of the user's records, and a function that changes it. */
export function useDeviceCopy(): readonly [boolean, (wants: boolean) => Promise<void>] {
  const following = useFollowing()
  return [useSyncExternalStore(following.subscribeCopy, following.hasCopy), keepCopy]
}
