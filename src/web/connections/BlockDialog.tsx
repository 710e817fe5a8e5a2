import { refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { useRefusals } from '../messages/refusals'
import { ConfirmDialog } from '../parts/ConfirmDialog'
import { announce } from '../parts/messages-store'
import { blockUser } from './calls'
import { connectionTexts } from './texts'

interface BlockDialogProps {
  readonly name: string
  readonly onClose: () => void
}

/** Blocks somebody with whom one is not connected, after it has said what that means. */
export function BlockDialog({ name, onClose }: BlockDialogProps) {
  const m = useMessages(connectionTexts)
  const { sentence } = useRefusals()
  const block = async () => {
    onClose()
    try {
      await blockUser(name)
      announce({ text: m.blocked(name) })
    } catch (error) {
      const refusal = refusalOf(error)
      if (!refusal) throw error
      announce({ text: sentence(refusal), isError: true })
    }
  }
  return (
    <ConfirmDialog title={m.block} action={m.block} onConfirm={() => void block()} onClose={onClose}>
      <p>{m.blockHint(name)}</p>
    </ConfirmDialog>
  )
}
