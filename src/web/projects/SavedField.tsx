import type { KeyboardEvent } from 'react'
import { useState } from 'react'
import type { SubtaskView } from '../../features/tasks/tasks/model'
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
  onSave,
}: SavedFieldProps) {
  const [draft, setDraft] = useDraft<TypedText>(`task ${task.id} ${name}`)
  const [problem, setProblem] = useState<string>()
  const forget = () => {
    setDraft(undefined)
    setProblem(undefined)
  }
  const save = () => {
    if (!draft) return
    const found = draft.text === value ? undefined : onSave(draft.text, draft.opened)
    if (found === undefined) forget()
    else setProblem(found)
  }
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
    autoComplete: 'off',
    onBlur: save,
    onKeyDown,
    onChange: ({ target }: { readonly target: { readonly value: string } }) =>
      setDraft({ text: target.value, opened: draft?.opened ?? task }),
    ...(hint !== undefined && { hint }),
  }
  return isLong ? <TextArea {...shared} /> : <Field {...shared} />
}
