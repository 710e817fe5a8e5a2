import { useLocation } from 'wouter'
import type { TodoView } from '../../features/tasks/todos/model'
import { pathOf } from '../api/call'
import { DetailHeading } from '../app/DetailLayout'
import { History } from '../history/History'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Checkbox } from '../parts/Checkbox'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { isLocal } from '../store/commands'
import type { Loading } from '../store/loader'
import { useStore } from '../store/use-store'
import { dayTitle } from '../time/format'
import { useLocale } from '../messages/language'
import { useZone } from '../time/use-zone'
import { todoTexts } from './texts'
import { TodoForm } from './TodoForm'
import { useTodoActions } from './use-todo-actions'

const messages = defineMessages({
  en: {
    todo: 'Todo',
    done: 'Done',
    back: (day: string) => `It is back on ${day}.`,
    unread: 'The todo could not be read.',
  },
  de: {
    todo: 'Aufgabe',
    done: 'Erledigt',
    back: (day) => `Sie kommt am ${day} wieder.`,
    unread: 'Die Aufgabe konnte nicht gelesen werden.',
  },
})

const FIELDS = [
  'title',
  'completed',
  'due_date',
  'due_time',
  'priority',
  'recurrence',
  'list_id',
  'category',
  'description',
]

interface TodoDetailProps {
  readonly todo: TodoView | undefined
  readonly loading: Loading
  readonly listAddress: string
}

/** All of a todo, beside the list. */
export function TodoDetail({ todo, loading, listAddress }: TodoDetailProps) {
  const m = useMessages(messages)
  const { loader } = useStore()
  if (todo) return <Detail todo={todo} listAddress={listAddress} />
  return (
    <>
      <DetailHeading>{m.todo}</DetailHeading>
      {loading.is === 'refused' ? (
        <ProblemNote refusal={loading.refusal} sentence={m.unread} onTryAgain={() => loader.retry()} />
      ) : (
        <Skeleton lines={6} />
      )}
    </>
  )
}

function Detail({ todo, listAddress }: { readonly todo: TodoView; readonly listAddress: string }) {
  const texts = useMessages(todoTexts)
  const [, navigate] = useLocation()
  const { remove } = useTodoActions()
  const deleteIt = () => {
    navigate(listAddress, { replace: true })
    remove(todo)
  }
  return (
    <>
      <DetailHeading>{todo.title}</DetailHeading>
      <Completion todo={todo} />
      <TodoForm todo={todo} />
      <div className="todo-detail-foot">
        <Button kind="quiet" onClick={deleteIt}>
          {texts.delete}
        </Button>
        {!isLocal(todo.id) && (
          <History
            record={{ kind: 'todo', id: todo.id }}
            path={pathOf`todos/${todo.id}`}
            title={todo.title}
            fields={FIELDS}
          />
        )}
      </div>
    </>
  )
}

/** Holds at once, unlike the fields. */
function Completion({ todo }: { readonly todo: TodoView }) {
  const m = useMessages(messages)
  const locale = useLocale()
  const zone = useZone()
  const { toggle } = useTodoActions()
  const { completed, reset_at: reset } = todo
  const back =
    completed && reset !== null
      ? m.back(dayTitle(Temporal.Instant.from(reset).toZonedDateTimeISO(zone).toPlainDate(), locale))
      : undefined
  return <Checkbox label={m.done} hint={back} checked={completed} onChange={() => toggle(todo)} />
}
