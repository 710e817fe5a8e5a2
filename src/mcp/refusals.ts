import { AppError } from '../lib/errors'
import { isDatabaseTrouble } from '../lib/database-failure'
import type { ToolAnswer } from '../lib/ports/assistants'
import { beginningOf } from './items/item'

export const isNotFound = (error: unknown): boolean => error instanceof AppError && error.kind === 'not_found'

/** For records that may be gone. @throws what is no 404. */
export function unlessGone(error: unknown): undefined {
  if (!isNotFound(error)) throw error
}

/** What an assistant is told of a refusal: never a text that somebody else wrote, so records in the way have no titles. */
export interface RefusalView {
  readonly detail: string
  readonly code?: string
  readonly errors?: AppError['problems']
  readonly items?: ReadonlyArray<{ readonly type: string; readonly id: number }>
}

/** Whether the failure is the service's own, of which an assistant is told nothing more. */
export const isFailure = (error: unknown): boolean =>
  !(error instanceof AppError) || error.kind === 'internal'

/** The most problems of fields that a refusal names, and the longest detail, which names them, too. */
const [MOST_PROBLEMS, LONGEST_DETAIL] = [8, 300]

export function viewOf(error: unknown): RefusalView {
  if (isDatabaseTrouble(error)) return { detail: 'Service temporarily unavailable' }
  if (!(error instanceof AppError)) return { detail: 'Internal server error' }
  const { message, code, problems, items } = error
  return {
    detail: beginningOf(message, LONGEST_DETAIL),
    ...(code !== undefined && { code }),
    ...(problems !== undefined && { errors: problems.slice(0, MOST_PROBLEMS) }),
    ...(items !== undefined && { items: items.map(({ type, id }) => ({ type, id })) }),
  }
}

/** A refused call. */
export function refused(view: RefusalView, more: Readonly<Record<string, unknown>> = {}): ToolAnswer {
  const items = view.items?.map(({ type, id }) => `${type} ${id}`).join(', ')
  const text = items === undefined ? view.detail : `${view.detail}: ${items}`
  return { kind: 'result', isError: true, text, structured: { ...view, ...more } }
}
