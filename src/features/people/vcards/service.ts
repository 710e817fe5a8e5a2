import type { Db, Tx } from '../../../db/client'
import { refuseTooMany } from '../../../db/quotas'
import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { brokenOff } from '../../../lib/broken-off'
import { invalid } from '../../../lib/errors'
import { sortByHash, type Sorted } from '../../../lib/imports'
import { IMPORT_LIMIT_MS, pauses } from '../../../lib/pauses'
import { cut, sha256Hex } from '../../../lib/text'
import { inTurn } from '../../../lib/turns'
import type { VCardRead } from '../../../lib/ports/vcards'
import { asOneOperation } from '../../../access/operations/service'
import { lockUserOf } from '../../../access/sessions/service'
import { type Reader, todayOf } from '../../../access/reader/service'
import { requireAddressBook } from '../address-books/service'
import type { ImportView } from './model'
import * as q from './queries'
import { peopleByUid, putTexts, upsertGroups } from './queries.cards'
import { type Card, contentOf, readCard } from './rules.reading'
import { columnsOf, exportedText, knownAs, knownByContent } from './service.cards'
import { unescapeText } from '../../../lib/icalendar/text'

const MAX_CARDS = 50_000
/** Cards per transaction. The user's other changes wait for it, so it must be short. */
const BATCH = 100

interface CardsUpload {
  readonly file: Uint8Array
  /** The address book for new people and groups; undefined for the default one. */
  readonly bookId: number | undefined
  readonly isDryRun: boolean
}

/** A card of a file. */
interface CardRead {
  /** What it is known by: its UID, or a hash of what it says when it has none. */
  readonly uid: string
  /** Tells it from all others: a group and a person may share a UID. */
  readonly key: string
  /** SHA-256 in hex of what the card says, however it is folded. */
  readonly hash: string
  readonly card: Card
  readonly problem?: undefined
}

/** A card that cannot be taken in. */
interface CardSkipped {
  readonly uid: string | null
  readonly problem: string
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
  const { cards, skipped } = await readFile(deps, file, pause)
  const importing = { userId: reader.userId, bookId }
  const known = await findKnown(deps, importing, cards, pause)
  const usable = cards.filter((card) => !known.has(card))
  const total = { created: 0, updated: 0, unchanged: known.size }
  const take = (batch: readonly CardRead[]) =>
    isDryRun
      ? sort(deps.db, importing, batch)
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
  return { ...total, skipped: skipped.map(toSkipped) }
}

const MAX_UID_SHOWN = 500

const toSkipped = ({ uid, problem }: CardSkipped): ImportView['skipped'][number] => ({
  uid: uid === null ? null : cut(uid, MAX_UID_SHOWN),
  reason: problem,
})

const refusal = (message: string) => invalid([{ field: 'file', message }])

const REPEATED = 'appears twice in the file'

type Pause = () => Promise<void>

/** Reads the cards of a file. @throws {AppError} 422. */
async function readFile({ vCards }: Deps, file: Uint8Array, pause: Pause) {
  const cards: CardRead[] = []
  const skipped: CardSkipped[] = []
  const keys = new Set<string>()
  for (const found of vCards.read(file)) {
    if (cards.length + skipped.length === MAX_CARDS) throw refusal(`has more than ${MAX_CARDS} cards`)
    const read = await readFound(found)
    if (read.problem !== undefined) skipped.push(read)
    else if (keys.has(read.key)) skipped.push({ uid: read.card.uid, problem: REPEATED })
    else {
      cards.push(read)
      keys.add(read.key)
    }
    await pause()
  }
  if (cards.length + skipped.length === 0) throw refusal('is not a vCard file')
  return { cards, skipped }
}

async function readFound({ text, isWhole }: VCardRead): Promise<CardRead | CardSkipped> {
  const { card, reason } = isWhole ? readCard(text) : { reason: 'has no end' }
  if (!card) return { uid: readUid(text), problem: reason }
  const hash = await sha256Hex(contentOf(card))
  const uid = card.uid === null ? knownByContent(hash) : await knownAs(card.uid)
  return { card, hash, uid, key: `${card.isGroup ? 'group' : 'person'} ${uid}` }
}

/** Finds the UID of a card that cannot be read. */
const readUid = (text: string) => unescapeText(/^UID[^:\r\n]*:(.*)/im.exec(text)?.[1] ?? '').trim() || null

/**
 * Returns the cards that need no change: in one address book or another they are as they were at their last import, or as the export
 * would write them now.
 */
async function findKnown(
  deps: Deps,
  importing: q.Importing,
  cards: readonly CardRead[],
  pause: Pause,
): Promise<Set<CardRead>> {
  const known = new Set<CardRead>()
  for (let start = 0; start < cards.length; start += BATCH) {
    const batch = cards.slice(start, start + BATCH)
    const stored = await findStored(deps.db, importing, batch)
    const isAsImported = ({ key, hash }: CardRead) => stored.get(key)?.some((one) => one.hash === hash)
    const doubtful = batch.filter((card) => stored.has(card.key) && !isAsImported(card))
    const exported = await hashesAsExported(deps, importing, doubtful, pause)
    for (const card of batch)
      if (isAsImported(card) || exported.has(`${card.key} ${card.hash}`)) known.add(card)
  }
  return known
}

const uidsOf = (cards: readonly CardRead[], isGroup: boolean) =>
  cards.filter(({ card }) => card.isGroup === isGroup).map(({ uid }) => uid)

/** A person or a group whose card may be in a file. */
interface StoredHash {
  /** Of the card at its last import; null for one that never was in a file. */
  readonly hash: string | null
  readonly bookId: number
}

/** By key, who is known as the cards say; the first of them takes what is new. */
async function findStored(
  db: Db | Tx,
  importing: q.Importing,
  cards: readonly CardRead[],
): Promise<ReadonlyMap<string, readonly StoredHash[]>> {
  const [people, groups] = [uidsOf(cards, false), uidsOf(cards, true)]
  const ofPeople = people.length === 0 ? [] : await q.findHashes(db, importing, people)
  const ofGroups = groups.length === 0 ? [] : await q.findGroups(db, importing, groups)
  return new Map([
    ...Map.groupBy(ofPeople, ({ uid }) => `person ${uid}`),
    ...Map.groupBy(ofGroups, ({ uid }) => `group ${uid}`),
  ])
}

/** Splits cards into new ones and those that have changed since their last import, with where those are. */
async function sort(db: Db | Tx, importing: q.Importing, cards: readonly CardRead[]) {
  const stored = await findStored(db, importing, cards)
  const first = Array.from(stored, ([key, [one]]) => [key, one?.hash ?? null] as const)
  const bookOf = ({ key }: CardRead) => stored.get(key)?.[0]?.bookId
  return { ...sortByHash(cards, new Map(first)), bookOf }
}

/** Locks the user, so that two imports run one after the other. @throws {AppError} 401, 404. */
async function store(
  tx: Tx,
  deps: Deps,
  reader: Reader,
  { batch, bookId }: { readonly batch: readonly CardRead[] } & Pick<CardsUpload, 'bookId'>,
): Promise<Sorted<CardRead>> {
  const { userId } = reader
  const now = deps.clock.now()
  await lockUserOf(tx, reader, now)
  if (bookId !== undefined) await requireAddressBook(tx, userId, bookId)
  const sorted = await sort(tx, { userId, bookId }, batch)
  const changed = [...sorted.created, ...sorted.updated]
  const bookFor = (card: CardRead) => sorted.bookOf(card) ?? bookId
  await storePeople(
    tx,
    changed.filter(({ card }) => !card.isGroup),
    { userId, bookFor, now, today: todayOf(deps, reader.owner) },
  )
  const groups = changed.filter(({ card }) => card.isGroup)
  if (groups.length > 0) {
    const times = { createdAt: now, updatedAt: now }
    await upsertGroups(
      tx,
      groups.map((read) => ({
        userId,
        bookId: bookFor(read),
        uid: read.uid,
        hash: read.hash,
        text: read.card.text,
        ...times,
      })),
    )
  }
  return sorted
}

interface Storing {
  readonly userId: number
  /** Where a card belongs; undefined for the default address book. */
  readonly bookFor: (card: CardRead) => number | undefined
  readonly now: Date
  readonly today: string
}

async function storePeople(
  tx: Tx,
  cards: readonly CardRead[],
  { userId, bookFor, now, today }: Storing,
): Promise<void> {
  if (cards.length === 0) return
  const saidBy = new Map(cards.map(({ uid, card }) => [uid, columnsOf(card, today)]))
  const textOf = new Map(cards.map(({ uid, card }) => [uid, card.text]))
  const times = { createdAt: now, updatedAt: now }
  const ids = await q.upsert(
    tx,
    cards.map((read) => ({
      ...columnsOf(read.card, today),
      ...times,
      userId,
      bookId: bookFor(read),
      vcardUid: read.uid,
      vcardHash: read.hash,
    })),
  )
  await putTexts(
    tx,
    ids.flatMap(({ id, uid }) => {
      const [said, text] = [saidBy.get(uid), textOf.get(uid)]
      return said === undefined || text === undefined ? [] : [{ personId: id, userId, text, said }]
    }),
  )
}

/** People whose cards, which may contain pictures, are read at once. */
const PIECE = 20

/** The cards as the export would write them now, as `{key} {hash}`. */
async function hashesAsExported(
  { db }: Deps,
  importing: q.Importing,
  cards: readonly CardRead[],
  pause: Pause,
): Promise<Set<string>> {
  const hashes = new Set<string>()
  const add = async (key: string, text: string) => {
    const { card } = readCard(text)
    if (card) hashes.add(`${key} ${await sha256Hex(contentOf(card))}`)
    await pause()
  }
  for (let start = 0; start < cards.length; start += PIECE) {
    const piece = cards.slice(start, start + PIECE)
    const [people, groups] = [uidsOf(piece, false), uidsOf(piece, true)]
    const found = people.length === 0 ? [] : await peopleByUid(db, importing.userId, people)
    for (const source of found) await add(`person ${source.uid}`, exportedText(source))
    const others = groups.length === 0 ? [] : await q.findGroups(db, importing, groups)
    for (const { uid, text } of others) await add(`group ${uid}`, text)
  }
  return hashes
}
