import { useMemo, useState } from 'react'
import { useSearch } from 'wouter'
import { addressWith, PATTERNS } from '../app/addresses'
import { DetailLayout } from '../app/DetailLayout'
import { Gone } from '../app/Gone'
import { PLACES } from '../app/places'
import { useAddressed } from '../app/use-addressed'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { PageHeading } from '../parts/PageHeading'
import { AddTodo } from './AddTodo'
import { useTodoLists, useTodos } from './data'
import { todoTexts } from './texts'
import { TodoDetail } from './TodoDetail'
import { TodoFilters } from './TodoFilters'
import { ListsDialog } from './ListsDialog'
import { TodoList } from './TodoList'
import { useGiven } from './use-given'
import { readFilter } from './views'

const TODOS = PLACES[2]

const messages = defineMessages({
  en: { lists: 'Lists', detail: 'Todo' },
  de: { lists: 'Listen', detail: 'Aufgabe' },
})

/** All todos, by view, list and category, and the one that is opened beside them (contract: web.todos). */
export function TodosPage() {
  const m = useMessages(messages)
  const search = useSearch()
  const filter = useMemo(() => readFilter(search), [search])
  const { todos, loading } = useTodos()
  const { id, key } = useAddressed('todo')
  const opened = todos.find((todo) => todo.id === id)
  if (id !== undefined && !opened && loading.is === 'loaded') return <Gone place={TODOS} />
  return (
    <DetailLayout
      label={m.detail}
      listAddress={addressWith(PATTERNS.todos, search)}
      detail={
        id !== undefined && (
          <TodoDetail
            key={key}
            todo={opened}
            loading={loading}
            listAddress={addressWith(PATTERNS.todos, search)}
          />
        )
      }
    >
      <div className="todos">
        <Head />
        <TodoBody search={search} filter={filter} openedId={id} />
      </div>
    </DetailLayout>
  )
}

function Head() {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const [isOpen, setOpen] = useState(false)
  return (
    <header className="todos-head">
      <PageHeading>{texts.todos}</PageHeading>
      <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
        {m.lists}
      </Button>
      {isOpen && <ListsDialog onClose={() => setOpen(false)} />}
    </header>
  )
}

interface TodoBodyProps {
  readonly search: string
  readonly filter: ReturnType<typeof readFilter>
  readonly openedId: number | undefined
}

function TodoBody({ search, filter, openedId }: TodoBodyProps) {
  const { todos } = useTodos()
  const { lists } = useTodoLists()
  const given = useGiven(filter, todos)
  return (
    <>
      <TodoFilters filter={filter} todos={todos} lists={lists} />
      <AddTodo given={given} />
      <TodoList key={search} search={search} filter={filter} openedId={openedId} />
    </>
  )
}
