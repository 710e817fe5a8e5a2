import { useRef } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import { QuickPreview } from '../quick-add/QuickAdd'
import { useQuickAdd } from '../quick-add/use-quick-add'

const messages = defineMessages({
  en: {
    label: 'Add a reminder',
    placeholder: 'Call the dentist on Friday at 9',
    add: 'Add reminder',
    empty: 'Type what to be reminded of.',
  },
  de: {
    label: 'Erinnerung hinzufügen',
    placeholder: 'Zahnarzt anrufen am Freitag um 9',
    add: 'Hinzufügen',
    empty: 'Bitte eingeben, woran erinnert werden soll.',
  },
})

/** One line that becomes a reminder; days, times and repetitions in it are understood as everywhere (contract: web.quick-add). */
export function AddReminder() {
  const m = useMessages(messages)
  const input = useRef<HTMLInputElement>(null)
  const quick = useQuickAdd({ where: 'reminders', kind: 'reminder' }, () => input.current?.focus())
  const isTyped = quick.line.trim() !== ''
  return (
    <form
      className="quick-add"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        quick.send()
      }}
    >
      <div className="reminder-add">
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
