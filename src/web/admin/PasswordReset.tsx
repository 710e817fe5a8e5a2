import { useState } from 'react'
import type { TemporaryPasswordView } from '../../features/administration/users/model'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { CopyButton } from '../parts/CopyButton'
import { Dialog } from '../parts/Dialog'
import { useForm } from '../parts/use-form'
import { FormDialog } from '../parts/FormDialog'
import { useWritten } from '../time/use-written'
import { resetPassword } from './data'
import { userMessages } from './user.messages'

/** Gives a user a temporary password, which shows once. */
export function PasswordReset({ id, onDone }: { readonly id: number; readonly onDone: () => void }) {
  const m = useMessages(userMessages)
  const [isAsked, setAsked] = useState(false)
  const [made, setMade] = useState<TemporaryPasswordView>()
  const form = useForm(async () => {
    setMade(await resetPassword(id))
    setAsked(false)
  })
  return (
    <>
      <Button onClick={() => setAsked(true)}>{m.reset}</Button>
      {isAsked && (
        <FormDialog title={m.reset} action={m.reset} isDangerous form={form} onClose={() => setAsked(false)}>
          <p>{m.resetWhy}</p>
        </FormDialog>
      )}
      {made && (
        <Temporary
          made={made}
          onClose={() => {
            setMade(undefined)
            onDone()
          }}
        />
      )}
    </>
  )
}

function Temporary({
  made,
  onClose,
}: {
  readonly made: TemporaryPasswordView
  readonly onClose: () => void
}) {
  const m = useMessages(userMessages)
  const { moment } = useWritten()
  return (
    <Dialog
      title={m.temporary}
      onClose={onClose}
      footer={
        <Button kind="primary" onClick={onClose}>
          {m.close}
        </Button>
      }
    >
      <p>{m.temporaryOnce(moment(made.expires_at))}</p>
      <p className="secret">
        <code translate="no">{made.temporary_password}</code>
        <CopyButton text={made.temporary_password} what={m.thePassword} />
      </p>
    </Dialog>
  )
}
