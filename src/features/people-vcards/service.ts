import type { Db, Tx } from '../../db/client'
import { inTransaction } from '../../db/transaction'
import type { Deps } from '../../deps'
import { invalid } from '../../lib/errors'
import { pauses } from '../../lib/pauses'
import { cut, sha256Hex } from '../../lib/text'
import { streamOf } from '../../lib/text-stream'
import type { VCardRead } from '../../lib/ports'
import { lockUserOf, type SessionKey } from '../sessions/service'
import { type Reader, todayOf } from '../settings/service'
import type { ImportView } from './model'
import * as q from './queries'
import { type Card, problemOf, toCard, toProperties } from './rules'

const MAX_CARDS = 50_000
const BATCH = 500

interface Readable extends Card {
  /** What the person is known by: the card's UID, or its content where it has none. */
  readonly key: string
  readonly hash: string
}

type Skipped = ImportView['skipped'][number]

interface FileRead {
  readonly cards: readonly Readable[]
  readonly skipped: readonly Skipped[]
}

/**
 * Takes the cards of a file over (contract, section 14), 500 in a transaction: what an interruption leaves out, the same
 * import brings in later.
 * @throws {AppError} 422 for a file without cards, 401 for a session that ends meanwhile.
 */
export async function importPeople(
  deps: Deps,
  reader: Reader,
  file: Uint8Array,
  isDryRun: boolean,
): Promise<ImportView> {
  const { cards, skipped } = await readFile(deps, file, todayOf(deps, reader.owner))
  const total = { created: 0, updated: 0, unchanged: 0 }
  for (let start = 0; start < cards.length; start += BATCH) {
    const batch = cards.slice(start, start + BATCH)
    const sorted = isDryRun
      ? await sort(deps.db, reader.userId, batch)
      : await inTransaction(deps.db, (tx) => store(tx, deps, reader, batch))
    total.created += sorted.created.length
    total.updated += sorted.updated.length
    total.unchanged += batch.length - sorted.created.length - sorted.updated.length
  }
  return { ...total, skipped: [...skipped] }
}

const refusal = (message: string) => invalid([{ field: 'file', message }])

/** The cards of a file that can be used, and why the others cannot. @throws {AppError} 422. */
async function readFile({ vCards, clock }: Deps, file: Uint8Array, today: string): Promise<FileRead> {
  const cards = new Map<string, Readable>()
  const skipped: Skipped[] = []
  let count = 0
  const pause = pauses(clock)
  for (const read of vCards.read(file)) {
    if (++count > MAX_CARDS) throw refusal(`has more than ${MAX_CARDS} cards`)
    const card = await readCard(read, today)
    if ('reason' in card) skipped.push(card)
    else if (cards.has(card.key)) skipped.push({ uid: card.uid, reason: 'appears twice in the file' })
    else cards.set(card.key, card)
    await pause()
  }
  if (count === 0) throw refusal('is not a vCard file')
  return { cards: [...cards.values()], skipped }
}

const MAX_UID_SHOWN = 500

async function readCard(
  { text, properties, problem }: VCardRead,
  today: string,
): Promise<Readable | Skipped> {
  const card = toCard(properties)
  const reason = problem ?? problemOf(card, today)
  if (reason !== undefined) {
    const uid = card.uid ?? /^UID[^:\r\n]*:(.*)/im.exec(text)?.[1]?.trim()
    return { uid: uid ? cut(uid, MAX_UID_SHOWN) : null, reason }
  }
  const hash = await sha256Hex(text)
  return { ...card, hash, key: card.uid ?? `urn:sha256:${hash}` }
}

interface Sorted {
  readonly created: readonly Readable[]
  readonly updated: readonly Readable[]
}

/** Which cards are new, and which are known and have changed since their last import. */
async function sort(db: Db | Tx, userId: number, cards: readonly Readable[]): Promise<Sorted> {
  const keys = cards.map(({ key }) => key)
  const hashes = await q.findHashes(db, userId, keys)
  return {
    created: cards.filter(({ key }) => !hashes.has(key)),
    updated: cards.filter(({ key, hash }) => hashes.has(key) && hashes.get(key) !== hash),
  }
}

/** Two imports into one address book come one after the other: the user's row is locked. */
async function store(
  tx: Tx,
  { clock }: Deps,
  session: SessionKey,
  cards: readonly Readable[],
): Promise<Sorted> {
  const { userId } = session
  const now = clock.now()
  await lockUserOf(tx, session, now)
  const sorted = await sort(tx, userId, cards)
  const changed = [...sorted.created, ...sorted.updated]
  if (changed.length > 0) {
    await q.upsert(
      tx,
      changed.map((card) => toRow(card, userId, now)),
    )
  }
  return sorted
}

const toRow = ({ key, hash, fields, isFavourite, kept }: Readable, userId: number, now: Date) => ({
  ...fields,
  userId,
  isFavourite,
  vcardUid: key,
  vcardHash: hash,
  vcardKept: kept,
  createdAt: now,
  updatedAt: now,
})

const PAGE = 500
/** Pictures are large: what cards held is read for so many people at once. */
const KEPT_PAGE = 20

/** Everybody in the address book as vCards, a piece at a time; it holds no transaction while its reader pauses. */
export async function exportPeople(deps: Deps, session: SessionKey): Promise<ReadableStream<Uint8Array>> {
  const { userId } = session
  await inTransaction(deps.db, async (tx) => {
    await lockUserOf(tx, session, deps.clock.now())
    await q.nameAll(tx, userId)
  })
  return streamOf(cardsOf(deps, userId, await q.page(deps.db, userId, 0, PAGE)), deps.log, {
    user_id: userId,
  })
}

async function* cardsOf(
  { db, vCards, clock }: Deps,
  userId: number,
  firstRows: readonly q.ExportRow[],
): AsyncGenerator<string, void, void> {
  const pause = pauses(clock)
  let rows = firstRows
  for (let piece = rows.slice(0, KEPT_PAGE); piece.length > 0; piece = rows.slice(0, KEPT_PAGE)) {
    const ids = piece.map(({ id }) => id)
    const kept = await q.findKept(db, userId, ids)
    for (const row of piece) {
      yield vCards.print(toProperties(toExported(row, kept.get(row.id) ?? [])))
      await pause()
    }
    const last = ids.at(-1) ?? 0
    rows = rows.length > piece.length ? rows.slice(KEPT_PAGE) : await q.page(db, userId, last, PAGE)
  }
}

const toExported = ({ id, uid, ...person }: q.ExportRow, kept: Card['kept']) => ({
  ...person,
  // Whoever was added since the export began has no UID yet.
  uid: uid ?? `urn:organiser:person:${id}`,
  kept,
})
