import { type FormEvent, useCallback, useState, useSyncExternalStore } from 'react'
import { createRoot } from 'react-dom/client'
import type { TodoView } from '../../../src/features/tasks/todos/model'
import { LanguageProvider } from '../../../src/web/messages/language'
import { refreshSession } from '../../../src/web/session/session'
import { useSession } from '../../../src/web/session/use-session'
import { change, creation, deletion, localId } from '../../../src/web/store/commands'
import { ConflictDialog } from '../../../src/web/store/ConflictDialog'
import { useDraft } from '../../../src/web/store/drafts'
import { followed, followSession } from '../../../src/web/store/lifecycle'
import { textOfNotice } from '../../../src/web/store/notices'
import type { Notice } from '../../../src/web/store/notes'
import * as store from '../../../src/web/store/use-store'

/** A bare page over the store, for tests alone: a list of todos with buttons, and the events of March 2026. */
function Page() {
  const following = useSyncExternalStore(followed.subscribe, followed.read)
  const session = useSession()
  return (
    <main>
      <p role="status" aria-label="Session">
        {session.is}
      </p>
      <button onClick={() => void refreshSession()}>Ask who I am</button>
      {following && session.is === 'signed-in' && <Todos />}
    </main>
  )
}

function Todos() {
  const { items, loading } = store.useRecords('todo')
  const live = store.useLive()
  const waiting = store.useWaitingCount()
  const [hasCopy, setCopy] = store.useDeviceCopy()
  const kept = store.useStore()
  const [notice, setNotice] = useState('')
  const [draft, setDraft] = useDraft<{ title: string }>('todo')
  store.useNotices(
    useCallback((each: Notice) => {
      setNotice(textOfNotice(each, 'en'))
    }, []),
  )
  const add = (event: FormEvent) => {
    event.preventDefault()
    const title = draft?.title ?? ''
    kept.run(creation({ kind: 'todo', item: newTodo(title) }, 'todos', { title }, { said: `Added ${title}` }))
    setDraft(undefined)
  }
  return (
    <>
      <p role="status" aria-label="Connection">{`${live?.is} ${live?.asOf ? 'confirmed' : ''}`}</p>
      <p role="status" aria-label="Loading">
        {loading.is}
      </p>
      <output aria-label="Waiting">{waiting}</output>
      <output aria-label="Notice">{notice}</output>
      <label>
        <input type="checkbox" checked={hasCopy} onChange={(event) => void setCopy(event.target.checked)} />
        Keep a copy on this device
      </label>
      <form onSubmit={add}>
        <input
          aria-label="Add a todo"
          value={draft?.title ?? ''}
          onChange={(event) => setDraft({ title: event.target.value })}
        />
      </form>
      <button onClick={() => kept.undo()}>Undo</button>
      <ul aria-label="Todos">
        {items.map((todo) => (
          <Todo key={kept.ids.local({ kind: 'todo', id: todo.id })} todo={todo} />
        ))}
      </ul>
      <March />
      <ConflictDialog />
    </>
  )
}

function Todo({ todo }: { readonly todo: TodoView }) {
  const kept = store.useStore()
  const isWaiting = store.useIsWaiting({ kind: 'todo', id: todo.id })
  const [title, setTitle] = useState(todo.title)
  const [opened] = useState(todo)
  const name = { kind: 'todo', id: todo.id } as const
  const path = `todos/${todo.id}`
  return (
    <li data-waiting={isWaiting || undefined}>
      <span>{todo.title}</span>
      <input
        aria-label={`Title of ${todo.title}`}
        value={title}
        onChange={(event) => setTitle(event.target.value)}
      />
      <button
        onClick={() =>
          kept.run(
            change(
              name,
              path,
              { title },
              { said: 'Renamed', opened: { ...opened, ...(todo.version === opened.version && todo) } },
            ),
          )
        }
      >
        Rename
      </button>
      <button onClick={() => kept.run(deletion(name, path, { said: `Deleted ${todo.title}` }))}>
        Delete
      </button>
    </li>
  )
}

const MARCH = [Temporal.PlainDate.from('2026-03-01'), Temporal.PlainDate.from('2026-04-01')] as const

function March() {
  const { items, isPartial } = store.useOccurrences(...MARCH)
  return (
    <ul aria-label="Events" aria-busy={isPartial}>
      {items.map((event) => (
        <li key={`${event.id} ${event.occurrence_start}`}>{event.title}</li>
      ))}
    </ul>
  )
}

const newTodo = (title: string): TodoView => ({
  id: localId(),
  list_id: 0,
  title,
  description: null,
  priority: 'none',
  due_date: null,
  due_time: null,
  category: null,
  completed: false,
  completed_at: null,
  recurrence: null,
  reset_at: null,
  recurrence_unsupported: false,
  next_due_date: null,
  position: 1,
  rank: '0',
  version: 0,
  created_at: '2026-03-04T09:30:00Z',
  updated_at: '2026-03-04T09:30:00Z',
})

followSession()
void refreshSession()
const place = document.getElementById('app')
if (place)
  createRoot(place).render(
    <LanguageProvider>
      <Page />
    </LanguageProvider>,
  )
