import { type ReactNode, useState } from 'react'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { announce } from '../parts/messages-store'
import { useForm } from '../parts/use-form'
import { FormDialog } from '../parts/FormDialog'
import { unlessGone } from './unless-gone'
import type { UserAction } from './user-actions'
import { userMessages } from './user.messages'

interface ActionButtonsProps {
  readonly username: string
  readonly actions: readonly UserAction[]
  /** Reads the user again, who may be gone. */
  readonly onDone: () => void
  /** Buttons with dialogs of their own. */
  readonly children?: ReactNode
}

/** A button for each action, which says first what follows. */
export function ActionButtons({ username, actions, onDone, children }: ActionButtonsProps) {
  const [asked, setAsked] = useState<UserAction>()
  const done = () => {
    setAsked(undefined)
    onDone()
  }
  return (
    <div className="actions">
      {actions.map((action) => (
        <Button key={action.place} onClick={() => setAsked(action)}>
          {action.label}
        </Button>
      ))}
      {children}
      {asked && (
        <ActionDialog username={username} action={asked} onDone={done} onClose={() => setAsked(undefined)} />
      )}
    </div>
  )
}

interface ActionDialogProps {
  readonly username: string
  readonly action: UserAction
  readonly onDone: () => void
  readonly onClose: () => void
}

function ActionDialog({ username, action, onDone, onClose }: ActionDialogProps) {
  const m = useMessages(userMessages)
  const form = useForm(async () => {
    if (await unlessGone(action.run())) announce({ text: action.done })
    onDone()
  })
  return (
    <FormDialog
      title={m.titled(action.label, username)}
      action={action.label}
      isDangerous={action.isDangerous ?? false}
      form={form}
      onClose={onClose}
    >
      <p>{action.why}</p>
    </FormDialog>
  )
}
