import { useCallback, useMemo } from 'react'
import { useLocation, useParams, useSearch } from 'wouter'
import type { EventView } from '../../features/events/events/model'
import { addressWith, calendarAddress, eventAddress, PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { PageHeading } from '../parts/PageHeading'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useZone } from '../time/use-zone'
import { Answers } from './Answers'
import { EventEditor } from './EventEditor'
import { EventFacts } from './EventFacts'
import { EventGone } from './EventGone'
import { readAddress } from './new-event'
import { isReadOnly } from './rights'
import { useLiveEvent } from './use-live-event'
import { useOpenedEvent } from './use-opened-event'
import type { SavedEvent } from './use-saving'

const messages = defineMessages({ en: { event: 'Event' }, de: { event: 'Termin' } })

/** A new event at an address of its own, filled by `from`, `to` and `title`; nothing is saved by opening it. */
export function NewEventPage() {
  const search = useSearch()
  const zone = useZone()
  const begin = useMemo(() => readAddress(search, zone), [search, zone])
  const leave = useLeave()
  return (
    <EventEditor
      {...begin}
      address={addressWith(PATTERNS.newEvent, search)}
      onDone={leave}
      frame={PageFrame}
    />
  )
}

/** An event opened by a link. */
export function EventPage() {
  const { id = '' } = useParams()
  const at = new URLSearchParams(useSearch()).get('occurrence') ?? undefined
  return <OpenedEvent key={`${id} ${at ?? ''}`} id={Number(id)} at={at} />
}

function OpenedEvent({ id, at }: { readonly id: number; readonly at: string | undefined }) {
  const m = useMessages(messages)
  const { event, refusal, again } = useOpenedEvent(id, at)
  const leave = useLeave()
  if (event === 'gone') return <EventGone />
  if (event && !isReadOnly(event))
    return <EventEditor event={event} address={eventAddress(id, at)} onDone={leave} frame={PageFrame} />
  if (event) return <ReadEvent opened={event} address={eventAddress(id, at)} />
  if (!refusal) return <Skeleton lines={6} />
  return (
    <>
      <PageHeading>{m.event}</PageHeading>
      <ProblemNote refusal={refusal} onTryAgain={again} />
    </>
  )
}

interface ReadEventProps {
  readonly opened: EventView
  readonly address: string
}

function ReadEvent({ opened, address }: ReadEventProps) {
  const event = useLiveEvent(opened)
  const leave = useLeave()
  if (event === 'gone') return <EventGone />
  if (!isReadOnly(event))
    return <EventEditor event={event} address={address} onDone={leave} frame={PageFrame} />
  return (
    <div className="event-page">
      <PageHeading>{event.title}</PageHeading>
      <EventFacts event={event} />
      {event.my_invitation && (
        <Answers event={event} invitation={event.my_invitation} onLeft={() => leave()} />
      )}
    </div>
  )
}

const PageFrame: Parameters<typeof EventEditor>[0]['frame'] = ({ title, body, footer }) => (
  <div className="event-page">
    <PageHeading>{title}</PageHeading>
    {body}
    <div className="event-page-foot">{footer}</div>
  </div>
)

/** Back to where the event was opened from, if that is a page of this visit; else to the calendar, at the day of what was saved. */
function useLeave() {
  const [, navigate] = useLocation()
  const zone = useZone()
  return useCallback(
    (saved?: SavedEvent) => {
      const from =
        'navigation' in globalThis && navigation.entries()[(navigation.currentEntry?.index ?? 0) - 1]
      if (from && from.sameDocument) return history.back()
      const day = saved && dayOf(saved, zone)
      navigate(day ? calendarAddress('week', day) : PATTERNS.calendar, { replace: true })
    },
    [navigate, zone],
  )
}

const dayOf = ({ start_date: first, start_at: start }: EventView, zone: string) =>
  first === null
    ? Temporal.Instant.from(start ?? '')
        .toZonedDateTimeISO(zone)
        .toPlainDate()
    : Temporal.PlainDate.from(first)
