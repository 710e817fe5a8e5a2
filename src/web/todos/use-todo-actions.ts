import { useCallback, useMemo } from 'react'
import type { TodoChanges, TodoView } from '../../features/tasks/todos/model'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useSignedIn } from '../session/use-session'
import { useWholeOrder } from '../store/use-whole-order'
import { useWriting } from '../store/use-writing'
import { dayTitle } from '../time/format'
import { today } from '../time/now'
import { useZone } from '../time/use-zone'
import {
  changingTodo,
  deletingTodo,
  movedOrder,
  ordering,
  readOrder,
  type TodoMove,
  toggling,
} from './intents'
import { backOn } from './views'

const messages = defineMessages({
  en: {
    done: (title: string) => `Marked ${title} as done`,
    doneUntil: (title: string, day: string) => `Marked ${title} as done. It is back on ${day}.`,
    open: (title: string) => `Marked ${title} as open`,
    deleted: (title: string) => `Deleted ${title}`,
    moved: (title: string) => `Moved ${title}`,
    movedTo: (title: string, list: string) => `Moved ${title} to ${list}`,
    changed: (title: string) => `Changed ${title}`,
  },
  de: {
    done: (title) => `${title} ist erledigt`,
    doneUntil: (title, day) => `${title} ist erledigt und kommt am ${day} wieder.`,
    open: (title) => `${title} ist wieder offen`,
    deleted: (title) => `${title} ist gelöscht`,
    moved: (title) => `${title} ist verschoben`,
    movedTo: (title, list) => `${title} ist jetzt in „${list}“`,
    changed: (title) => `${title} ist geändert`,
  },
})

/** What one can do with a todo; the functions stay the same, as thousands of lines have them. */
export function useTodoActions() {
  const m = useMessages(messages)
  const write = useWriting()
  const toggle = useToggling()
  const move = useMoving()
  return useMemo(
    () => ({
      toggle,
      move,
      remove: (todo: TodoView) => write(deletingTodo(todo, m.deleted(todo.title))),
      moveToList: (todo: TodoView, list: { readonly id: number; readonly name: string }) =>
        write(changingTodo(todo, { list_id: list.id }, m.movedTo(todo.title, list.name))),
      change: (opened: TodoView, fields: TodoChanges) =>
        write(changingTodo(opened, fields, m.changed(fields.title ?? opened.title))),
    }),
    [m, write, toggle, move],
  )
}

/** Completing one that repeats says when it is back. */
function useToggling(): (todo: TodoView) => void {
  const m = useMessages(messages)
  const write = useWriting()
  const locale = useLocale()
  const zone = useZone()
  const { first_day_of_week: firstDay } = useSignedIn().settings
  return useCallback(
    (todo) => {
      const day = todo.completed ? undefined : backOn(todo, today(zone), firstDay)
      const done = day ? m.doneUntil(todo.title, dayTitle(day, locale)) : m.done(todo.title)
      write(
        toggling(todo, day?.toZonedDateTime(zone).toInstant(), todo.completed ? m.open(todo.title) : done),
      )
    },
    [m, write, locale, zone, firstDay],
  )
}

type WhereTo = Omit<TodoMove, 'said'>

/** Puts a todo between two others of all of them. */
function useMoving(): (ordered: readonly TodoView[], where: WhereTo) => void {
  const m = useMessages(messages)
  const put = useWholeOrder()
  return useCallback(
    (ordered, where) => {
      const move: TodoMove = { ...where, said: m.moved(where.todo.title) }
      put({
        ids: ordered.map(({ id }) => id),
        intent: (ids) => {
          const moved = movedOrder(ids, move)
          return moved && ordering(move, moved, ordered)
        },
        read: readOrder,
      })
    },
    [m, put],
  )
}
