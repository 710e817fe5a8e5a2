import { useCallback, useEffect, useState } from 'react'
import type { EventView } from '../../features/events/events/model'
import { useAnswer } from '../api/use-answer'
import { useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Dialog } from '../parts/Dialog'
import type { SeriesReach } from './intents'
import { readInvitations } from './reads'
import { ScopeDialog } from './ScopeDialog'
import { eventTexts } from './texts'

const messages = defineMessages({
  en: {
    title: 'Delete event',
    guests: (count: number) =>
      counted(
        count,
        'One person is invited and will be told that it is cancelled. That cannot be undone.',
        `${count} people are invited and will be told that it is cancelled. That cannot be undone.`,
      ),
    noGuests: 'Nobody is invited. It can be brought back.',
    maybeGuests: 'If people are invited, they will be told that it is cancelled. That cannot be undone.',
  },
  de: {
    title: 'Termin löschen',
    guests: (count: number) =>
      counted(
        count,
        'Eine Person ist eingeladen und erfährt von der Absage. Das lässt sich nicht rückgängig machen.',
        `${count} Personen sind eingeladen und erfahren von der Absage. Das lässt sich nicht rückgängig machen.`,
      ),
    noGuests: 'Niemand ist eingeladen. Der Termin lässt sich zurückholen.',
    maybeGuests:
      'Falls Personen eingeladen sind, erfahren sie von der Absage. Das lässt sich nicht rückgängig machen.',
  },
})

interface DeleteDialogProps {
  readonly event: EventView
  readonly onDelete: (scope: SeriesReach) => void
  readonly onClose: () => void
}

/** Deletes at once what can be brought back; where guests would be told, or of a series, it asks first. */
export function DeleteDialog({ event, onDelete, onClose }: DeleteDialogProps) {
  const guests = useGuestCount(event)
  const isLate = useIsLate()
  const warning = useWarning(guests)
  if (event.occurrence_start !== null)
    return (
      <ScopeDialog
        deletes
        isShared={false}
        warning={guests === undefined || guests === 0 ? undefined : warning}
        onContinue={onDelete}
        onClose={onClose}
      />
    )
  // Who was asked has to answer, also if it turns out that there was no need.
  if (guests === 0 && !isLate) return <AtOnce onDelete={onDelete} />
  if (guests === undefined && !isLate) return null
  return <Confirmation text={warning} onDelete={onDelete} onClose={onClose} />
}

type GuestCount = number | 'unknown' | undefined

function useWarning(guests: GuestCount): string {
  const m = useMessages(messages)
  if (typeof guests !== 'number') return m.maybeGuests
  return guests === 0 ? m.noGuests : m.guests(guests)
}

/** Whoever deletes an event waits so long for the service before they are asked. */
export const LATE_MS = 300

/** Whether somebody has waited long enough to be asked before the answer is there. */
function useIsLate(): boolean {
  const [isLate, setLate] = useState(false)
  useEffect(() => {
    const timer = setTimeout(() => setLate(true), LATE_MS)
    return () => clearTimeout(timer)
  }, [])
  return isLate
}

/** How many are invited; undefined until the service has said. */
function useGuestCount({ id, access }: EventView): GuestCount {
  // Who does not own the event cannot ask; an event of this device is known to no guest.
  const isAsked = id !== null && id > 0 && access === 'owner'
  const ask = useCallback(async () => (isAsked ? readInvitations(id) : []), [id, isAsked])
  const { value, refusal } = useAnswer(ask)
  return refusal ? 'unknown' : value?.length
}

function AtOnce({ onDelete }: Pick<DeleteDialogProps, 'onDelete'>) {
  useEffect(() => {
    onDelete('all')
    // It runs once: the dialog goes with it.
    // oxlint-disable-next-line react/exhaustive-deps
  }, [])
  return null
}

function Confirmation({
  text,
  onDelete,
  onClose,
}: Omit<DeleteDialogProps, 'event'> & { readonly text: string }) {
  const m = useMessages(messages)
  const texts = useMessages(eventTexts)
  return (
    <Dialog
      title={m.title}
      onClose={onClose}
      footer={
        <>
          <Button onClick={onClose}>{texts.cancel}</Button>
          <Button kind="danger" onClick={() => onDelete('all')}>
            {texts.delete}
          </Button>
        </>
      }
    >
      <p>{text}</p>
    </Dialog>
  )
}
