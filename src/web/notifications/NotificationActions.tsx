import { useState } from 'react'
import type { NotificationView } from '../../features/notifications/notifications/model'
import { acceptingInvite, rejectingInvite } from '../calendars/sharing'
import { accepting, rejecting } from '../connections/intents'
import { nameOf } from '../connections/names'
import { answerWords } from '../events/answer-words'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import type { Intent } from '../store/commands'
import { useRecords } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { ANSWERS, answeringFrom } from './intents'

const messages = defineMessages({
  en: {
    accept: 'Accept',
    reject: 'Reject',
    Going: 'Going',
    Tentative: 'Tentative',
    Declined: 'Declined',
    answer: 'Your answer',
    connected: (name: string) => `Connected with ${name}`,
    refused: (name: string) => `Rejected the request of ${name}`,
    taken: (name: string) => `Accepted the calendar ${name}`,
    notTaken: (name: string) => `Rejected the calendar ${name}`,
    answered: (answer: string) => `Answered: ${answer}`,
  },
  de: {
    accept: 'Annehmen',
    reject: 'Ablehnen',
    Going: 'Zusagen',
    Tentative: 'Unter Vorbehalt',
    Declined: 'Absagen',
    answer: 'Eigene Antwort',
    connected: (name) => `Mit ${name} verbunden`,
    refused: (name) => `Anfrage von ${name} abgelehnt`,
    taken: (name) => `Kalender ${name} angenommen`,
    notTaken: (name) => `Kalender ${name} abgelehnt`,
    answered: (answer) => `Geantwortet: ${answer}`,
  },
})

interface ActionsProps {
  readonly notification: NotificationView
  /** What was done about it is read. */
  readonly onDone: () => void
}

/** What can be done at once about the thing that a notification tells of. */
export function NotificationActions(props: ActionsProps) {
  const { type, data } = props.notification
  if (type === 'connection_request') return <RequestActions {...props} />
  if (type === 'calendar_invite') return <InviteActions {...props} />
  if (type !== 'event_invite' || data['invitation_id'] === undefined) return null
  return <AnswerActions {...props} />
}

function RequestActions({ notification, onDone }: ActionsProps) {
  const m = useMessages(messages)
  const { items } = useRecords('connection_request')
  const request = items.find(({ id }) => id === notification.data['request_id'])
  if (request?.status !== 'pending') return null
  const name = nameOf(request.user)
  return (
    <Choice
      onDone={onDone}
      accept={accepting(request, m.connected(name))}
      reject={rejecting(request, m.refused(name))}
    />
  )
}

function InviteActions({ notification, onDone }: ActionsProps) {
  const m = useMessages(messages)
  const { items } = useRecords('calendar_invite')
  const invite = items.find(({ id }) => id === notification.data['invite_id'])
  if (!invite) return null
  const { calendar_name: name } = invite
  return (
    <Choice
      onDone={onDone}
      accept={acceptingInvite(invite, m.taken(name))}
      reject={rejectingInvite(invite, m.notTaken(name))}
    />
  )
}

interface ChoiceProps extends Pick<ActionsProps, 'onDone'> {
  readonly accept: Intent
  readonly reject: Intent
}

function Choice({ accept, reject, onDone }: ChoiceProps) {
  const m = useMessages(messages)
  const write = useWriting()
  const run = (intent: Intent) => (event: { readonly currentTarget: Element }) => {
    // These buttons go with the answer: the focus stays in the line.
    event.currentTarget.closest('.notification')?.querySelector<HTMLElement>('[aria-haspopup]')?.focus()
    write(intent)
    onDone()
  }
  return (
    <div className="reminder-actions">
      <Button kind="primary" onClick={run(accept)}>
        {m.accept}
      </Button>
      <Button onClick={run(reject)}>{m.reject}</Button>
    </div>
  )
}

function AnswerActions({ notification, onDone }: ActionsProps) {
  const m = useMessages(messages)
  const words = useMessages(answerWords)
  const write = useWriting()
  const [given, give] = useState<(typeof ANSWERS)[number]>()
  if (notification.is_read && given === undefined) return null
  return (
    <div className="reminder-actions" role="group" aria-label={m.answer}>
      {ANSWERS.map((answer) => (
        <Button
          key={answer}
          kind={given === answer ? 'primary' : 'secondary'}
          aria-pressed={given === answer}
          onClick={() => {
            give(answer)
            write(answeringFrom(notification, answer, m.answered(words[answer])))
            onDone()
          }}
        >
          {m[answer]}
        </Button>
      ))}
    </div>
  )
}
