import { useCallback, useEffect } from 'react'
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
  const m = useMessages(messages)
  const guests = useGuestCount(event)
  const warning = guests === 'unknown' ? m.maybeGuests : m.guests(guests ?? 0)
  const isWarned = guests === 'unknown' || (guests ?? 0) > 0
  if (event.occurrence_start !== null)
    return (
      <ScopeDialog
        deletes
        isShared={false}
        warning={isWarned ? warning : undefined}
        onContinue={onDelete}
        onClose={onClose}
      />
    )
  if (guests === 0) return <AtOnce onDelete={onDelete} />
  return guests === undefined ? null : <Confirmation text={warning} onDelete={onDelete} onClose={onClose} />
}

/** How many are invited; undefined until the service has said. */
function useGuestCount({ id, access }: EventView): number | 'unknown' | undefined {
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
