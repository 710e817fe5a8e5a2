import { sql } from 'drizzle-orm'
import { boolean, check, index, integer, pgTable, primaryKey, text, uniqueIndex } from 'drizzle-orm/pg-core'
import { instant, oneOf } from './columns'
import { users } from './users'

export const DAV_HOMES = ['calendars', 'addressbooks'] as const

/** What a collection can be. */
export const DAV_KINDS = ['calendar', 'list', 'reminders', 'book', 'birthdays'] as const

/** The addresses that clients chose for collections that they made; all others are named by their ids (contract: dav.addresses). */
export const davCollections = pgTable(
  'dav_collections',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    home: text({ enum: DAV_HOMES }).notNull(),
    slug: text().notNull(),
    kind: text({ enum: DAV_KINDS }).notNull(),
    /** The id of the collection. It stays when that is deleted, so that a restored one has its address again. */
    item: integer().notNull(),
    /** The list of a mixed collection, whose events are in the calendar `item` (contract: dav.mixed). It stays, too. */
    todoListId: integer(),
  },
  (t) => [
    primaryKey({ name: 'dav_collections_pkey', columns: [t.userId, t.home, t.slug] }),
    index('dav_collections_item_idx').on(t.kind, t.item),
    oneOf('dav_collections_home_check', t.home, DAV_HOMES),
    oneOf('dav_collections_kind_check', t.kind, DAV_KINDS),
    uniqueIndex('dav_collections_todo_list_id_key')
      .on(t.todoListId)
      .where(sql`${t.todoListId} is not null`),
    check('dav_collections_mixed_check', sql`${t.todoListId} is null or ${t.kind} = 'calendar'`),
    check('dav_collections_slug_check', sql`octet_length(${t.slug}) between 1 and 255`),
  ],
)

/** Properties that clients keep with a place, each user their own (contract: dav.properties). */
export const davProperties = pgTable(
  'dav_properties',
  {
    userId: integer()
      .notNull()
      .references(() => users.id, { onDelete: 'cascade' }),
    /** A principal such as `principal-7`, a home, or a collection such as `calendar-5`. */
    place: text().notNull(),
    /** `{namespace}local`. */
    name: text().notNull(),
    /** The whole element as XML that means the same in any document. */
    xml: text().notNull(),
  },
  (t) => [
    primaryKey({ name: 'dav_properties_pkey', columns: [t.userId, t.place, t.name] }),
    check('dav_properties_xml_check', sql`octet_length(${t.xml}) <= 65536`),
  ],
)

/** Names that objects had in collections that they have left (contract: dav.sync). Triggers write it. */
export const davGone = pgTable(
  'dav_gone',
  {
    kind: text({ enum: DAV_KINDS }).notNull(),
    /** The id of the collection. */
    collection: integer().notNull(),
    /** The id of the object; of a group, which is no person, that with a minus. */
    item: integer().notNull(),
    name: text().notNull(),
    /** The event was private then, so that members knew it by its id. */
    isHidden: boolean().notNull().default(false),
    at: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'dav_gone_pkey', columns: [t.kind, t.collection, t.item, t.name, t.isHidden] }),
    index('dav_gone_at_idx').on(t.at),
    oneOf('dav_gone_kind_check', t.kind, DAV_KINDS),
  ],
)
