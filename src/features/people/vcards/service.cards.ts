import type { Db, Tx } from '../../../db/client'
import { convert } from '../../../lib/vcard/convert'
import { type VCardVersion, versionOf } from '../../../lib/vcard/lines'
import { sha256Hex } from '../../../lib/text'
import { isUnborn } from '../people/rules'
import * as q from './queries.cards'
import { editCard, identified, isSame, type CardContent } from './rules.edit'
import { printCard } from './rules.printing'
import { type Card, isShortUid, readCard } from './rules.reading'

/** A person, or a group, which is no person in JSON. */
export interface CardRef {
  readonly kind: 'person' | 'group'
  readonly id: number
}

/** A card as other programs read it. */
export interface StoredCard extends CardRef {
  readonly uid: string
  readonly version: number
  readonly updatedAt: Date
  readonly text: string
}

/** `kept` is the text as it came; a card of 2.1, and one that was made here, are 3.0 then. */
type WantedVersion = 'kept' | Exclude<VCardVersion, '2.1'>

/** The text of a person's card: as it came, with the changes that were made here since. */
export function textOf(source: q.PersonSource): string {
  const { text, said, kept, uid, updatedAt } = source
  if (text === null || said === null || isMade(source)) return printCard({ ...source, kept: kept ?? [] })
  if (isSame(said, source)) return text
  const { card, reason } = readCard(text)
  if (!card) throw new Error(`a card that was read before ${reason}`)
  return editCard(card, { before: said, after: source, uid, changedAt: updatedAt })
}

/** Whether no text is kept. Whoever imported without keeping it did so after the text came. */
const isMade = ({ text, kept }: q.PersonSource): boolean => text === null || kept !== null

/** The text of a card that came from elsewhere; null for a person who was made here. */
export const keptText = (source: q.PersonSource): string | null =>
  source.text === null && source.kept === null ? null : textOf(source)

/** The text for a file, in which a card without UID is known by its content, or else needs one. */
export function exportedText(source: q.PersonSource): string {
  const text = textOf(source)
  return source.uid.startsWith(BY_CONTENT) ? text : identified(text, source.uid)
}

/** The cards of these people and groups, in two statements. Those that the user does not have are left out. */
export async function cardsOf(
  db: Db | Tx,
  userId: number,
  ids: { readonly people: readonly number[]; readonly groups: readonly number[] },
  wanted: WantedVersion,
): Promise<StoredCard[]> {
  const people = ids.people.length === 0 ? [] : await q.findPeople(db, userId, ids.people)
  const groups = ids.groups.length === 0 ? [] : await q.findGroups(db, userId, ids.groups)
  return [
    ...people.map((source) => toStored('person', source, inVersion(textOf(source), wanted, isMade(source)))),
    ...groups.map((row) => toStored('group', row, inVersion(row.text, wanted, false))),
  ]
}

function inVersion(text: string, wanted: WantedVersion, isOwn: boolean): string {
  if (wanted !== 'kept') return convert(text, wanted)
  return isOwn || versionOf(text) === '2.1' ? convert(text, '3.0') : text
}

const toStored = (
  kind: CardRef['kind'],
  { id, uid, version, updatedAt }: Omit<StoredCard, 'kind' | 'text'>,
  text: string,
): StoredCard => ({ kind, id, uid, version, updatedAt, text })

interface CardWrite {
  readonly userId: number
  readonly card: Card
  /** What the card takes the place of; by default it is a new one. */
  readonly target?: CardRef | undefined
  /** The address book for a new one; by default the default one. What takes the place of another one stays in its address book. */
  readonly bookId?: number | undefined
  /** The name that a client of /dav chose for it; by default the one that follows from its UID, or that it has. */
  readonly name?: string | undefined
  readonly now: Date
  /** `YYYY-MM-DD`: a later birthday is in the text alone. */
  readonly today: string
}

interface WrittenCard extends CardRef {
  readonly version: number
  /** False when the card says what was there already: then nothing was written. */
  readonly isChanged: boolean
}

/**
 * Makes the person, or the group, of a card, or puts the card in the place of another one. The caller has locked the user and
 * knows that no other person or group in the address book has the UID. Returns undefined when there is no such target.
 */
export async function writeCard(tx: Tx, write: CardWrite): Promise<WrittenCard | undefined> {
  const { userId, card, target } = write
  const kind = card.isGroup ? 'group' : 'person'
  if (target === undefined) return kind === 'group' ? addGroup(tx, write) : addPerson(tx, write)
  if (target.kind !== kind) {
    const bookId = await remove(tx, userId, target)
    return bookId === undefined ? undefined : writeCard(tx, { ...write, target: undefined, bookId })
  }
  return kind === 'group' ? replaceGroup(tx, write, target.id) : replacePerson(tx, write, target.id)
}

/** Deletes the person or the group. Returns whether there was one. */
export const removeCard = async (tx: Tx, userId: number, ref: CardRef): Promise<boolean> =>
  (await remove(tx, userId, ref)) !== undefined

/** Returns the address book in which it was. */
const remove = (tx: Tx, userId: number, { kind, id }: CardRef): Promise<number | undefined> =>
  kind === 'group' ? q.removeGroup(tx, userId, id) : q.removePerson(tx, userId, id)

/** Moves the person or the group to another name or address book of the user, where no other one has the UID. */
export async function moveCard(
  tx: Tx,
  userId: number,
  { kind, id }: CardRef,
  place: { readonly bookId: number; readonly name: string; readonly now: Date },
): Promise<{ readonly version: number } | undefined> {
  const set = { bookId: place.bookId, objectName: place.name, updatedAt: place.now }
  return kind === 'group' ? q.updateGroup(tx, { userId, id }, set) : q.updatePerson(tx, { userId, id }, set)
}

/** Begins the UIDs of cards that are known by their content. */
const BY_CONTENT = 'urn:sha256:'

/** What a record is known by whose card has the UID. */
export const knownAs = async (uid: string): Promise<string> =>
  isShortUid(uid) ? uid : `urn:sha256:${await sha256Hex(uid)}`

/** What a record is known by whose card has no UID, from the hash of what the card says. */
export const knownByContent = (hash: string): string => `${BY_CONTENT}${hash}`

/** The columns of a person that a card sets. */
export const columnsOf = ({ fields, isFavourite }: Card, today: string): CardContent => ({
  ...fields,
  birthday: isUnborn(fields.birthday, today) ? null : fields.birthday,
  isFavourite,
})

async function addPerson(
  tx: Tx,
  { userId, bookId, name: objectName, card, now, today }: CardWrite,
): Promise<WrittenCard> {
  const said = columnsOf(card, today)
  const vcardUid = card.uid === null ? undefined : await knownAs(card.uid)
  const made = await q.insertPerson(tx, {
    ...said,
    userId,
    bookId,
    objectName,
    vcardUid,
    createdAt: now,
    updatedAt: now,
  })
  await q.putTexts(tx, [{ personId: made.id, userId, text: card.text, said }])
  return { kind: 'person', ...made, isChanged: true }
}

async function replacePerson(tx: Tx, write: CardWrite, id: number): Promise<WrittenCard | undefined> {
  const { userId, card, now, today } = write
  const [source] = await q.findPeople(tx, userId, [id])
  if (!source) return undefined
  if (isAsRead(source, card.text)) {
    return { kind: 'person', id, version: source.version, isChanged: false }
  }
  const said = { ...columnsOf(card, today), isFavourite: source.isFavourite || card.isFavourite }
  const vcardUid = card.uid === null ? source.uid : await knownAs(card.uid)
  const changed = await q.updatePerson(
    tx,
    { userId, id },
    { ...said, vcardUid, objectName: write.name, vcardKept: null, updatedAt: now },
  )
  if (!changed) return undefined
  await q.putTexts(tx, [{ personId: id, userId, text: card.text, said }])
  return { kind: 'person', ...changed, isChanged: true }
}

/** Whether somebody sends what they have read. */
function isAsRead(source: q.PersonSource, sent: string): boolean {
  const stored = textOf(source)
  return stored === sent || (isMade(source) && inVersion(stored, 'kept', true) === sent)
}

async function addGroup(
  tx: Tx,
  { userId, bookId, name: objectName, card, now }: CardWrite,
): Promise<WrittenCard> {
  const uid = card.uid === null ? q.newUid : await knownAs(card.uid)
  const made = await q.insertGroup(tx, {
    userId,
    bookId,
    objectName,
    uid,
    text: card.text,
    createdAt: now,
    updatedAt: now,
  })
  return { kind: 'group', ...made, isChanged: true }
}

async function replaceGroup(
  tx: Tx,
  { userId, card, now, name: objectName }: CardWrite,
  id: number,
): Promise<WrittenCard | undefined> {
  const [row] = await q.findGroups(tx, userId, [id])
  if (!row) return undefined
  if (row.text === card.text) return { kind: 'group', id, version: row.version, isChanged: false }
  const uid = card.uid === null ? row.uid : await knownAs(card.uid)
  const changed = await q.updateGroup(
    tx,
    { userId, id },
    { uid, objectName, text: card.text, updatedAt: now },
  )
  return changed && { kind: 'group', ...changed, isChanged: true }
}
