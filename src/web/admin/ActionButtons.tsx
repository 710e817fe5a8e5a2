import { useState } from 'react'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { announce } from '../parts/messages-store'
import { useForm } from '../parts/use-form'
import { FormDialog } from '../parts/FormDialog'
import type { UserAction } from './user-actions'
import { userMessages } from './user.messages'

interface ActionButtonsProps {
  readonly username: string
  readonly actions: readonly UserAction[]
  readonly onDone: () => void
}

/** A button for each action, which says first what follows. */
export function ActionButtons({ username, actions, onDone }: ActionButtonsProps) {
  const m = useMessages(userMessages)
  const [asked, setAsked] = useState<UserAction>()
  const done = (action: UserAction) => {
    setAsked(undefined)
    announce({ text: m.done(action.label, username) })
    onDone()
  }
  return (
    <div className="actions">
      {actions.map((action, place) => (
        // oxlint-disable-next-line react/no-array-index-key -- what undoes an action takes its place, and keeps the focus
        <Button key={place} onClick={() => setAsked(action)}>
          {action.label}
        </Button>
      ))}
      {asked && (
        <ActionDialog action={asked} onDone={() => done(asked)} onClose={() => setAsked(undefined)} />
      )}
    </div>
  )
}

interface ActionDialogProps {
  readonly action: UserAction
  readonly onDone: () => void
  readonly onClose: () => void
}

function ActionDialog({ action, onDone, onClose }: ActionDialogProps) {
  const form = useForm(async () => {
    await action.run()
    onDone()
  })
  return (
    <FormDialog
      title={action.label}
      action={action.label}
      isDangerous={action.isDangerous ?? false}
      form={form}
      onClose={onClose}
    >
      <p>{action.why}</p>
    </FormDialog>
  )
}
