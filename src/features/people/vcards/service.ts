import type { Db, Tx } from '../../../db/client'
import { refuseTooMany } from '../../../db/quotas'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { brokenOff } from '../../../lib/broken-off'
import { invalid } from '../../../lib/errors'
import { sortByHash, type Sorted } from '../../../lib/imports'
import { IMPORT_LIMIT_MS, pauses } from '../../../lib/pauses'
import { cut, isStorable, sha256Hex } from '../../../lib/text'
import { streamOf } from '../../../lib/text-stream'
import { inTurn } from '../../../lib/turns'
import type { VCardRead } from '../../../lib/ports/vcards'
import { asOneOperation } from '../../../access/operations/service'
import { lockUserOf, refuseEnded, type SessionKey } from '../../../access/sessions/service'
import { type Reader, todayOf } from '../../../access/reader/service'
import { requireAddressBook } from '../address-books/service'
import type { ImportView } from './model'
import * as q from './queries'
import { type Card, problemOf, toCard, toProperties } from './rules'
import { unescapeText } from '../../../lib/icalendar/text'

const MAX_CARDS = 50_000
/** Cards per transaction. The user's other changes wait for it, so it must be short. */
const BATCH = 100

interface CardsUpload {
  readonly file: Uint8Array
  /** The address book for new people; undefined for the default one. */
  readonly bookId: number | undefined
  readonly isDryRun: boolean
}

/** A card of a file. */
interface CardRead extends Card {
  /** The card's UID, or a hash of its text when it has none. */
  readonly key: string
  /** SHA-256 of the card's text, in hex. */
  readonly hash: string
  /** Why the card cannot become a person; undefined when it can. */
  readonly problem: string | undefined
}

/**
 * Imports the cards of a file (contract: people.files), a hundred per transaction. After an interruption, the same import adds
 * the rest.
 * @throws {AppError} 404 for the address book, 422 for a file without cards, 401 when the session ends meanwhile, 409 for too many
 * people, 503 for a file that takes too long; 409 and 503 say what was imported.
 */
export const importPeople = (deps: Deps, reader: Reader, upload: CardsUpload): Promise<ImportView> =>
  asOneOperation(deps, reader.operation, () => takeIn(deps, reader, upload))

async function takeIn(
  deps: Deps,
  reader: Reader,
  { file, bookId, isDryRun }: CardsUpload,
): Promise<ImportView> {
  if (bookId !== undefined) await requireAddressBook(deps.db, reader.userId, bookId)
  const pause = pauses(deps.clock, IMPORT_LIMIT_MS)
  const cards = await readFile(deps, file, { today: todayOf(deps, reader.owner), pause })
  const known = await findKnown(deps, reader.userId, cards, pause)
  const others = cards.filter((card) => !known.has(card))
  const usable = others.filter(({ problem }) => problem === undefined)
  const total = { created: 0, updated: 0, unchanged: known.size }
  const take = (batch: readonly CardRead[]) =>
    isDryRun
      ? sort(deps.db, reader.userId, batch)
      : inTurn(reader.userId, () =>
          inTransaction(deps.db, (tx) => store(tx, deps, reader, { batch, bookId })),
        )
  try {
    for (let start = 0; start < usable.length; start += BATCH) {
      await pause()
      const batch = usable.slice(start, start + BATCH)
      const sorted = await take(batch)
      total.created += sorted.created.length
      total.updated += sorted.updated.length
      total.unchanged += batch.length - sorted.created.length - sorted.updated.length
    }
  } catch (error) {
    throw isDryRun ? error : brokenOff(error, total)
  }
  if (isDryRun) await refuseTooMany(deps.db, { kind: 'people', userId: reader.userId, more: total.created })
  return { ...total, skipped: others.flatMap(toSkipped) }
}

const MAX_UID_SHOWN = 500

const toSkipped = ({ uid, problem }: CardRead): ImportView['skipped'] =>
  problem === undefined ? [] : [{ uid: uid === null ? null : cut(uid, MAX_UID_SHOWN), reason: problem }]

const refusal = (message: string) => invalid([{ field: 'file', message }])

const REPEATED = 'appears twice in the file'

interface ReadOptions {
  readonly today: string
  readonly pause: () => Promise<void>
}

/** Reads the cards of a file. @throws {AppError} 422. */
async function readFile(
  { vCards }: Deps,
  file: Uint8Array,
  { today, pause }: ReadOptions,
): Promise<CardRead[]> {
  const cards: CardRead[] = []
  const keys = new Set<string>()
  for (const read of vCards.read(file)) {
    if (cards.length === MAX_CARDS) throw refusal(`has more than ${MAX_CARDS} cards`)
    const card = await readCard(read, today)
    const isRepeated = card.problem === undefined && keys.has(card.key)
    cards.push(isRepeated ? { ...card, problem: REPEATED } : card)
    if (card.problem === undefined) keys.add(card.key)
    await pause()
  }
  if (cards.length === 0) throw refusal('is not a vCard file')
  return cards
}

async function readCard({ text, properties, problem }: VCardRead, today: string): Promise<CardRead> {
  const card = toCard(properties)
  const uid = card.uid ?? readUid(text)
  const hash = await sha256Hex(text)
  return { ...card, uid, hash, key: uid ?? `urn:sha256:${hash}`, problem: problem ?? problemOf(card, today) }
}

/** Finds the UID of a card that cannot be parsed. */
const readUid = (text: string) => unescapeText(/^UID[^:\r\n]*:(.*)/im.exec(text)?.[1] ?? '').trim() || null

/**
 * Returns the cards that need no change: they are as they were at their last import, or as the export would write the person now.
 */
async function findKnown(
  deps: Deps,
  userId: number,
  cards: readonly CardRead[],
  pause: ReadOptions['pause'],
): Promise<Set<CardRead>> {
  const known = new Set<CardRead>()
  const once = cards.filter(({ key, problem }) => problem !== REPEATED && isStorable(key))
  for (let start = 0; start < once.length; start += BATCH) {
    const batch = once.slice(start, start + BATCH)
    const hashes = await q.findHashes(deps.db, userId, keysOf(batch))
    const doubtful = batch.filter(({ key, hash }) => hashes.has(key) && hashes.get(key) !== hash)
    const exported = await hashesAsExported(deps, userId, keysOf(doubtful), pause)
    for (const card of batch) {
      const { key, hash } = card
      if (hashes.get(key) === hash || exported.get(key) === hash) known.add(card)
    }
  }
  return known
}

const keysOf = (cards: readonly CardRead[]) => cards.map(({ key }) => key)

/** Splits cards into new ones and those that have changed since their last import. */
const sort = async (db: Db | Tx, userId: number, cards: readonly CardRead[]) =>
  sortByHash(cards, await q.findHashes(db, userId, keysOf(cards)))

/** Locks the user, so that two imports run one after the other. @throws {AppError} 401, 404. */
async function store(
  tx: Tx,
  { clock }: Deps,
  session: SessionKey,
  { batch, bookId }: { readonly batch: readonly CardRead[] } & Pick<CardsUpload, 'bookId'>,
): Promise<Sorted<CardRead>> {
  const { userId } = session
  const now = clock.now()
  await lockUserOf(tx, session, now)
  if (bookId !== undefined) await requireAddressBook(tx, userId, bookId)
  const sorted = await sort(tx, userId, batch)
  const changed = [...sorted.created, ...sorted.updated]
  if (changed.length > 0) {
    await q.upsert(
      tx,
      changed.map((card) => ({ ...toRow(card, userId, now), bookId })),
    )
  }
  return sorted
}

const toRow = ({ key, hash, fields, isFavourite, kept }: CardRead, userId: number, now: Date) => ({
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
/** Stored cards may contain pictures, so they are read for only this many people at once. */
const KEPT_PAGE = 20

/**
 * Streams everybody in the address books, or in one of them, as vCards. No transaction is open while the client pauses. The stream breaks off once the
 * session has ended.
 */
export async function exportPeople(
  deps: Deps,
  session: SessionKey,
  bookId: number | undefined,
): Promise<ReadableStream<Uint8Array>> {
  const { userId } = session
  await inTransaction(deps.db, async (tx) => {
    await lockUserOf(tx, session, deps.clock.now())
    if (bookId !== undefined) await requireAddressBook(tx, userId, bookId)
    await q.nameAll(tx, userId)
  })
  const exporting = { userId, bookId }
  const firstRows = await q.page(deps.db, exporting, 0, PAGE)
  return streamOf(cardsOf(deps, session, { ...exporting, firstRows }), deps.log, { user_id: userId })
}

async function* cardsOf(
  { db, vCards, clock }: Deps,
  session: SessionKey,
  { firstRows, ...exporting }: q.Exporting & { readonly firstRows: readonly q.ExportRow[] },
): AsyncGenerator<string, void, void> {
  const { userId } = exporting
  const pause = pauses(clock)
  let rows = firstRows
  for (let piece = rows.slice(0, KEPT_PAGE); piece.length > 0; piece = rows.slice(0, KEPT_PAGE)) {
    for (const person of await withKept(db, userId, piece)) {
      yield vCards.print(toProperties(person))
      await pause()
    }
    const last = piece.at(-1)?.id ?? 0
    rows = rows.slice(KEPT_PAGE)
    if (rows.length > 0) continue
    await refuseEnded(db, session, clock.now())
    rows = await q.page(db, exporting, last, PAGE)
  }
}

async function withKept(db: Db, userId: number, rows: readonly q.ExportRow[]) {
  const kept = await q.findKept(
    db,
    userId,
    rows.map(({ id }) => id),
  )
  return rows.map((row) => ({ ...row, kept: kept.get(row.id) ?? [] }))
}

/** By UID, hashes of the cards as the export would write them now. */
async function hashesAsExported(
  { db, vCards }: Deps,
  userId: number,
  uids: readonly string[],
  pause: ReadOptions['pause'],
): Promise<Map<string, string>> {
  const hashes = new Map<string, string>()
  for (let start = 0; start < uids.length; start += KEPT_PAGE) {
    const rows = await q.byUids(db, userId, uids.slice(start, start + KEPT_PAGE))
    for (const person of await withKept(db, userId, rows)) {
      const file = new TextEncoder().encode(vCards.print(toProperties(person)))
      for (const { text } of vCards.read(file)) hashes.set(person.uid, await sha256Hex(text))
      await pause()
    }
  }
  return hashes
}
