import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import type { SubtaskView } from '../../features/tasks/tasks/model'
import { DateField } from '../events/DateField'
import { Field } from '../parts/Field'
import { TextArea } from '../parts/TextArea'
import { useDraft } from '../store/drafts'

interface SavedFieldProps {
  readonly label: string
  readonly hint?: string
  readonly task: SubtaskView
  /** Which text of the task it is, also the name of its draft. */
  readonly name: 'title' | 'description' | 'due_date'
  readonly value: string
  readonly maxLength: number
  readonly isLong?: boolean
  readonly isDay?: boolean
  /** Takes what was typed, or says what is wrong with it. `opened` is the task as it was when somebody began to type. */
  readonly onSave: (text: string, opened: SubtaskView) => string | undefined
}

interface TypedText {
  readonly text: string
  readonly opened: SubtaskView
}

/** A text that is saved when one leaves it or presses Enter; Escape takes back what was typed. */
export function SavedField({
  label,
  hint,
  task,
  name,
  value,
  maxLength,
  isLong = false,
  isDay = false,
  onSave,
}: SavedFieldProps) {
  const [draft, setDraft] = useDraft<TypedText>(`task ${task.id} ${name}`)
  const [problem, setProblem] = useState<string>()
  const forget = () => {
    setDraft(undefined)
    setProblem(undefined)
  }
  const type = (text: string) => setDraft({ text, opened: draft?.opened ?? task })
  const saveText = ({ text, opened }: TypedText) => {
    const found = text === value ? undefined : onSave(text, opened)
    if (found === undefined) forget()
    else setProblem(found)
  }
  const save = () => draft && saveText(draft)
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === 'Enter' && !isLong) {
      // The same press must not answer the question that saving may ask.
      event.preventDefault()
      save()
    }
    if (event.key !== 'Escape' || !draft) return
    event.preventDefault()
    event.stopPropagation()
    forget()
  }
  const shared = {
    label,
    problem,
    maxLength,
    value: draft?.text ?? value,
    onBlur: save,
    onKeyDown,
    ...(hint !== undefined && { hint }),
  }
  if (isDay)
    return (
      <DateField
        {...shared}
        onChange={type}
        onChoose={(text) => saveText({ text, opened: draft?.opened ?? task })}
      />
    )
  const typed = {
    ...shared,
    autoComplete: 'off',
    onChange: ({ target }: { readonly target: { readonly value: string } }) => type(target.value),
  }
  return isLong ? <TextArea {...typed} /> : <Field {...typed} />
}
