import { isId } from '../../../lib/wire/id'
import { isInstant } from '../../../lib/wire/page'
import { isStorable } from '../../../lib/text'
import { isBirthday } from '../../../lib/time/time'

export type Sort = 'name' | 'birthday' | 'created_at'

/** Stands for an unknown birthday; it sorts after every day of the year. */
export const NO_BIRTHDAY = '~'

/** A row's place in the list: the sort order, the row's sort value, and its id to break ties. */
export type PersonKey = readonly [sort: Sort, value: string, id: number]

const IS_VALUE: Readonly<Record<Sort, (value: string) => boolean>> = {
  name: isStorable,
  birthday: (value) => value === NO_BIRTHDAY || isBirthday(`--${value}`),
  created_at: isInstant,
}

/** Checks that a cursor belongs to the list sorted by `sort`. */
export const isKeyOf =
  (sort: Sort) =>
  (key: unknown): key is PersonKey =>
    Array.isArray(key) &&
    key.length === 3 &&
    key[0] === sort &&
    typeof key[1] === 'string' &&
    IS_VALUE[sort](key[1]) &&
    isId(key[2])
