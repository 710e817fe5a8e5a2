import { useState } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import type { EventView } from '../../features/events/events/model'
import { useCalendars } from '../calendars/data'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { RadioGroup } from '../parts/RadioGroup'
import { Select } from '../parts/Select'
import { Status } from '../parts/Status'
import type { Intent } from '../store/commands'
import { useStore } from '../store/use-store'
import { answerWords } from './answer-words'
import { answering, showingIn } from './intents'

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
  },
})

const ANSWERS = ['Going', 'Tentative', 'Declined'] as const
type MyInvitation = NonNullable<EventView['my_invitation']>
const NO_CALENDARS: readonly CalendarView[] = []

interface AnswersProps {
  readonly event: EventView
  readonly invitation: MyInvitation
}

/** Answers an invitation, for one occurrence or all, and chooses the calendar that shows it. */
export function Answers({ event, invitation }: AnswersProps) {
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

/** Another answer takes one back, so that neither asks. */
function useAnswers(event: EventView, opened: MyInvitation) {
  const store = useStore()
  const [mine, setMine] = useState(opened)
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
