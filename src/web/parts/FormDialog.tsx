import { type ReactNode, useId } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from './Button'
import { Dialog } from './Dialog'
import { FormAlert, SubmitButton } from './Form'
import type { FormState } from './use-form'

const messages = defineMessages({ en: { cancel: 'Cancel' }, de: { cancel: 'Abbrechen' } })

interface FormDialogProps {
  readonly title: string
  /** What the button says that sends the form. */
  readonly action: string
  /** The action takes something away. */
  readonly isDangerous?: boolean
  readonly form: FormState
  readonly onClose: () => void
  /** What follows from the action, and the fields that it needs. */
  readonly children: ReactNode
}

/** A dialog whose form does one thing, which cannot be undone or takes a proof. */
export function FormDialog(props: FormDialogProps) {
  const { title, action, isDangerous = false, form, onClose, children } = props
  const m = useMessages(messages)
  const id = useId()
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <SubmitButton form={form} formId={id} kind={isDangerous ? 'danger' : 'primary'}>
            {action}
          </SubmitButton>
        </>
      }
    >
      <form {...form.props} id={id} className="enter-form">
        <FormAlert form={form} />
        {children}
      </form>
    </Dialog>
  )
}
