import { useMemo } from 'react'
import { eventAddress, PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Dialog } from '../parts/Dialog'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useZone } from '../time/use-zone'
import { EventDialog } from './EventDialog'
import { readAddress } from './new-event'
import { useOpenedEvent } from './use-opened-event'

const messages = defineMessages({
  en: { event: 'Event', gone: 'This event is gone. It was deleted, or it is no longer shared with you.' },
  de: { event: 'Termin', gone: 'Diesen Termin gibt es nicht mehr. Er wurde gelöscht oder wird nicht mehr geteilt.' },
}) // prettier-ignore

interface EventOverlayProps {
  /** That of an event or of a new one, with its query. */
  readonly address: string
  readonly onClose: () => void
}

/** The event of an address over the page from which it was opened (contract: web.over-page). */
export function EventOverlay({ address, onClose }: EventOverlayProps) {
  const { pathname, searchParams } = new URL(address, location.origin)
  if (pathname === PATTERNS.newEvent) return <NewEvent address={address} onClose={onClose} />
  const id = Number(pathname.split('/').at(-1))
  const at = searchParams.get('occurrence') ?? undefined
  return <OpenedEvent key={address} id={id} at={at} onClose={onClose} />
}

function NewEvent({ address, onClose }: EventOverlayProps) {
  const zone = useZone()
  const begin = useMemo(() => readAddress(new URL(address, location.origin).search, zone), [address, zone])
  return <EventDialog {...begin} address={address} onClose={onClose} />
}

interface OpenedEventProps {
  readonly id: number
  readonly at: string | undefined
  readonly onClose: () => void
}

function OpenedEvent({ id, at, onClose }: OpenedEventProps) {
  const m = useMessages(messages)
  const { event, refusal, again } = useOpenedEvent(id, at)
  if (event && event !== 'gone')
    return <EventDialog event={event} address={eventAddress(id, at)} onClose={onClose} />
  return (
    <Dialog title={m.event} onClose={onClose}>
      {event === 'gone' && <p>{m.gone}</p>}
      {!event && !refusal && <Skeleton lines={6} />}
      {refusal && <ProblemNote refusal={refusal} onTryAgain={again} />}
    </Dialog>
  )
}
