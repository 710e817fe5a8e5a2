import type { EventView } from '../../features/events/events/model'
import { nameOf, pathFor, type SeriesReach } from '../events/intents'
import type { Intent } from '../store/commands'
import type { DueItem } from './data'

/** New times of an occurrence, as the service takes them. */
export type NewTimes =
  | { readonly start_at: string; readonly end_at: string }
  | { readonly start_date: string; readonly end_date: string }

interface EventWrite {
  readonly event: EventView
  readonly scope: SeriesReach
  /** What is done, in the user's language. */
  readonly said: string
}

/** Gives an occurrence new times. Of a series only that occurrence shows them at once, the others after the answer. */
export const moving = ({ event, scope, said }: EventWrite, times: NewTimes): Intent => ({
  said,
  apply: [{ ...nameOf(event), is: 'patch', fields: times }],
  request: { method: 'PUT', path: pathFor(event, scope), body: times },
  guard: nameOf(event),
})

/** Marks a todo or a task as done, or as open again. */
export const toggling = ({ name, path, isDone }: DueItem, said: string): Intent =>
  name.kind === 'todo'
    ? {
        said,
        apply: [{ ...name, is: 'patch', fields: { completed: !isDone } }],
        request: { method: 'POST', path: `${path}/toggle` },
        guard: name,
      }
    : {
        said,
        apply: [{ ...name, is: 'patch', fields: { status: isDone ? 'pending' : 'completed' } }],
        request: { method: 'PUT', path, body: { status: isDone ? 'pending' : 'completed' } },
        guard: name,
      }
