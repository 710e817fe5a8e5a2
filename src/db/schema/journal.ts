import { sql } from 'drizzle-orm'
import {
  bigint,
  boolean,
  check,
  customType,
  index,
  integer,
  pgTable,
  primaryKey,
  text,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core'
import { instant, oneOf } from './columns'

/**
 * `u`: what belongs to a user; `c`: a calendar, for that of birthdays also with these. Only clients of /dav follow the others: `b`, an
 * address book; `l`, a list of todos; `r`, the reminders of the user with this id.
 */
export const SCOPE_KINDS = ['u', 'c', 'b', 'l', 'r'] as const
export type ScopeKind = (typeof SCOPE_KINDS)[number]

const scopeKind = customType<{ data: ScopeKind; driverData: string }>({ dataType: () => '"char"' })
/** A transaction id, as text. */
const transactionId = customType<{ data: string; driverData: string }>({ dataType: () => 'xid8' })
const counter = () => bigint({ mode: 'number' })

/** One row: the life of this journal. Cursors of another epoch are refused (contract: changes.cursor). */
export const syncState = pgTable(
  'sync_state',
  {
    isOnly: boolean().primaryKey().default(true),
    epoch: uuid().notNull().defaultRandom(),
    /** Whether changed rows are kept as they were (contract: undo.history). */
    keepsHistory: boolean().notNull().default(true),
  },
  (t) => [check('sync_state_only_check', sql`${t.isOnly}`)],
)

/** The counter of each scope. It is stepped once per transaction, when it commits. */
export const syncScopes = pgTable(
  'sync_scopes',
  {
    kind: scopeKind().notNull(),
    id: integer().notNull(),
    seq: counter().notNull().default(0),
    /** Notes of deletions up to this number may be missing. */
    floor: counter().notNull().default(0),
    /** The transaction that stepped it last; null after a restore. */
    xid: transactionId(),
    /** The timeline of the database server on which it was stepped last. */
    timeline: integer()
      .notNull()
      .default(sql`public.sync_timeline()`),
    /** Where it stood before its last step, if that was its first on that timeline; only the triggers read it. */
    beforeSwitch: counter(),
    /** Whether push planning has not looked at the scope since it was stepped. */
    isNewToPush: boolean().notNull().default(true),
  },
  (t) => [
    primaryKey({ name: 'sync_scopes_pkey', columns: [t.kind, t.id] }),
    index('sync_scopes_xid_idx')
      .on(t.xid)
      .where(sql`${t.xid} is not null`),
    index('sync_scopes_new_to_push_idx')
      .on(t.kind, t.id)
      .where(sql`${t.isNewToPush}`),
    oneOf('sync_scopes_kind_check', t.kind, SCOPE_KINDS),
    check('sync_scopes_floor_check', sql`${t.floor} between 0 and ${t.seq}`),
  ],
)

/**
 * Where a scope stood when a timeline of the database server began for it (contract: changes.timelines). Numbers beyond that are
 * others on earlier timelines.
 */
export const syncSwitches = pgTable(
  'sync_switches',
  {
    kind: scopeKind().notNull(),
    id: integer().notNull(),
    timeline: integer().notNull(),
    seq: counter().notNull(),
    at: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'sync_switches_pkey', columns: [t.kind, t.id, t.timeline] }),
    index('sync_switches_at_idx').on(t.at),
  ],
)

/**
 * Which items of a scope to look at again, each once, at its last number (contract: changes.journal). Triggers write it, by way
 * of the unlogged tables `sync_pending` and `sync_marks`, which only they use (`drizzle/0025_journal.sql`).
 */
export const syncChanges = pgTable(
  'sync_changes',
  {
    scopeKind: scopeKind().notNull(),
    scopeId: integer().notNull(),
    type: text().notNull(),
    item: integer().notNull(),
    seq: counter().notNull(),
    /** Whether it left the scope. */
    gone: boolean().notNull(),
    at: instant().notNull().defaultNow(),
  },
  (t) => [
    primaryKey({ name: 'sync_changes_pkey', columns: [t.scopeKind, t.scopeId, t.type, t.item] }),
    uniqueIndex('sync_changes_seq_key').on(t.scopeKind, t.scopeId, t.seq),
    index('sync_changes_gone_idx')
      .on(t.at)
      .where(sql`${t.gone}`),
    // Ends of scopes, and deletions that take along what is in them: few among all deletions.
    index('sync_changes_ended_idx')
      .on(t.type, t.at)
      .where(
        sql`${t.gone} and ${t.type} in ('scope', 'calendar', 'address_book', 'todo_list', 'project', 'task')`,
      ),
  ],
)
