import { useMemo } from 'react'
import type { TodoView } from '../../features/tasks/todos/model'
import type { GivenTodo } from '../quick-add/intents'
import { rankBetween } from '../store/ranks'
import { useToday } from '../time/use-now'
import type { TodoFilter } from './views'

/** What a new todo has by the page on which it is added, so that it shows there: above all others. */
export function useGiven({ view, listId, category }: TodoFilter, ordered: readonly TodoView[]): GivenTodo {
  const today = useToday().toString()
  const first = ordered[0]?.rank
  return useMemo(() => {
    const due = { today, upcoming: dayAfter(today), all: undefined, done: undefined }[view]
    return {
      position: 1,
      rank: rankBetween(undefined, first),
      ...(listId !== undefined && { list_id: listId }),
      ...(category !== undefined && { category }),
      ...(due !== undefined && { due_date: due }),
    }
  }, [view, listId, category, first, today])
}

const dayAfter = (day: string) => Temporal.PlainDate.from(day).add({ days: 1 }).toString()
