import { useMemo } from 'react'
import { useLocation } from 'wouter'
import type { TodoListView } from '../../features/tasks/todo-lists/model'
import type { TodoView } from '../../features/tasks/todos/model'
import { addressWith, PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { RadioGroup } from '../parts/RadioGroup'
import { Select } from '../parts/Select'
import { todoTexts } from './texts'
import { categoriesOf, searchOf, TODO_VIEWS, type TodoFilter } from './views'

const messages = defineMessages({
  en: {
    view: 'View',
    today: 'Today',
    upcoming: 'Upcoming',
    all: 'All',
    done: 'Done',
    allLists: 'All lists',
    allCategories: 'All categories',
  },
  de: {
    view: 'Ansicht',
    today: 'Heute',
    upcoming: 'Demnächst',
    all: 'Alle',
    done: 'Erledigt',
    allLists: 'Alle Listen',
    allCategories: 'Alle Kategorien',
  },
})

interface TodoFiltersProps {
  readonly filter: TodoFilter
  readonly todos: readonly TodoView[]
  readonly lists: readonly TodoListView[]
}

/** Which todos show; each choice has an address. */
export function TodoFilters({ filter, todos, lists }: TodoFiltersProps) {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const [, navigate] = useLocation()
  const { view, category, listId } = filter
  const known = useMemo(() => categoriesOf(todos), [todos])
  const categories = category === undefined || known.includes(category) ? known : [category, ...known]
  const choose = (changes: Partial<TodoFilter>) =>
    navigate(addressWith(PATTERNS.todos, searchOf({ ...filter, ...changes })))
  return (
    <div className="todo-filters">
      <RadioGroup
        look="segmented"
        label={m.view}
        hidesLabel
        options={TODO_VIEWS.map((value) => ({ value, label: m[value] }))}
        value={view}
        onChange={(chosen) => choose({ view: chosen })}
      />
      {lists.length > 1 && (
        <Select
          label={texts.list}
          options={[
            { value: '', label: m.allLists },
            ...lists.map(({ id, name }) => ({ value: String(id), label: name })),
          ]}
          value={listId === undefined ? '' : String(listId)}
          onChange={(value) => choose({ listId: value === '' ? undefined : Number(value) })}
        />
      )}
      {categories.length > 0 && (
        <Select
          label={texts.category}
          options={[
            { value: '', label: m.allCategories },
            ...categories.map((value) => ({ value, label: value })),
          ]}
          value={category ?? ''}
          onChange={(value) => choose({ category: value === '' ? undefined : value })}
        />
      )}
    </div>
  )
}
