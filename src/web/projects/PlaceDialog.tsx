import { type FormEvent, type ReactNode, useId, useState } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Select } from '../parts/Select'
import { projectTexts } from './texts'

const messages = defineMessages({
  en: { title: (name: string) => `Move ${name}`, move: 'Move' },
  de: { title: (name) => `„${name}“ verschieben`, move: 'Verschieben' },
})

interface PlaceDialogProps {
  /** What is moved. */
  readonly name: string
  /** The names of those among which it comes to stand, in their order and without it. */
  readonly others: readonly string[]
  /** Where it stands now among them. */
  readonly index: number
  readonly onClose: () => void
  readonly onMove: (index: number) => void
  /** Fields that decide which the others are. */
  readonly children?: ReactNode
}

/** Asks for a place in a list, for those who do not drag. */
export function PlaceDialog({ name, others, index, onClose, onMove, children }: PlaceDialogProps) {
  const m = useMessages(messages)
  const texts = useMessages(projectTexts)
  const formId = useId()
  const [chosen, choose] = useState(index)
  const place = Math.min(chosen, others.length)
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onClose()
    onMove(place)
  }
  const options = [
    { value: '0', label: texts.first },
    ...others.map((other, at) => ({ value: String(at + 1), label: texts.after(other) })),
  ]
  return (
    <Dialog
      title={m.title(name)}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="primary" type="submit" form={formId}>
            {m.move}
          </Button>
        </>
      }
    >
      <form id={formId} className="project-form" noValidate onSubmit={submit}>
        {children}
        <Select
          label={texts.place}
          options={options}
          value={String(place)}
          onChange={(value) => choose(Number(value))}
        />
      </form>
    </Dialog>
  )
}
