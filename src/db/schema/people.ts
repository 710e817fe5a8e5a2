import { sql } from 'drizzle-orm'
import {
  boolean,
  check,
  foreignKey,
  index,
  integer,
  jsonb,
  numeric,
  pgTable,
  text,
  unique,
  uniqueIndex,
} from 'drizzle-orm/pg-core'
import { id, timestamps } from './columns'
import { users } from './users'

/** A property of a vCard as in jCard (RFC 7095, section 3.3), except that its value keeps its original escapes. */
export type KeptProperty = readonly [
  name: string,
  params: Readonly<Record<string, string | readonly string[]>>,
  type: string,
  value: string,
]

/** Address books (contract: people.books). A trigger makes the default one of each new user. */
export const addressBooks = pgTable(
  'address_books',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    name: text().notNull(),
    /** `#rrggbb`. */
    color: text().notNull(),
    isDefault: boolean().notNull().default(false),
    /** Place among the owner's address books (`src/lib/ordering.ts`). */
    rank: numeric().notNull(),
    version: integer().notNull().default(1),
    ...timestamps(),
  },
  (t) => [
    unique('address_books_id_user_id_key').on(t.id, t.userId),
    uniqueIndex('address_books_user_id_name_key').on(t.userId, t.name),
    uniqueIndex('address_books_user_id_rank_key').on(t.userId, t.rank),
    uniqueIndex('address_books_default_key')
      .on(t.userId)
      .where(sql`${t.isDefault}`),
    check('address_books_color_check', sql`${t.color} ~ '^#[0-9A-Fa-f]{6}$'`),
  ],
)

/** Contacts of a user. */
export const people = pgTable(
  'people',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A trigger fills in the default address book where a row names none. */
    bookId: integer()
      .notNull()
      .default(sql`null`),
    /** The connected user whom this person represents. */
    linkedUserId: integer().references(() => users.id, { onDelete: 'set null' }),
    firstName: text(),
    lastName: text(),
    nickname: text(),
    email: text(),
    phone: text(),
    mobile: text(),
    address: text(),
    company: text(),
    jobTitle: text(),
    /** `YYYY-MM-DD`, or `--MM-DD` when the year is unknown. */
    birthday: text(),
    category: text(),
    notes: text(),
    isFavourite: boolean().notNull().default(false),
    version: integer().notNull().default(1),
    /** UID of the card, or a substitute; a trigger fills in one of the person's own where a row names none. */
    vcardUid: text()
      .notNull()
      .default(sql`null`),
    /** SHA-256 in hex of the card's text at the last import. */
    vcardHash: text(),
    /** Everything in a card that was imported before texts were kept, for the next export; null once there is a text. */
    vcardKept: jsonb().$type<readonly KeptProperty[]>(),
    /** The name that a client of /dav chose; a trigger gives one where that which follows from the UID is taken. */
    objectName: text(),
    ...timestamps(),
  },
  (t) => [
    // Requires that person and address book have the same owner.
    foreignKey({
      name: 'people_book_id_fkey',
      columns: [t.bookId, t.userId],
      foreignColumns: [addressBooks.id, addressBooks.userId],
    }).onDelete('cascade'),
    index('people_user_id_idx').on(t.userId, t.id),
    index('people_book_id_idx').on(t.bookId, t.userId),
    uniqueIndex('people_linked_user_id_key').on(t.userId, t.linkedUserId),
    // Copies of a card may be in several address books.
    uniqueIndex('people_book_id_vcard_uid_key').on(t.bookId, t.vcardUid),
    index('people_user_id_vcard_uid_idx').on(t.userId, t.vcardUid),
    index('people_linked_user_id_idx').on(t.linkedUserId),
    uniqueIndex('people_book_id_object_name_key')
      .on(t.bookId, t.objectName)
      .where(sql`${t.objectName} is not null`),
    check('people_object_name_check', sql`octet_length(${t.objectName}) between 1 and 255`),
    index('people_birthday_idx')
      .on(t.userId, sql`right(${t.birthday}, 5)`)
      .where(sql`${t.birthday} is not null`),
    check('people_name_check', sql`num_nonnulls(${t.firstName}, ${t.lastName}, ${t.nickname}) > 0`),
    check('people_birthday_check', sql`${t.birthday} ~ '^(\\d{4}|-)-\\d{2}-\\d{2}$'`),
    check('people_not_oneself_check', sql`${t.linkedUserId} <> ${t.userId}`),
  ],
)

/** What a card said of a person when it came, by the names of the fields. */
export type SaidOfPerson = Readonly<
  Record<
    | 'firstName'
    | 'lastName'
    | 'nickname'
    | 'email'
    | 'phone'
    | 'mobile'
    | 'address'
    | 'company'
    | 'jobTitle'
    | 'birthday'
    | 'category'
    | 'notes',
    string | null
  >
> & { readonly isFavourite: boolean }

/** The card of a person as it came, which is the truth (contract: people.texts); a separate table, because it may be large. */
export const personTexts = pgTable('person_texts', {
  personId: integer()
    .primaryKey()
    .references(() => people.id, { onDelete: 'cascade' }),
  /** The owner of the person, for the history. */
  userId: integer().notNull(),
  /** Byte for byte. */
  text: text().notNull(),
  /** The fields of the person when the text came: what differs from them was changed here since. */
  said: jsonb().$type<SaidOfPerson>().notNull(),
})

/** Cards that are no people: groups of other cards. */
export const looseCards = pgTable(
  'loose_cards',
  {
    id: id(),
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** As of a person. */
    bookId: integer()
      .notNull()
      .default(sql`null`),
    uid: text().notNull(),
    /** Byte for byte. */
    text: text().notNull(),
    /** SHA-256 in hex of the card's text at the last import. */
    hash: text(),
    /** As of a person, of whom none in the address book has the same. */
    objectName: text(),
    version: integer().notNull().default(1),
    ...timestamps(),
  },
  (t) => [
    foreignKey({
      name: 'loose_cards_book_id_fkey',
      columns: [t.bookId, t.userId],
      foreignColumns: [addressBooks.id, addressBooks.userId],
    }).onDelete('cascade'),
    index('loose_cards_user_id_idx').on(t.userId, t.id),
    index('loose_cards_book_id_idx').on(t.bookId, t.userId),
    uniqueIndex('loose_cards_book_id_uid_key').on(t.bookId, t.uid),
    index('loose_cards_user_id_uid_idx').on(t.userId, t.uid),
    uniqueIndex('loose_cards_book_id_object_name_key')
      .on(t.bookId, t.objectName)
      .where(sql`${t.objectName} is not null`),
    check('loose_cards_object_name_check', sql`octet_length(${t.objectName}) between 1 and 255`),
  ],
)

/** The columns that persons and vCards have in common. */
export const contactColumns = {
  firstName: people.firstName,
  lastName: people.lastName,
  nickname: people.nickname,
  email: people.email,
  phone: people.phone,
  mobile: people.mobile,
  address: people.address,
  company: people.company,
  jobTitle: people.jobTitle,
  birthday: people.birthday,
  category: people.category,
  notes: people.notes,
  isFavourite: people.isFavourite,
}
