import { useState } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import type { EventView } from '../../features/events/events/model'
import { useCalendars } from '../calendars/data'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { ConfirmDialog } from '../parts/ConfirmDialog'
import { RadioGroup } from '../parts/RadioGroup'
import { Select } from '../parts/Select'
import { Status } from '../parts/Status'
import type { Intent } from '../store/commands'
import { isSame } from '../store/effects'
import { useStore } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { answerWords } from './answer-words'
import { answering, leaving, showingIn } from './intents'

const messages = defineMessages({
  en: {
    group: 'Your answer',
    Going: 'Going',
    Tentative: 'Tentative',
    Declined: 'Declined',
    for: 'Answer for',
    this: 'Only this event',
    all: 'All events',
    calendar: 'Show in calendar',
    none: 'None of mine',
    answered: (answer: string) => `Answered: ${answer}`,
    shown: (name: string) => `Shows in ${name}`,
    leave: 'Leave this event',
    leaveHint:
      'You no longer see the event, and your answer is lost. Who invited you is not told, and can invite you again. To say that you do not come, answer “Declined” instead.',
    leaveSeries: 'That is so for all dates of the series.',
    left: (title: string) => `Left ${title}`,
  },
  de: {
    group: 'Eigene Antwort',
    Going: 'Zusagen',
    Tentative: 'Unter Vorbehalt',
    Declined: 'Absagen',
    for: 'Antwort für',
    this: 'Nur dieser Termin',
    all: 'Alle Termine',
    calendar: 'Im Kalender zeigen',
    none: 'In keinem eigenen',
    answered: (answer: string) => `Geantwortet: ${answer}`,
    shown: (name: string) => `Steht in ${name}`,
    leave: 'Termin verlassen',
    leaveHint:
      'Der Termin ist hier dann nicht mehr zu sehen, und die Antwort geht verloren. Wer eingeladen hat, erfährt nicht davon und kann wieder einladen. Eine Absage ist dagegen die Antwort „Absagen“.',
    leaveSeries: 'Das gilt für alle Termine der Serie.',
    left: (title: string) => `${title} verlassen`,
  },
})

const ANSWERS = ['Going', 'Tentative', 'Declined'] as const
type MyInvitation = NonNullable<EventView['my_invitation']>
const NO_CALENDARS: readonly CalendarView[] = []

interface AnswersProps {
  readonly event: EventView
  readonly invitation: MyInvitation
  readonly onLeft: () => void
}

/** Answers an invitation, for one occurrence or all, and chooses the calendar that shows it. */
export function Answers({ event, invitation, onLeft }: AnswersProps) {
  const m = useMessages(messages)
  const words = useMessages(answerWords)
  const answers = useAnswers(event, invitation)
  const [reach, setReach] = useState<'this' | 'all'>('this')
  const start = event.occurrence_start
  return (
    <div className="answers" role="group" aria-label={m.group}>
      {start !== null && (
        <RadioGroup
          label={m.for}
          look="segmented"
          options={[
            { value: 'this', label: m.this },
            { value: 'all', label: m.all },
          ]}
          value={reach}
          onChange={setReach}
        />
      )}
      <div className="answers-buttons">
        {ANSWERS.map((answer) => (
          <Button
            key={answer}
            kind={answers.mine.response === answer ? 'primary' : 'secondary'}
            aria-pressed={answers.mine.response === answer}
            onClick={() => answers.answer(answer, reach === 'this' ? start : null, m.answered(words[answer]))}
          >
            {m[answer]}
          </Button>
        ))}
      </div>
      <DisplayCalendar answers={answers} />
      <Status>{answers.said}</Status>
      <Leaving event={event} invitation={invitation} onLeft={onLeft} />
    </div>
  )
}

function DisplayCalendar({ answers }: { readonly answers: ReturnType<typeof useAnswers> }) {
  const m = useMessages(messages)
  const calendars = useCalendars() ?? NO_CALENDARS
  const own = calendars.filter(({ access, is_system: isSystem }) => access === 'owner' && !isSystem)
  const choose = (value: string) => {
    const chosen = own.find(({ id }) => String(id) === value)
    answers.show(chosen, m.shown(chosen?.name ?? m.none))
  }
  return (
    <Select
      label={m.calendar}
      options={[
        { value: '', label: m.none },
        ...own.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      value={String(answers.mine.display_calendar_id ?? '')}
      onChange={choose}
    />
  )
}

function Leaving({ event, invitation, onLeft }: AnswersProps) {
  const m = useMessages(messages)
  const write = useWriting()
  const calendars = useCalendars() ?? NO_CALENDARS
  const [isAsked, ask] = useState(false)
  const isShared = calendars.some(({ id, access }) => id === event.calendar_id && access !== 'owner')
  const leave = () => {
    ask(false)
    onLeft()
    write(leaving(event, invitation, isShared, m.left(event.title)))
  }
  return (
    <>
      <span className="answers-leave">
        <Button kind="quiet" onClick={() => ask(true)}>
          {m.leave}
        </Button>
      </span>
      {isAsked && (
        <ConfirmDialog title={m.leave} action={m.leave} onConfirm={leave} onClose={() => ask(false)}>
          <p>{m.leaveHint}</p>
          {event.recurrence_rule !== null && <p>{m.leaveSeries}</p>}
        </ConfirmDialog>
      )}
    </>
  )
}

/** Another answer takes one back, so that neither asks. */
function useAnswers(event: EventView, opened: MyInvitation) {
  const store = useStore()
  const [known, setKnown] = useState(opened)
  const [mine, setMine] = useState(opened)
  // It may be answered elsewhere too.
  if (!isSame(known, opened)) {
    setKnown(opened)
    setMine(opened)
  }
  const [said, say] = useState('')
  const run = async (next: MyInvitation, intent: Intent) => {
    setMine(next)
    say(intent.said)
    const { is } = await store.run(intent).done
    if (is !== 'refused') return
    setMine(mine)
    say('')
  }
  return {
    mine,
    said,
    answer: (response: (typeof ANSWERS)[number], start: string | null, done: string) =>
      void run(
        { ...mine, response },
        answering(event, mine, { response, ...(start !== null && { occurrence_start: start }) }, done),
      ),
    show: (calendar: CalendarView | undefined, done: string) =>
      void run(
        { ...mine, display_calendar_id: calendar?.id ?? null },
        showingIn(event, mine, calendar, done),
      ),
  }
}
