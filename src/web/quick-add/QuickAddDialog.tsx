import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Dialog } from '../parts/Dialog'
import type { QuickKind } from './grammar'
import { QuickAdd } from './QuickAdd'

const messages = defineMessages({ en: { title: 'Quick add' }, de: { title: 'Schnell hinzufügen' } })

/** Quick add over any page; the line stays for the next time when it is closed. */
export function QuickAddDialog(props: {
  readonly kind?: QuickKind | undefined
  readonly onClose: () => void
}) {
  const { kind, onClose } = props
  const m = useMessages(messages)
  return (
    <Dialog title={m.title} onClose={onClose}>
      <QuickAdd where="dialog" kind={kind} onAdded={onClose} />
    </Dialog>
  )
}
