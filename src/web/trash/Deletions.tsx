import { useState } from 'react'
import type { TrashItemView } from '../../features/overview/trash/model'
import { type Refusal, refusalOf } from '../api/refusal'
import { useMessages } from '../messages/language'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { messages } from './trash.messages'
import { insideNames, insideOf } from './words'

interface DeleteDialogProps {
  readonly item: TrashItemView
  readonly remove: (item: TrashItemView) => Promise<void>
  readonly onClose: () => void
}

export function DeleteDialog({ item, remove, onClose }: DeleteDialogProps) {
  const m = useMessages(messages)
  const inside = insideOf(item, useMessages(insideNames))
  return (
    <Confirmation
      title={m.deleting}
      text={inside === undefined ? m.deleteOne(item.title) : m.deleteWith(item.title, inside)}
      confirm={m.delete}
      act={() => remove(item)}
      onClose={onClose}
    />
  )
}

interface EmptyDialogProps {
  readonly count: number
  /** Whether more is in the trash than the list shows. */
  readonly isMore: boolean
  readonly empty: () => Promise<void>
  readonly onClose: () => void
}

export function EmptyDialog({ count, isMore, empty, onClose }: EmptyDialogProps) {
  const m = useMessages(messages)
  return (
    <Confirmation
      title={m.emptying}
      text={isMore ? m.emptyAll : m.emptyCount(count)}
      confirm={m.empty}
      act={empty}
      onClose={onClose}
    />
  )
}

interface ConfirmationProps {
  readonly title: string
  readonly text: string
  readonly confirm: string
  readonly act: () => Promise<void>
  readonly onClose: () => void
}

/** Asks before what cannot be taken back; a refusal is told in the dialog. */
function Confirmation({ title, text, confirm, act, onClose }: ConfirmationProps) {
  const m = useMessages(messages)
  const { sentence } = useRefusals()
  const [refusal, setRefusal] = useState<Refusal>()
  const [isBusy, setBusy] = useState(false)
  const run = async () => {
    setBusy(true)
    try {
      await act()
      onClose()
    } catch (error) {
      const refused = refusalOf(error)
      if (!refused) throw error
      setRefusal(refused)
      setBusy(false)
    }
  }
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Button data-autofocus onClick={onClose}>
            {m.cancel}
          </Button>
          <Button kind="danger" onClick={() => void run()} isBusy={isBusy}>
            {confirm}
          </Button>
        </>
      }
    >
      <p>{text}</p>
      <div role="alert" className="form-alert">
        {refusal && sentence(refusal)}
      </div>
    </Dialog>
  )
}
