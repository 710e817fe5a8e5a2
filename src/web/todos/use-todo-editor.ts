import { useState } from 'react'
import type { TodoView } from '../../features/tasks/todos/model'
import type { Refusal } from '../api/refusal'
import { useDateForms } from '../events/use-date-forms'
import { keepUntilDone, useDraft } from '../store/drafts'
import { draftOf, readTodoDraft, type TodoDraft, type TodoProblems } from './draft'
import { useTodoActions } from './use-todo-actions'

/** What was typed, with the todo as it was then: what others change meanwhile is merged against it. */
interface KeptTodo {
  readonly draft: TodoDraft
  readonly opened: TodoView
  /** Why the service did not take it. */
  readonly refusal?: Refusal
}

/** The state of the fields of a todo: as it is, until somebody types (contract: web.todos). */
export function useTodoEditor(todo: TodoView) {
  const forms = useDateForms()
  const key = `todo ${todo.id}`
  const [stored, store] = useDraft<KeptTodo>(key)
  const [problems, setProblems] = useState<TodoProblems>({})
  const [attempt, setAttempt] = useState(0)
  const { change: write } = useTodoActions()
  const kept: KeptTodo = stored ?? { draft: draftOf(todo, forms), opened: todo }
  const forget = () => {
    setProblems({})
    store(undefined)
  }
  const save = () => {
    const read = readTodoDraft(kept.draft, kept.opened, forms)
    if ('problems' in read) {
      setProblems(read.problems)
      return setAttempt((count) => count + 1)
    }
    forget()
    if (Object.keys(read.changes).length === 0) return undefined
    const sent = write(kept.opened, read.changes)
    return void keepUntilDone<KeptTodo>(key, kept, sent, (typed, refusal) => ({ ...typed, refusal }))
  }
  return {
    draft: kept.draft,
    refusal: kept.refusal,
    forms,
    problems,
    /** Counts refusals, so that the first wrong field takes the focus each time. */
    attempt,
    isTyped: stored !== undefined,
    change: (changes: Partial<TodoDraft>) => {
      setProblems({})
      store({ opened: kept.opened, draft: { ...kept.draft, ...changes } })
    },
    save,
    discard: forget,
  }
}
export type TodoEditorState = ReturnType<typeof useTodoEditor>
