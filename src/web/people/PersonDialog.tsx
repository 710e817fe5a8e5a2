import { useId } from 'react'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { PersonForm } from './PersonForm'
import { peopleTexts } from './texts'
import { type PersonOpening, usePersonEditor } from './use-person-editor'

interface PersonDialogProps extends PersonOpening {
  /** Called with the id of a person who was made. */
  readonly onDone: (made?: number) => void
  /** Escape leaves what was typed where it is; only Cancel gives it up. */
  readonly onClose: () => void
}

/** The editor of a person, over the page. */
export function PersonDialog({ onDone, onClose, ...opening }: PersonDialogProps) {
  const m = useMessages(peopleTexts)
  const formId = useId()
  const editor = usePersonEditor(opening, onDone)
  return (
    <Dialog
      title={opening.person ? m.editPerson : m.newPerson}
      onClose={onClose}
      footer={
        <>
          <Button onClick={editor.cancel}>{m.cancel}</Button>
          <Button kind="primary" type="submit" form={formId}>
            {m.save}
          </Button>
        </>
      }
    >
      <PersonForm id={formId} editor={editor} />
    </Dialog>
  )
}
