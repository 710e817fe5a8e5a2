import { useState } from 'react'
import type { TemporaryPasswordView } from '../../features/administration/users/model'
import { useMessages } from '../messages/language'
import { Button } from '../parts/Button'
import { CopyButton } from '../parts/CopyButton'
import { Dialog } from '../parts/Dialog'
import { useForm } from '../parts/use-form'
import { FormDialog } from '../parts/FormDialog'
import { useWritten } from '../time/use-written'
import { resetPassword, type User } from './data'
import { unlessGone } from './unless-gone'
import { userMessages } from './user.messages'

/** Gives a user a temporary password, which shows once. */
export function PasswordReset({ user, onDone }: { readonly user: User; readonly onDone: () => void }) {
  const m = useMessages(userMessages)
  const [isAsked, setAsked] = useState(false)
  const [made, setMade] = useState<TemporaryPasswordView>()
  const form = useForm(async () => {
    const reset = await unlessGone(resetPassword(user.id))
    setAsked(false)
    if (reset) setMade(reset)
    else onDone()
  })
  return (
    <>
      <Button onClick={() => setAsked(true)}>{m.reset}</Button>
      {isAsked && (
        <FormDialog
          title={m.titled(m.reset, user.username)}
          action={m.reset}
          isDangerous
          form={form}
          onClose={() => setAsked(false)}
        >
          <p>{m.resetWhy}</p>
        </FormDialog>
      )}
      {made && (
        <Temporary
          made={made}
          username={user.username}
          onClose={() => {
            setMade(undefined)
            onDone()
          }}
        />
      )}
    </>
  )
}

interface TemporaryProps {
  readonly made: TemporaryPasswordView
  readonly username: string
  readonly onClose: () => void
}

function Temporary({ made, username, onClose }: TemporaryProps) {
  const m = useMessages(userMessages)
  const { moment } = useWritten()
  return (
    <Dialog
      title={m.titled(m.temporary, username)}
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
