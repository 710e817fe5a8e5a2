import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Dialog } from '../parts/Dialog'
import { ShortcutList } from './ShortcutList'

const messages = defineMessages({ en: { title: 'Keyboard shortcuts' }, de: { title: 'Tastenkürzel' } })

export function ShortcutSheet({ onClose }: { readonly onClose: () => void }) {
  const m = useMessages(messages)
  return (
    <Dialog title={m.title} onClose={onClose} size="wide" isToRead>
      <ShortcutList level="h3" />
    </Dialog>
  )
}
