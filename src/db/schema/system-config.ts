import { sql } from 'drizzle-orm'
import { boolean, check, integer, pgTable } from 'drizzle-orm/pg-core'
import { instant } from './columns'

/** The system configuration (contract: administration.config): one row, with id 1. */
export const systemConfig = pgTable(
  'system_config',
  {
    id: integer().primaryKey().default(1),
    allowRegistration: boolean().notNull().default(false),
    enforceMfaNewUsers: boolean().notNull().default(false),
    allowPasswordless: boolean().notNull().default(false),
    updatedAt: instant().notNull(),
  },
  (t) => [check('system_config_single_row_check', sql`${t.id} = 1`)],
)
