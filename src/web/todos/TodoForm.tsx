import { type RefObject, useEffect, useId, useRef } from 'react'
import type { TodoView } from '../../features/tasks/todos/model'
import { DateField } from '../events/DateField'
import { shownTime } from '../events/draft'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import { ProblemNote } from '../parts/ProblemNote'
import { Select } from '../parts/Select'
import { SuggestField } from '../parts/SuggestField'
import { TextArea } from '../parts/TextArea'
import { parseTime } from '../time/parse'
import { useTodoLists, useTodos } from './data'
import { todoTexts } from './texts'
import { type TodoEditorState, useTodoEditor } from './use-todo-editor'
import { categoriesOf } from './views'
import { type ShownProblems, useFieldProblems } from '../parts/use-field-problems'

const messages = defineMessages({
  en: {
    unreadDate: 'This is not a date. Type it like 24 Nov or 2026-11-24.',
    unreadTime: 'This is not a time. Type it like 14:30.',
    dayless: 'A time needs a date as well.',
    elsewhere: 'Another program repeats it. Its time and repetition change there.',
    discard: 'Discard changes',
  },
  de: {
    unreadDate: 'Das ist kein Datum. Möglich ist zum Beispiel 24.11. oder 2026-11-24.',
    unreadTime: 'Das ist keine Uhrzeit. Möglich ist zum Beispiel 14:30.',
    dayless: 'Zu einer Uhrzeit gehört auch ein Tag.',
    elsewhere: 'Ein anderes Programm wiederholt sie. Zeit und Wiederholung ändern sich dort.',
    discard: 'Änderungen verwerfen',
  },
})

/** The fields of a todo, with a button that saves them together. */
export function TodoForm({ todo }: { readonly todo: TodoView }) {
  const texts = useMessages(todoTexts)
  const editor = useTodoEditor(todo)
  const ref = useRef<HTMLFormElement>(null)
  const { attempt, refusal, save } = editor
  const problems = useProblems(editor)
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempt, refusal])
  return (
    <form
      ref={ref}
      className="event-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
      }}
    >
      <Refused editor={editor} />
      <Field
        label={texts.title}
        name="title"
        autoComplete="off"
        maxLength={200}
        value={editor.draft.title}
        problem={problems['title']}
        onChange={({ target }) => editor.change({ title: target.value })}
      />
      <DueFields editor={editor} problems={problems} isElsewhere={todo.recurrence_unsupported} />
      <Choices editor={editor} isElsewhere={todo.recurrence_unsupported} />
      <CategoryField editor={editor} problem={problems['category']} />
      <TextArea
        label={texts.description}
        name="description"
        maxLength={10_000}
        value={editor.draft.description}
        problem={problems['description']}
        onChange={({ target }) => editor.change({ description: target.value })}
      />
      <Foot form={ref} editor={editor} />
    </form>
  )
}

interface TodoFootProps {
  readonly form: RefObject<HTMLFormElement | null>
  readonly editor: TodoEditorState
}

function Foot({ form, editor }: TodoFootProps) {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const discard = () => {
    editor.discard()
    // The button goes with the changes: the focus stays in the form.
    form.current?.querySelector('input')?.focus()
  }
  return (
    <div className="todo-form-foot">
      {editor.isTyped && <Button onClick={discard}>{m.discard}</Button>}
      <Button kind="primary" type="submit">
        {texts.save}
      </Button>
    </div>
  )
}

/** Where the fields of a request stand in the form. */
const PLACES: Readonly<Record<string, string>> = { due_date: 'dueDate', due_time: 'dueTime' }

function useProblems({ problems, refusal }: TodoEditorState): ShownProblems {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const own = Object.entries(problems).map(([name, problem]) => {
    const unread = name === 'dueTime' ? m.unreadTime : m.unreadDate
    return [name, { missing: texts.missing, dayless: m.dayless, unread }[problem]] as const
  })
  return useFieldProblems(refusal, own, PLACES)
}

function Refused({ editor: { refusal } }: { readonly editor: TodoEditorState }) {
  const { sentence } = useRefusals()
  if (!refusal || refusal.errors.length > 0) return null
  return <ProblemNote refusal={refusal} sentence={sentence(refusal)} />
}

const QUARTERS = Array.from({ length: 96 }, (_, quarter) => {
  const time = shownTime(new Temporal.PlainTime(Math.floor(quarter / 4), (quarter % 4) * 15))
  return { value: time, label: time }
})

interface DueFieldsProps {
  readonly editor: TodoEditorState
  readonly problems: ShownProblems
  readonly isElsewhere: boolean
}

function DueFields({ editor, problems, isElsewhere }: DueFieldsProps) {
  const texts = useMessages(todoTexts)
  const { draft, change } = editor
  const time = parseTime(draft.dueTime)
  return (
    <div className="event-form-times">
      <DateField
        label={texts.dueDate}
        name="dueDate"
        disabled={isElsewhere}
        value={draft.dueDate}
        problem={problems['dueDate']}
        onChange={(dueDate) => change({ dueDate })}
      />
      {!isElsewhere && (
        <SuggestField
          label={texts.dueTime}
          name="dueTime"
          options={QUARTERS}
          nearest={time && shownTime(time)}
          value={draft.dueTime}
          problem={problems['dueTime']}
          onChange={(dueTime) => change({ dueTime })}
          onBlur={() => time && shownTime(time) !== draft.dueTime && change({ dueTime: shownTime(time) })}
        />
      )}
    </div>
  )
}

function Choices({ editor, isElsewhere }: Pick<DueFieldsProps, 'editor' | 'isElsewhere'>) {
  const m = useMessages(messages)
  const texts = useMessages(todoTexts)
  const { lists } = useTodoLists()
  const { draft, change } = editor
  return (
    <>
      <div className="todo-pair">
        <Select
          label={texts.priority}
          options={(['none', 'low', 'medium', 'high'] as const).map((value) => ({
            value,
            label: texts[value],
          }))}
          value={draft.priority}
          onChange={(priority) => change({ priority })}
        />
        <Select
          label={texts.repeat}
          disabled={isElsewhere}
          hint={isElsewhere ? m.elsewhere : undefined}
          options={[
            { value: '', label: texts.never },
            ...(['daily', 'weekly', 'monthly'] as const).map((value) => ({ value, label: texts[value] })),
          ]}
          value={draft.recurrence}
          onChange={(recurrence) => change({ recurrence })}
        />
      </div>
      <Select
        label={texts.list}
        options={lists.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={String(draft.listId)}
        onChange={(value) => change({ listId: Number(value) })}
      />
    </>
  )
}

function CategoryField({
  editor,
  problem,
}: {
  readonly editor: TodoEditorState
  readonly problem: string | undefined
}) {
  const texts = useMessages(todoTexts)
  const { todos } = useTodos()
  const id = useId()
  return (
    <>
      <Field
        label={texts.category}
        name="category"
        list={id}
        autoComplete="off"
        maxLength={50}
        value={editor.draft.category}
        problem={problem}
        onChange={({ target }) => editor.change({ category: target.value })}
      />
      <datalist id={id}>
        {categoriesOf(todos).map((category) => (
          <option key={category} value={category} />
        ))}
      </datalist>
    </>
  )
}
