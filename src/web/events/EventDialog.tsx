import type { EventView } from '../../features/events/events/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Answers } from './Answers'
import type { NewSpan } from './draft'
import { EventEditor } from './EventEditor'
import { EventFacts } from './EventFacts'

const messages = defineMessages({ en: { close: 'Close' }, de: { close: 'Schließen' } })

interface EventDialogProps {
  /** An event or an occurrence; a new one without it. */
  readonly event?: EventView | undefined
  readonly title?: string
  readonly span?: NewSpan
  /** Leads back to it. */
  readonly address: string
  readonly onClose: () => void
}

/** Only who may write to its calendar edits an event; guests and readers see it. */
export const isReadOnly = ({ access, is_virtual: isVirtual }: EventView): boolean =>
  access === 'read' || isVirtual

/** An event over the page it was opened from. */
export function EventDialog({ event, onClose, ...begin }: EventDialogProps) {
  const m = useMessages(messages)
  if (event && isReadOnly(event))
    return (
      <Dialog title={event.title} onClose={onClose} footer={<Button onClick={onClose}>{m.close}</Button>}>
        <EventFacts event={event} />
        {event.my_invitation && <Answers event={event} invitation={event.my_invitation} />}
      </Dialog>
    )
  return (
    <EventEditor
      event={event}
      {...begin}
      onDone={() => onClose()}
      frame={({ title, body, footer }) => (
        // Escape leaves the draft where it is; only Cancel gives it up.
        <Dialog title={title} footer={footer} onClose={onClose}>
          {body}
        </Dialog>
      )}
    />
  )
}
