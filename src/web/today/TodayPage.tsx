import { useMemo, useRef, useState } from 'react'
import { Link, useSearch } from 'wouter'
import { calendarAddress } from '../app/addresses'
import { useRereading } from '../calendar/data'
import { DueLine } from '../calendar/DueLine'
import { dayNumber } from '../calendar/entries'
import { EventLine } from '../calendar/EventLine'
import { useEntryActions } from '../calendar/use-entry-actions'
import { useReading } from '../calendar/use-reading'
import { useLocale, useMessages } from '../messages/language'
import { fetched, useFetched } from '../parts/fetched'
import { MissingNote, missingOf } from '../parts/Missing'
import { PageHeading } from '../parts/PageHeading'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { useScreen } from '../parts/use-screen'
import { QuickAdd } from '../quick-add/QuickAdd'
import { useSignedIn } from '../session/use-session'
import { readDate } from '../time/days'
import { dayTitle, fullDate, shortDay } from '../time/format'
import { useHour, useToday } from '../time/use-now'
import { messages } from './today.messages'
import { TodaySection } from './TodaySection'
import { useAgendaOf } from './use-agenda-of'

// Fetched while the day is read.
const beside = fetched(() => import('./beside'))

/** What a day holds: events, what is due and overdue, or what comes next (contract: web.today). */
export function TodayPage() {
  const m = useMessages(messages)
  const date = useDate()
  const day = useAgendaOf(date)
  const reread = useRereading()
  const isEmpty = day.isWhole && day.events.length + day.overdue.length + day.due.length === 0
  // Whoever begins to type before all is read must not lose letters, and nobody else is at anything yet.
  const mayBeEmpty = isEmpty || (!day.isWhole && day.isNothingKnown)
  const isReady = useReady(day)
  return (
    <div className="today-page">
      <div className="today">
        <header>
          <PageHeading>{m.title}</PageHeading>
          <Greeting date={date} />
        </header>
        {isEmpty && <p className="today-nothing">{m.nothing}</p>}
        <QuickAdd where="page" hasExamples={isEmpty} takesFocus={mayBeEmpty} />
        {day.refusal && <ProblemNote refusal={day.refusal} sentence={m.unread} onTryAgain={reread} />}
        {isReady ? <Lists date={date} day={day} isEmpty={isEmpty} /> : <Skeleton lines={8} />}
        <p>
          <Link href={calendarAddress('day', date)}>{m.calendar}</Link>
        </p>
      </div>
      <Beside date={date} isReady={isReady} />
    </div>
  )
}

interface BesideProps {
  readonly date: Temporal.PlainDate
  readonly isReady: boolean
}

/** Beside the day on a wide screen; on others below it, so that it waits for the day. */
function Beside({ date, isReady }: BesideProps) {
  const part = useFetched(beside)
  const isBelow = useScreen() !== 'desktop'
  // The list of the day says where it is missing.
  return part.is === 'there' && (isReady || !isBelow) ? <part.value.BesideDay date={date} /> : null
}

/** Once all is read, and at once where this browser knows the day from before: lists that grow push away what one reads. */
function useReady({ isWhole, isNothingKnown, refusal }: ReturnType<typeof useAgendaOf>): boolean {
  const [wasKnown] = useState(!isNothingKnown)
  return isWhole || wasKnown || refusal !== undefined
}

/** The date of the address, else today. */
function useDate(): Temporal.PlainDate {
  const asked = new URLSearchParams(useSearch()).get('date') ?? ''
  const today = useToday()
  return useMemo(() => readDate(asked) ?? today, [asked, today])
}

function Greeting({ date }: { readonly date: Temporal.PlainDate }) {
  const m = useMessages(messages)
  const locale = useLocale()
  const { user, settings } = useSignedIn()
  const hour = useHour()
  const isToday = date.equals(useToday())
  const day = fullDate(date, locale)
  // The sentence has a full stop of its own.
  const name = (settings.preferred_name ?? user.username).replace(/\.$/, '')
  return <p className="today-greeting">{isToday ? m.greeting(hour, name, day) : day}</p>
}

interface ListsProps {
  readonly date: Temporal.PlainDate
  readonly day: ReturnType<typeof useAgendaOf>
  readonly isEmpty: boolean
}

function Lists({ date, day, isEmpty }: ListsProps) {
  const m = useMessages(messages)
  const reading = useReading()
  const lists = useRef<HTMLDivElement>(null)
  const { open, toggle, dialogs } = useEntryActions(reading, lists)
  const toggleHere = (due: Parameters<typeof toggle>[0]) => {
    day.keep(due)
    toggle(due)
  }
  const shared = { reading, onOpen: open }
  const number = dayNumber(date)
  const part = useFetched(beside)
  if (part.is === 'awaited') return <Skeleton lines={8} />
  return (
    <div className="today-lists" ref={lists}>
      {part.is === 'there' && <part.value.DueReminders />}
      {part.is === 'missing' && <MissingNote {...missingOf(beside, part.reason)} />}
      <TodaySection title={m.overdue} items={day.overdue}>
        {(due) => (
          <>
            <DueLine due={due} onToggle={toggleHere} />
            <span className="today-when">{shortDay(Temporal.PlainDate.from(due.date), reading.locale)}</span>
          </>
        )}
      </TodaySection>
      <TodaySection title={m.events} items={day.events}>
        {(entry) => <EventLine entry={entry} day={number} {...shared} />}
      </TodaySection>
      <TodaySection title={m.due} items={day.due}>
        {(due) => <DueLine due={due} onToggle={toggleHere} />}
      </TodaySection>
      {isEmpty &&
        day.next.map(({ day: next, date: nextDate, items }) => (
          <TodaySection key={next} title={dayTitle(nextDate, reading.locale)} items={items}>
            {(item) =>
              'isDone' in item ? (
                <DueLine due={item} onToggle={toggleHere} />
              ) : (
                <EventLine entry={item} day={next} {...shared} />
              )
            }
          </TodaySection>
        ))}
      {dialogs}
    </div>
  )
}
