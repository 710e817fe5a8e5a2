import type { Collection } from '../collections/rules'

/** A list of todos, or the reminders, of a user. */
export interface SeenTodos {
  readonly kind: 'list' | 'reminders'
  readonly id: number
}

export const seenOf = ({ kind, id }: Collection): SeenTodos => ({
  kind: kind === 'reminders' ? kind : 'list',
  id,
})
