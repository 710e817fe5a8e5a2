import { notFound } from '../errors'

/** Ids are PostgreSQL integers. */
export const MAX_ID = 2_147_483_647

export const isId = (id: unknown): id is number =>
  Number.isInteger(id) && Number(id) >= 1 && Number(id) <= MAX_ID

/** Reads the id in a path. @throws {AppError} 404 `<Resource> not found` for anything else. */
export function readId(segment: string, resource: string): number {
  const id = /^[1-9]\d{0,9}$/.test(segment) ? Number(segment) : Number.POSITIVE_INFINITY
  if (id > MAX_ID) throw notFound(resource)
  return id
}

/** The numeric id of a record; null for what has none. */
export function idIn(record: unknown): number | null {
  const id: unknown = typeof record === 'object' && record !== null ? Reflect.get(record, 'id') : undefined
  return typeof id === 'number' ? id : null
}
