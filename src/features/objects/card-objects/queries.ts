import { type SQL, sql } from 'drizzle-orm'
import type { Db, Tx } from '../../../db/client'
import type { JournalItem, ObjectEntry } from '../sources/rules'

/** An address book. */
export interface OwnBook {
  readonly id: number
  readonly ownerId: number
}

const PERSON_NAME = sql`dav_card_name(object_name, vcard_uid, people.id::text)`
const GROUP_NAME = sql`dav_card_name(object_name, loose_cards.uid, 'group-' || loose_cards.id)`

const PERSON = sql`'person' as kind, people.id, book_id as "bookId", ${PERSON_NAME} as name, version, updated_at as "updatedAt",
  coalesce(octet_length(text), 0) + coalesce(pg_column_size(vcard_kept), 0) as bytes`
const GROUP = sql`'group' as kind, loose_cards.id, book_id as "bookId", ${GROUP_NAME} as name, version, updated_at as "updatedAt",
  octet_length(text) as bytes`
const PEOPLE = sql`people left join person_texts on person_id = people.id`

interface CardRow {
  readonly kind: 'person' | 'group'
  readonly id: number
  readonly bookId: number
  readonly name: string
  readonly version: number
  readonly updatedAt: string
  readonly bytes: number
  readonly [key: string]: unknown
}

/** A card without its text, which may be in any address book of the user. */
export interface CardEntry extends ObjectEntry {
  readonly kind: 'person' | 'group'
  readonly bookId: number
}

const toEntry = ({ kind, id, bookId, name, version, updatedAt, bytes }: CardRow): CardEntry => ({
  kind,
  id,
  bookId,
  name,
  version,
  bytes,
  updatedAt: new Date(updatedAt),
})

/** All cards of an address book: people by id, then groups. */
export async function list(db: Db | Tx, { id }: OwnBook): Promise<CardEntry[]> {
  const rows = await db.execute<CardRow>(sql`
    select ${PERSON} from ${PEOPLE} where book_id = ${id}
    union all select ${GROUP} from loose_cards where book_id = ${id}
    order by kind desc, id`)
  return rows.map(toEntry)
}

/** Finds cards of an address book by their names, of which each has at most one (triggers see to that: `dav_free_person_name`). */
export async function named(db: Db | Tx, book: OwnBook, names: readonly string[]): Promise<CardEntry[]> {
  const people = (condition: SQL) => sql`
    select ${PERSON} from wanted join people on book_id = ${book.id} and ${condition}
      left join person_texts on person_id = people.id where ${PERSON_NAME} = wanted.name`
  const groups = (condition: SQL) => sql`
    select ${GROUP} from wanted join loose_cards on book_id = ${book.id} and ${condition} where ${GROUP_NAME} = wanted.name`
  const rows = await db.execute<CardRow>(sql`
    with wanted as (
      select name, regexp_replace(name, '[.]vcf$', '') as uid,
        case when name ~ '^[1-9][0-9]{0,8}[.]vcf$' then left(name, -4)::integer end as number,
        case when name ~ '^group-[1-9][0-9]{0,8}[.]vcf$' then substr(left(name, -4), 7)::integer end as group_number
      from jsonb_array_elements_text(${JSON.stringify(names)}::jsonb) as given (name)
    )
    ${people(sql`object_name = wanted.name`)}
    union ${people(sql`object_name is null and people.user_id = ${book.ownerId} and vcard_uid = wanted.uid`)}
    union ${people(sql`object_name is null and people.id = number`)}
    union ${groups(sql`object_name = wanted.name`)}
    union ${groups(sql`object_name is null and user_id = ${book.ownerId} and loose_cards.uid = wanted.uid`)}
    union ${groups(sql`object_name is null and loose_cards.id = group_number`)}`)
  return rows.map(toEntry)
}

/** Finds the person or the group that is known as this in an address book. */
export async function withUid(tx: Tx, { id }: OwnBook, uid: string): Promise<CardEntry | undefined> {
  const rows = await tx.execute<CardRow>(sql`
    select ${PERSON} from ${PEOPLE} where book_id = ${id} and vcard_uid = ${uid}
    union all select ${GROUP} from loose_cards where book_id = ${id} and uid = ${uid}`)
  return rows.map(toEntry)[0]
}

/** A card, and what it is known as. */
export interface KnownEntry extends CardEntry {
  readonly uid: string
}

/** Finds a card of the user in whatever address book. */
export async function findEntry(
  tx: Tx,
  userId: number,
  { kind, id }: Pick<CardEntry, 'kind' | 'id'>,
): Promise<KnownEntry | undefined> {
  const [row] = await tx.execute<CardRow & { readonly uid: string }>(
    kind === 'person'
      ? sql`select ${PERSON}, vcard_uid as uid from ${PEOPLE} where people.user_id = ${userId} and people.id = ${id}`
      : sql`select ${GROUP}, uid from loose_cards where user_id = ${userId} and id = ${id}`,
  )
  return row && { ...toEntry(row), uid: row.uid }
}

type FollowedRow = { readonly [Key in keyof CardRow]: CardRow[Key] | null } & {
  readonly seq: number
  readonly former: readonly string[] | null
}

/** What changed in an address book after a place, each card once, in the order of its last change; up to `limit`. */
export async function changedSince(
  db: Db | Tx,
  { id }: OwnBook,
  place: number,
  limit: number,
): Promise<JournalItem[]> {
  const rows = await db.execute<FollowedRow>(sql`
    select changed.seq::float8 as seq, card.*, gone.names as former
    from (
      select type, item, seq from sync_changes
      where scope_kind = 'b' and scope_id = ${id} and seq > ${place} and type || '' in ('person', 'card')
      order by seq limit ${limit}
    ) as changed
    left join lateral (
      select ${PERSON} from ${PEOPLE} where changed.type = 'person' and people.id = changed.item and book_id = ${id}
      union all select ${GROUP} from loose_cards where changed.type = 'card' and loose_cards.id = changed.item and book_id = ${id}
    ) as card on true
    left join lateral (
      select jsonb_agg(name) as names from dav_gone where kind = 'book' and collection = ${id}
        and item = case changed.type when 'card' then -changed.item else changed.item end
    ) as gone on true
    order by changed.seq`)
  return rows.map(({ seq, former, ...row }) => ({
    seq,
    object: isThere(row) ? toEntry(row) : null,
    former: former ?? [],
  }))
}

const isThere = (row: Omit<FollowedRow, 'seq' | 'former'>): row is CardRow => row.id !== null
