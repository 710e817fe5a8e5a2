import { useEffect, useId, useRef, useState } from 'react'
import { useLanguage, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import { Icon, type IconName } from '../parts/Icon'
import { RadioGroup } from '../parts/RadioGroup'
import type { Option } from '../parts/Select'
import { Status } from '../parts/Status'
import type { Meaning, QuickKind } from './grammar'
import { saidOf, whenInWords } from './said'
import { useQuickAdd } from './use-quick-add'

const messages = defineMessages({
  en: {
    label: 'What do you want to add?',
    placeholder: 'Lunch with Sam tomorrow 12:30',
    understood: 'Understood as',
    remove: (what: string, value: string) => `Remove ${what}: ${value}`,
    as: 'Add as',
    event: 'Event',
    todo: 'Todo',
    reminder: 'Reminder',
    addEvent: 'Add event',
    addTodo: 'Add todo',
    addReminder: 'Add reminder',
    empty: 'Type what you want to add.',
    examples: 'Examples',
    example1: 'Lunch with Sam tomorrow 12:30',
    example2: 'Water the plants every Monday',
    example3: 'Remind me to call the dentist on Friday at 9',
  },
  de: {
    label: 'Was soll hinzukommen?',
    placeholder: 'Mittagessen mit Sam morgen 12:30',
    understood: 'Verstanden als',
    remove: (what: string, value: string) => `${what} entfernen: ${value}`,
    as: 'Hinzufügen als',
    event: 'Termin',
    todo: 'Aufgabe',
    reminder: 'Erinnerung',
    addEvent: 'Termin hinzufügen',
    addTodo: 'Aufgabe hinzufügen',
    addReminder: 'Erinnerung hinzufügen',
    empty: 'Bitte eingeben, was hinzukommen soll.',
    examples: 'Beispiele',
    example1: 'Mittagessen mit Sam morgen 12:30',
    example2: 'Pflanzen gießen jeden Montag',
    example3: 'Erinnere mich an den Zahnarzt am Freitag um 9',
  },
})

/** Whether nothing but the page itself, or its heading, has the focus. */
const isFocusFree = () => document.activeElement?.matches('body, h1') ?? true

interface QuickAddProps {
  /** In a page it stays for the next line; in a dialog it ends with what it adds. */
  readonly where: 'page' | 'dialog'
  readonly onAdded?: () => void
  /** Shows lines to begin with, where there is nothing else to see. */
  readonly hasExamples?: boolean
  /** Takes the focus as soon as this holds, unless somebody is at something else. */
  readonly takesFocus?: boolean
  /** What the line is unless somebody chooses otherwise. */
  readonly kind?: QuickKind | undefined
}

/** One line that becomes an event, a todo or a reminder; what was understood shows before anything is saved (contract: web.quick-add). */
export function QuickAdd({ where, onAdded, hasExamples = false, takesFocus = false, kind }: QuickAddProps) {
  const m = useMessages(messages)
  const input = useRef<HTMLInputElement>(null)
  const quick = useQuickAdd({ where, kind }, () => {
    input.current?.focus()
    onAdded?.()
  })
  const isTyped = quick.line.trim() !== ''
  useEffect(() => {
    if (quick.isEmpty || (takesFocus && isFocusFree())) input.current?.focus()
  }, [takesFocus, quick.isEmpty])
  return (
    <form
      className={`quick-add quick-add-${where}`}
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        quick.send()
      }}
    >
      <Field
        ref={input}
        label={m.label}
        placeholder={m.placeholder}
        problem={quick.isEmpty ? m.empty : undefined}
        value={quick.line}
        maxLength={500}
        autoComplete="off"
        enterKeyHint="done"
        data-autofocus={where === 'dialog' || undefined}
        onChange={(event) => quick.type(event.target.value)}
      />
      <QuickPreview quick={quick} input={input} isTyped={isTyped} />
      {hasExamples && !isTyped && <Examples onChoose={quick.type} input={input} />}
      {(isTyped || where === 'dialog') && <Foot quick={quick} />}
    </form>
  )
}

/** What was understood, piece by piece and in words. */
export function QuickPreview({
  quick,
  input,
  isTyped,
}: InputRef & { readonly quick: Quick; readonly isTyped: boolean }) {
  const { language } = useLanguage()
  const text = isTyped ? whenInWords(quick.understood, quick.calendar?.name, language) : ''
  return (
    <>
      {isTyped && <Pieces quick={quick} input={input} />}
      {isTyped && <p className="quick-add-preview">{text}</p>}
      <Spoken text={text} />
    </>
  )
}

function Foot({ quick }: { readonly quick: Quick }) {
  const m = useMessages(messages)
  const { kind } = quick.understood
  return (
    <div className="quick-add-foot">
      <Kinds value={kind} onChange={quick.choose} />
      <Button type="submit" kind="primary" isBusy={quick.isWaiting}>
        {{ event: m.addEvent, todo: m.addTodo, reminder: m.addReminder }[kind]}
      </Button>
    </div>
  )
}

type Quick = ReturnType<typeof useQuickAdd>
interface InputRef {
  readonly input: { readonly current: HTMLInputElement | null }
}

const ICONS: Readonly<Record<Meaning['what'], IconName>> = {
  kind: 'tag',
  date: 'calendar',
  time: 'clock',
  duration: 'clock',
  days: 'calendar',
  place: 'place',
  repeat: 'repeat',
  calendar: 'tag',
}

function Pieces({ quick, input }: InputRef & { readonly quick: Quick }) {
  const m = useMessages(messages)
  const { language } = useLanguage()
  const { pieces, kind } = quick.understood
  if (pieces.length === 0) return null
  const said = pieces.map((piece) => ({
    key: piece.key,
    is: piece.meaning.what,
    ...saidOf(piece.meaning, { kind, calendar: quick.calendar?.name }, language),
  }))
  return (
    <ul className="quick-add-pieces" aria-label={m.understood}>
      {said.map(({ key, is, what, value }) => (
        <li key={key}>
          <button
            type="button"
            className="chip"
            aria-label={m.remove(what, value)}
            onClick={() => {
              quick.reject(key)
              input.current?.focus()
            }}
          >
            <Icon name={ICONS[is]} />
            <span>{value}</span>
            <Icon name="close" />
          </button>
        </li>
      ))}
    </ul>
  )
}

function Kinds({
  value,
  onChange,
}: {
  readonly value: QuickKind
  readonly onChange: (kind: QuickKind) => void
}) {
  const m = useMessages(messages)
  const options: ReadonlyArray<Option<QuickKind>> = [
    { value: 'event', label: m.event },
    { value: 'todo', label: m.todo },
    { value: 'reminder', label: m.reminder },
  ]
  return (
    <RadioGroup
      look="segmented"
      hidesLabel
      label={m.as}
      options={options}
      value={value}
      onChange={onChange}
    />
  )
}

function Examples({ onChoose, input }: InputRef & { readonly onChoose: (line: string) => void }) {
  const m = useMessages(messages)
  const id = useId()
  return (
    <div className="quick-add-examples">
      <span id={id}>{m.examples}</span>
      <ul aria-labelledby={id}>
        {[m.example1, m.example2, m.example3].map((example) => (
          <li key={example}>
            <button
              type="button"
              className="chip"
              onClick={() => {
                onChoose(example)
                input.current?.focus()
              }}
            >
              {example}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

const PAUSE_MS = 700

/** Reads the preview out when the typing pauses, not at every letter. */
function Spoken({ text }: { readonly text: string }) {
  const [said, say] = useState('')
  useEffect(() => {
    const timer = setTimeout(() => say(text), PAUSE_MS)
    return () => clearTimeout(timer)
  }, [text])
  return <Status>{said}</Status>
}
