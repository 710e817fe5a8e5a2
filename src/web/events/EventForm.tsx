import { type CSSProperties, type SyntheticEvent, useEffect, useId, useRef } from 'react'
import type { CalendarView } from '../../features/calendars/calendars/model'
import type { EventView } from '../../features/events/events/model'
import type { Refusal } from '../api/refusal'
import { useMessages } from '../messages/language'
import { useRefusals } from '../messages/refusals'
import { Checkbox } from '../parts/Checkbox'
import { Field } from '../parts/Field'
import { ProblemNote } from '../parts/ProblemNote'
import { Select } from '../parts/Select'
import { TextArea } from '../parts/TextArea'
import { RepeatField } from '../recurrence/RepeatField'
import { useSignedIn } from '../session/use-session'
import { readDraft, readSpan } from './draft'
import { InviteField } from './InviteField'
import { eventTexts } from './texts'
import { TimesFields } from './TimesFields'
import type { EventEditorState } from './use-event-editor'
import { type ShownProblems, useFieldProblems } from '../parts/use-field-problems'

interface EventFormProps {
  readonly id: string
  readonly editor: EventEditorState
  /** The event, if it is there already; its invitations are shown with it. */
  readonly event: EventView | undefined
}

/** All fields of an event. */
export function EventForm({ id, editor, event: opened }: EventFormProps) {
  const problems = useProblems(editor)
  const ref = useFocusOnProblem(editor)
  const chosen = editor.calendars.find((each) => isChosen(each, editor.draft.calendarId))
  // In somebody else's calendar no event can be made private, and nobody invited. The event says whose it is before the
  // calendars are there.
  const isOwn = (chosen ?? opened)?.access !== 'write'
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    editor.save()
  }
  return (
    <form
      ref={ref}
      id={id}
      className="event-form"
      noValidate
      onSubmit={submit}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
      }}
    >
      {editor.isContinued && <Continued editor={editor} />}
      {editor.refusal && <Refused refusal={editor.refusal} />}
      <TitleField editor={editor} problem={problems.title} />
      <CalendarField chosen={chosen} editor={editor} problem={problems.calendar} />
      <TimesFields editor={editor} problems={problems} />
      <Repetition editor={editor} problem={problems.rule} />
      <Details editor={editor} problems={problems} />
      <ReminderField editor={editor} />
      {(isOwn || editor.draft.isPrivate) && <PrivateField editor={editor} />}
      {isOwn && <InviteField event={opened} guests={editor.guests} onChange={editor.setGuests} />}
    </form>
  )
}

/** After each refused attempt the first wrong field has the focus. */
function useFocusOnProblem({ attempt, refusal }: EventEditorState) {
  const ref = useRef<HTMLFormElement>(null)
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempt, refusal])
  return ref
}

interface OneField {
  readonly editor: EventEditorState
  readonly problem: string | undefined
}

function TitleField({ editor: { draft, change }, problem }: OneField) {
  const m = useMessages(eventTexts)
  return (
    <Field
      label={m.title}
      name="title"
      data-autofocus
      autoComplete="off"
      maxLength={200}
      value={draft.title}
      problem={problem}
      onChange={(event) => change({ title: event.target.value })}
    />
  )
}

function Details({
  editor: { draft, change },
  problems,
}: {
  readonly editor: EventEditorState
  readonly problems: ShownProblems
}) {
  const m = useMessages(eventTexts)
  return (
    <>
      <Field
        label={m.location}
        name="location"
        autoComplete="off"
        maxLength={500}
        value={draft.location}
        problem={problems.location}
        onChange={(event) => change({ location: event.target.value })}
      />
      <TextArea
        label={m.description}
        name="description"
        maxLength={10_000}
        value={draft.description}
        problem={problems.description}
        onChange={(event) => change({ description: event.target.value })}
      />
    </>
  )
}

const isChosen = (calendar: CalendarView, id: number | undefined) =>
  id === undefined ? calendar.is_default : calendar.id === id

/** Where the fields of a request stand in the form. */
const PLACES: Readonly<Record<string, string>> = {
  start_at: 'startTime',
  start_date: 'startDate',
  end_at: 'endTime',
  end_date: 'endDate',
  time_zone: 'timeZone',
  recurrence_rule: 'rule',
  calendar_id: 'calendar',
}
function useProblems({ problems, refusal }: EventEditorState): ShownProblems {
  const m = useMessages(eventTexts)
  const unread = (name: string) => {
    if (name.endsWith('Time')) return m.unreadTime
    return name === 'timeZone' ? m.unreadZone : m.unreadDate
  }
  const own = Object.entries(problems).map(([name, problem]) => {
    const sentences = { missing: m.missing, 'before-start': m.beforeStart, unread: unread(name) }
    return [name, sentences[problem]] as const
  })
  return useFieldProblems(refusal, own, PLACES)
}

function Refused({ refusal }: { readonly refusal: Refusal }) {
  const m = useMessages(eventTexts)
  const { sentence } = useRefusals()
  if (refusal.errors.length > 0) return null
  const known: Readonly<Record<number, string>> = { 403: m.forbidden, 404: m.gone }
  return <ProblemNote refusal={refusal} sentence={known[refusal.status] ?? sentence(refusal)} />
}

function Continued({ editor }: { readonly editor: EventEditorState }) {
  const m = useMessages(eventTexts)
  return (
    <p className="event-kept">
      {m.kept}{' '}
      <button type="button" className="link-button" onClick={editor.discard}>
        {m.discard}
      </button>
    </p>
  )
}

interface CalendarFieldProps extends OneField {
  readonly chosen: CalendarView | undefined
}

/** The second field, in the calendar's colour, so that nobody files an event wrongly by accident. */
function CalendarField({ chosen, editor, problem }: CalendarFieldProps) {
  const m = useMessages(eventTexts)
  const writable = editor.calendars.filter(
    ({ access, is_system: isSystem }) => access !== 'read' && !isSystem,
  )
  return (
    <div className="event-calendar" style={{ '--calendar': chosen?.color ?? 'transparent' } as CSSProperties}>
      <Select
        label={m.calendar}
        name="calendar"
        options={writable.map(({ id, name }) => ({ value: String(id), label: name }))}
        value={chosen ? String(chosen.id) : ''}
        problem={problem}
        onChange={(value) => editor.change({ calendarId: Number(value) })}
      />
    </div>
  )
}

function Repetition({ editor, problem }: OneField) {
  const { draft, forms, change } = editor
  const read = readDraft({ ...draft, title: '-' }, forms)
  const start = 'body' in read ? (read.body.start_at ?? read.body.start_date ?? undefined) : undefined
  return (
    <RepeatField
      rule={draft.rule}
      day={readSpan(draft, forms).startDay}
      start={start}
      timeZone={draft.timeZone}
      problem={problem}
      onChange={(rule) => change({ rule })}
    />
  )
}

const HOUR = 60
const DAY = 24 * HOUR
const USUAL = [0, 5, 10, 15, 30, HOUR, 2 * HOUR, DAY, 2 * DAY, 7 * DAY]

function ReminderField({ editor }: { readonly editor: EventEditorState }) {
  const m = useMessages(eventTexts)
  const { settings } = useSignedIn()
  const { draft, change } = editor
  const words = (minutes: number) => {
    if (minutes === 0) return m.atStart
    if (minutes % DAY === 0) return m.daysBefore(minutes / DAY)
    return minutes % HOUR === 0 ? m.hoursBefore(minutes / HOUR) : m.minutesBefore(minutes)
  }
  const offered = new Set([...USUAL, ...(draft.reminder === '' ? [] : [Number(draft.reminder)])])
  const options = [
    { value: '', label: m.reminderDefault(words(settings.ntfy_event_lead_minutes)) },
    ...[...offered]
      .toSorted((a, b) => a - b)
      .map((minutes) => ({ value: String(minutes), label: words(minutes) })),
  ]
  return (
    <Select
      label={m.remindMe}
      name="reminder"
      options={options}
      value={draft.reminder}
      onChange={(reminder) => change({ reminder })}
    />
  )
}

function PrivateField({ editor: { draft, change } }: Pick<OneField, 'editor'>) {
  const m = useMessages(eventTexts)
  return (
    <Checkbox
      label={m.private}
      hint={m.privateHint}
      checked={draft.isPrivate}
      onChange={(isPrivate) => change({ isPrivate })}
    />
  )
}

/** The id of a form, for the button that sends it from outside. */
export const useFormId = () => `${useId()}-form`
