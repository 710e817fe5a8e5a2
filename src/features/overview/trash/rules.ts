import { notFound } from '../../../lib/errors'

/** Entries have the numbers of the history, which outgrow other ids. */
const isEntry = (id: unknown): id is number => typeof id === 'number' && Number.isSafeInteger(id) && id > 0

export type TrashKey = readonly [id: number]

export const isTrashKey = (key: unknown): key is TrashKey =>
  Array.isArray(key) && key.length === 1 && isEntry(key[0])

export const trashItemMissing = () => notFound('Trash item')

/** Reads the id in a path. @throws {AppError} 404. */
export function readEntry(segment: string): number {
  const id = /^[1-9]\d{0,15}$/.test(segment) ? Number(segment) : undefined
  if (!isEntry(id)) throw trashItemMissing()
  return id
}
