import { invalid } from '../../../lib/errors'

/** A command that needs the record of one that failed. */
export class EarlierFailed extends Error {
  override name = 'EarlierFailed'
}

const METHODS = new Set(['GET', 'POST', 'PUT', 'DELETE'])

/** @throws {AppError} 422 for what is no request to this API. */
export function refuseOther(method: string, path: string, body: unknown): void {
  if (!METHODS.has(method)) {
    throw invalid([{ field: 'method', message: 'must be GET, POST, PUT or DELETE' }])
  }
  if (method === 'GET' && body !== undefined) throw invalid([{ field: 'body', message: 'is not for GET' }])
  if (!path.startsWith('/api/')) throw invalid([{ field: 'path', message: 'must begin with /api/' }])
}

/** What the commands so far have made, by their names: an id, or null where the command failed. */
export type Made = ReadonlyMap<string, number | null>

const REFERENCE = /\{ref:([\w.-]+)\}/g
const WHOLE_REFERENCE = /^\{ref:([\w.-]+)\}$/

/** @throws {EarlierFailed} when that command failed. @throws {AppError} 422 when no earlier command has the name. */
function idOf(name: string, made: Made, field: string): number {
  const id = made.get(name)
  if (id === undefined) throw invalid([{ field, message: 'refers to no earlier command' }])
  if (id === null) throw new EarlierFailed()
  return id
}

/** The path with ids in place of its references. @throws {EarlierFailed} @throws {AppError} 422. */
export const resolvePath = (path: string, made: Made): string =>
  path.replaceAll(REFERENCE, (_, name: string) => String(idOf(name, made, 'path')))

/** The value with ids in place of its references. Recursion is bounded by the depth of a body. */
export function resolveBody(value: unknown, made: Made): unknown {
  if (typeof value === 'string') {
    const [, name] = WHOLE_REFERENCE.exec(value) ?? []
    return name === undefined ? value : idOf(name, made, 'body')
  }
  if (Array.isArray(value)) return value.map((one) => resolveBody(one, made))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, resolveBody(one, made)]))
}
