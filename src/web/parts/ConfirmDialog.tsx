import type { ReactNode } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from './Button'
import { Dialog } from './Dialog'

const messages = defineMessages({ en: { cancel: 'Cancel' }, de: { cancel: 'Abbrechen' } })

interface ConfirmDialogProps {
  readonly title: string
  /** What the button does, in a word or two. */
  readonly action: string
  readonly onConfirm: () => void
  readonly onClose: () => void
  /** Says what cannot be undone, and how much goes along. */
  readonly children: ReactNode
}

/** Asks before something that nothing undoes. */
export function ConfirmDialog({ title, action, onConfirm, onClose, children }: ConfirmDialogProps) {
  const m = useMessages(messages)
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{m.cancel}</Button>
          <Button kind="danger" onClick={onConfirm}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  )
}
