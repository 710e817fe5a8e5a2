import type { Refusal } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from './Button'
import { Icon } from './Icon'
import { RequestId } from './RequestId'

const messages = defineMessages({
  en: {
    offline: 'You are offline.',
    busy: 'The service is busy or restarting.',
    tooMany: 'Too many requests. Try again in a moment.',
    forbidden: 'You may not see this.',
    gone: 'This is gone.',
    failed: 'Something went wrong.',
    again: 'Try again',
  },
  de: {
    offline: 'Keine Verbindung.',
    busy: 'Der Dienst ist ausgelastet oder startet neu.',
    tooMany: 'Zu viele Anfragen. Gleich noch einmal versuchen.',
    forbidden: 'Dafür fehlt die Berechtigung.',
    gone: 'Das gibt es nicht mehr.',
    failed: 'Etwas ist schiefgegangen.',
    again: 'Noch einmal versuchen',
  },
})

interface ProblemNoteProps {
  readonly refusal: Refusal
  /** A sentence of the place, where it can say more than the status does. */
  readonly sentence?: string
  readonly onTryAgain?: () => void
  readonly isTrying?: boolean
}

/** A refusal, in the place that stays without what was asked for. The rest of the page goes on working. */
export function ProblemNote({ refusal, sentence, onTryAgain, isTrying = false }: ProblemNoteProps) {
  const m = useMessages(messages)
  const known: Readonly<Record<number, string>> = {
    0: m.offline,
    403: m.forbidden,
    404: m.gone,
    429: m.tooMany,
    503: m.busy,
  }
  return (
    <div className="problem-note" role="alert">
      <Icon name={refusal.status === 0 ? 'offline' : 'warning'} />
      <div className="problem-note-text">
        <p>{sentence ?? known[refusal.status] ?? m.failed}</p>
        <RequestId refusal={refusal} />
      </div>
      {onTryAgain && (
        <Button onClick={onTryAgain} isBusy={isTrying}>
          {m.again}
        </Button>
      )}
    </div>
  )
}
