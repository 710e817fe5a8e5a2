import { type ChangeType, TYPES } from './rules.types'

/** Where a reader is in a scope of the journal: `u`, what they own, or `c`, a calendar. */
export interface KnownPlace {
  readonly kind: 'u' | 'c'
  readonly id: number
  /** The changes up to this number are known. */
  readonly position: number
  /** The last change that the run of pages tells; null between runs. */
  readonly target: number | null
  /** The reader knows nothing of the scope yet, and so need not hear of what was deleted in it. */
  readonly isFirst: boolean
}

/** What a reader knows (contract: changes.cursor). */
export interface Cursor {
  /** Names the journal, on the timeline of the places. */
  readonly journal: string
  readonly userId: number
  readonly types: readonly ChangeType[]
  readonly places: readonly KnownPlace[]
}

const VERSION = '1'
/** Stands for all types, also for those that later versions add. */
const ALL = '-'
/** The base of the numbers, which keeps the cursors of many calendars short. */
const BASE = 36

const short = (value: number) => value.toString(BASE)
const long = (text = '') => Number.parseInt(text, BASE)

/** Writes a cursor in characters that stand in a query as they are, without dots. */
export const writeCursor = ({ journal, userId, types, places }: Cursor): string =>
  [VERSION, journal, short(userId), writeTypes(types), places.map(writePlace).join('_')].join('*')

/** Reads what `writeCursor` has written; undefined for a cursor of another version. */
export function readCursor(text: string): Cursor | undefined {
  const [version, journal = '', userId, types = '', places = ''] = text.split('*')
  if (version !== VERSION) return undefined
  return { journal, userId: long(userId), types: readTypes(types), places: places.split('_').map(readPlace) }
}

const indexOf = (type: ChangeType) => short(TYPES.indexOf(type))

const writeTypes = (types: readonly ChangeType[]) =>
  types.length === TYPES.length ? ALL : types.map(indexOf).join('')

const readTypes = (text: string): readonly ChangeType[] =>
  text === ALL ? TYPES : TYPES.filter((type) => text.includes(indexOf(type)))

/** Ends a place; the numbers have small letters only. */
const FIRST = 'N'

function writePlace({ kind, id, position, target, isFirst }: KnownPlace): string {
  const numbers = target === null ? [id, position] : [id, position, target]
  return kind + numbers.map(short).join('-') + (isFirst ? FIRST : '')
}

function readPlace(text: string): KnownPlace {
  const isFirst = text.endsWith(FIRST)
  const [id, position, target] = text.slice(1, isFirst ? -1 : undefined).split('-')
  return {
    kind: text.startsWith('u') ? 'u' : 'c',
    id: long(id),
    position: long(position),
    target: target === undefined ? null : long(target),
    isFirst,
  }
}
