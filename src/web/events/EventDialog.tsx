import { useState } from 'react'
import type { EventView } from '../../features/events/events/model'
import { isBeside } from '../app/over-page'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import { Answers } from './Answers'
import type { NewSpan } from './draft'
import { EventEditor } from './EventEditor'
import { EventFacts } from './EventFacts'
import { isReadOnly } from './rights'
import { useLiveEvent } from './use-live-event'

const messages = defineMessages({
  en: { close: 'Close', gone: 'This event is gone. It was deleted, or it is no longer shared with you.' },
  de: {
    close: 'Schließen',
    gone: 'Diesen Termin gibt es nicht mehr. Er wurde gelöscht oder wird nicht mehr geteilt.',
  },
})

interface EventDialogProps {
  /** An event or an occurrence; a new one without it. */
  readonly event?: EventView | undefined
  readonly title?: string
  readonly span?: NewSpan
  /** Leads back to it. */
  readonly address: string
  readonly onClose: () => void
}

/** An event over the page it was opened from. */
export function EventDialog({ event, ...rest }: EventDialogProps) {
  if (event && isReadOnly(event)) return <ReadEvent opened={event} {...rest} />
  return <EditDialog event={event} {...rest} />
}

/** The mark goes while the dialog is open, if what bears it is drawn anew. */
const useBeside = () => useState(isBeside)[0]

function EditDialog({ onClose, ...begin }: EventDialogProps) {
  const beside = useBeside()
  return (
    <EventEditor
      {...begin}
      onDone={() => onClose()}
      frame={({ title, body, footer }) => (
        // Escape leaves the draft where it is; only Cancel gives it up.
        <Dialog title={title} footer={footer} isBeside={beside} onClose={onClose}>
          {body}
        </Dialog>
      )}
    />
  )
}

function ReadEvent({ opened, ...rest }: EventDialogProps & { readonly opened: EventView }) {
  const m = useMessages(messages)
  const beside = useBeside()
  const live = useLiveEvent(opened)
  if (live !== 'gone' && !isReadOnly(live)) return <EditDialog event={live} {...rest} />
  const event = live === 'gone' ? opened : live
  const { onClose } = rest
  return (
    <Dialog
      title={event.title}
      isBeside={beside}
      onClose={onClose}
      footer={<Button onClick={onClose}>{m.close}</Button>}
    >
      {live === 'gone' && <p role="alert">{m.gone}</p>}
      <EventFacts event={event} />
      {live !== 'gone' && event.my_invitation && (
        <Answers event={event} invitation={event.my_invitation} onLeft={onClose} />
      )}
    </Dialog>
  )
}
