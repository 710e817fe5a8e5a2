import { useRef } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import type { GivenTodo } from '../quick-add/intents'
import { QuickPreview } from '../quick-add/QuickAdd'
import { useQuickAdd } from '../quick-add/use-quick-add'

const messages = defineMessages({
  en: {
    label: 'Add a todo',
    placeholder: 'Water the plants every Monday',
    add: 'Add todo',
    empty: 'Type what there is to do.',
  },
  de: {
    label: 'Aufgabe hinzufügen',
    placeholder: 'Pflanzen gießen jeden Montag',
    add: 'Hinzufügen',
    empty: 'Bitte eingeben, was zu tun ist.',
  },
})

/** One line that becomes a todo; days, times and repetitions in it are understood as everywhere (contract: web.quick-add). */
export function AddTodo({ given }: { readonly given: GivenTodo }) {
  const m = useMessages(messages)
  const input = useRef<HTMLInputElement>(null)
  const quick = useQuickAdd({ where: 'todos', kind: 'todo', given }, () => input.current?.focus())
  const isTyped = quick.line.trim() !== ''
  return (
    <form
      className="quick-add todo-add"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        quick.send()
      }}
    >
      <div className="todo-add-line">
        <Field
          ref={input}
          label={m.label}
          placeholder={m.placeholder}
          problem={quick.isEmpty ? m.empty : undefined}
          value={quick.line}
          maxLength={500}
          autoComplete="off"
          enterKeyHint="done"
          onChange={(event) => quick.type(event.target.value)}
        />
        <Button type="submit" kind={isTyped ? 'primary' : 'secondary'}>
          {m.add}
        </Button>
      </div>
      <QuickPreview quick={quick} input={input} isTyped={isTyped} />
    </form>
  )
}
