import { MAX_ID } from '../../../lib/wire/id'
import { isRank } from '../../../lib/ordering'
import { isInstantKey } from '../../../lib/wire/page'
import { isDay } from '../../../lib/time/time'

/** Highest priority first. */
export const PRIORITY_ORDER = ['high', 'medium', 'low', 'none'] as const

interface SortedTodo {
  readonly id: number
  readonly rank: string
  readonly dueDate: string | null
  readonly priority: (typeof PRIORITY_ORDER)[number]
  readonly createdAt: Date
}

interface Order {
  /** The sort value of a row, written so that the database can read it. */
  readonly valueOf: (row: SortedTodo) => string
  readonly isValue: (text: string) => boolean
}

/** Sorts after every day. */
const NO_DAY = 'infinity'

const ORDERS = {
  position: { valueOf: ({ rank }) => rank, isValue: isRank },
  due_date: {
    valueOf: ({ dueDate }) => dueDate ?? NO_DAY,
    isValue: (text) => text === NO_DAY || isDay(text),
  },
  priority: {
    valueOf: ({ priority }) => String(PRIORITY_ORDER.indexOf(priority) + 1),
    isValue: (text) => /^[1-4]$/.test(text),
  },
  created_at: {
    valueOf: ({ createdAt }) => createdAt.toISOString(),
    isValue: (text) => isInstantKey([text, 1]),
  },
} as const satisfies Record<string, Order>

export type Sort = keyof typeof ORDERS

/** A row's place in the list: the sort order, the row's sort value, and its id to break ties. */
export type TodoKey = readonly [sort: Sort, value: string, id: number]

export const keyOf =
  (sort: Sort) =>
  (row: SortedTodo): TodoKey => [sort, ORDERS[sort].valueOf(row), row.id]

/** Checks that a cursor belongs to the list sorted by `sort`. */
export const isKeyOf =
  (sort: Sort) =>
  (key: unknown): key is TodoKey =>
    Array.isArray(key) &&
    key.length === 3 &&
    key[0] === sort &&
    typeof key[1] === 'string' &&
    ORDERS[sort].isValue(key[1]) &&
    Number.isInteger(key[2]) &&
    key[2] >= 1 &&
    key[2] <= MAX_ID
