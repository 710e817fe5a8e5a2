import type { SentCommand } from './commands'
import type { SaidRecord, KeptKind } from './kinds'
import type { MonthCopy } from './fetch-windows'

const STORES = ['records', 'months', 'outbox', 'meta'] as const
const nameFor = (userId: number) => `organiser-${userId}`
const OPTED_IN = 'device-copy'

/** A record in the copy; without an entry, one that is gone. */
export interface CopiedRecord {
  readonly kind: KeptKind
  readonly id: number
  readonly entry: SaidRecord | undefined
}

export interface CopyMeta {
  readonly cursor: string
  /** The kinds that are whole. */
  readonly kinds: readonly KeptKind[]
  readonly asOf: string | undefined
}

/** All that was copied. */
export interface Copied {
  readonly records: readonly CopiedRecord[]
  readonly months: ReadonlyArray<readonly [string, MonthCopy]>
  readonly outbox: readonly SentCommand[]
  readonly meta: CopyMeta | undefined
}

/** A copy of one user's records on this device, which the user has asked for (contract: web.device-copy). */
export class DeviceCopy {
  readonly #db: IDBDatabase

  private constructor(db: IDBDatabase) {
    this.#db = db
    // Another tab deletes the copy.
    db.addEventListener('versionchange', () => db.close())
  }

  static async open(userId: number): Promise<DeviceCopy> {
    const opening = indexedDB.open(nameFor(userId), 1)
    opening.addEventListener('upgradeneeded', () => {
      for (const name of STORES) opening.result.createObjectStore(name)
    })
    return new DeviceCopy(await answerOf(opening))
  }

  async read(): Promise<Copied> {
    const transaction = this.#db.transaction(STORES)
    const [records, months, outbox, meta] = await Promise.all([
      answerOf<CopiedRecord[]>(transaction.objectStore('records').getAll()),
      answerOf<Array<readonly [string, MonthCopy]>>(transaction.objectStore('months').getAll()),
      answerOf<Array<{ place: number; command: SentCommand }>>(transaction.objectStore('outbox').getAll()),
      answerOf<CopyMeta | undefined>(transaction.objectStore('meta').get('meta')),
    ])
    const inOrder = outbox.toSorted((one, other) => one.place - other.place)
    return { records, months, outbox: inOrder.map(({ command }) => command), meta }
  }

  /** Writes records, months and the cursor up to which they are true, all or nothing. */
  write(
    records: readonly CopiedRecord[],
    months: ReadonlyArray<readonly [string, MonthCopy]>,
    meta: CopyMeta | undefined,
  ): void {
    this.#change((store) => {
      for (const record of records) {
        const key = `${record.kind}:${record.id}`
        if (record.entry) store('records').put(record, key)
        else store('records').delete(key)
      }
      for (const month of months) store('months').put(month, month[0])
      if (meta) store('meta').put(meta, 'meta')
    })
  }

  /** Forgets all records and months, not the outbox. */
  empty(): void {
    this.#change((store) => {
      for (const name of ['records', 'months', 'meta'] as const) store(name).clear()
    })
  }

  keep(command: SentCommand, place: number): void {
    this.#change((store) => store('outbox').put({ place, command }, command.id))
  }

  drop(id: string): void {
    this.#change((store) => store('outbox').delete(id))
  }

  close(): void {
    this.#db.close()
  }

  /** A device that has no room, or a copy that is being deleted, makes the copy worth less, not the client. */
  #change(write: (store: (name: (typeof STORES)[number]) => IDBObjectStore) => void): void {
    try {
      const transaction = this.#db.transaction(STORES, 'readwrite', { durability: 'relaxed' })
      transaction.addEventListener('error', (event) => event.preventDefault())
      write((name) => transaction.objectStore(name))
    } catch (error) {
      if (!(error instanceof DOMException)) throw error
    }
  }
}

const answerOf = <T>(request: IDBRequest<T>): Promise<T> =>
  new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('IndexedDB failed')))
  })

/** Whether the user asked for a copy on this device. */
export const wantsCopy = (userId: number): boolean => localStorage.getItem(OPTED_IN) === String(userId)

export function setWantsCopy(userId: number, wants: boolean): void {
  if (wants) localStorage.setItem(OPTED_IN, String(userId))
  else if (wantsCopy(userId)) localStorage.removeItem(OPTED_IN)
}

/** Deletes the copies of everybody, or of everybody else. */
export async function deleteCopies(exceptUserId?: number): Promise<void> {
  const known = await indexedDB.databases()
  const kept = exceptUserId === undefined ? undefined : nameFor(exceptUserId)
  const names = known.flatMap(({ name = '' }) => (/^organiser-\d+$/.test(name) && name !== kept ? name : []))
  await Promise.all(names.map((name) => answerOf(indexedDB.deleteDatabase(name))))
  // The wish outlives a sign-out, but not that somebody else signs in.
  if (exceptUserId !== undefined && !wantsCopy(exceptUserId)) localStorage.removeItem(OPTED_IN)
}
