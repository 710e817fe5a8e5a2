import { sql } from 'drizzle-orm'

/** As the `listId` of todos that a test writes into the table: a trigger puts them into the default list of their user. */
export const IN_DEFAULT_LIST = sql<number>`null`
