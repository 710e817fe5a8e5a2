import { type RefObject, useEffect, useRef } from 'react'
import type { ReminderView } from '../../features/tasks/reminders/model'
import { DateField } from '../events/DateField'
import { readDay, shownTime } from '../events/draft'
import { ZoneField } from '../events/ZoneField'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { useRefusals } from '../messages/refusals'
import { Button } from '../parts/Button'
import { Field } from '../parts/Field'
import { ProblemNote } from '../parts/ProblemNote'
import { SuggestField } from '../parts/SuggestField'
import { TextArea } from '../parts/TextArea'
import { RepeatField } from '../recurrence/RepeatField'
import { parseTime } from '../time/parse'
import { wallOf } from './draft'
import { type ReminderEditorState, useReminderEditor } from './use-reminder-editor'
import { type ShownProblems, useFieldProblems } from '../parts/use-field-problems'

const messages = defineMessages({
  en: {
    title: 'Title',
    date: 'Date',
    time: 'Time',
    description: 'Description',
    save: 'Save',
    discard: 'Discard changes',
    missing: 'Fill this in.',
    unreadDate: 'This is not a date. Type it like 24 Nov or 2026-11-24.',
    unreadTime: 'This is not a time. Type it like 14:30.',
    unreadZone: 'There is no such time zone.',
    dayless: 'A time needs a date as well.',
    timeless: 'A date needs a time as well.',
    repeatless: 'What repeats needs a date and a time.',
    elsewhere: 'Another program repeats this. Its time and repetition change there.',
  },
  de: {
    title: 'Titel',
    date: 'Datum',
    time: 'Uhrzeit',
    description: 'Beschreibung',
    save: 'Speichern',
    discard: 'Änderungen verwerfen',
    missing: 'Bitte ausfüllen.',
    unreadDate: 'Das ist kein Datum. Möglich ist zum Beispiel 24.11. oder 2026-11-24.',
    unreadTime: 'Das ist keine Uhrzeit. Möglich ist zum Beispiel 14:30.',
    unreadZone: 'Diese Zeitzone gibt es nicht.',
    dayless: 'Zu einer Uhrzeit gehört auch ein Tag.',
    timeless: 'Zu einem Tag gehört auch eine Uhrzeit.',
    repeatless: 'Was sich wiederholt, braucht Tag und Uhrzeit.',
    elsewhere: 'Ein anderes Programm wiederholt dies. Zeit und Wiederholung ändern sich dort.',
  },
})

/** The fields of a reminder, with a button that saves them together. */
export function ReminderForm({ reminder }: { readonly reminder: ReminderView }) {
  const m = useMessages(messages)
  const editor = useReminderEditor(reminder)
  const ref = useRef<HTMLFormElement>(null)
  const { attempt, refusal, save, draft, change } = editor
  const problems = useProblems(editor)
  useEffect(() => {
    ref.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
  }, [attempt, refusal])
  return (
    <form
      ref={ref}
      className="event-form"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        save()
      }}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) save()
      }}
    >
      <Refused editor={editor} />
      <Field
        label={m.title}
        name="title"
        autoComplete="off"
        maxLength={200}
        value={draft.title}
        problem={problems['title']}
        onChange={({ target }) => change({ title: target.value })}
      />
      {reminder.recurrence_unsupported ? (
        <p className="field-hint">{m.elsewhere}</p>
      ) : (
        <Times editor={editor} problems={problems} />
      )}
      <TextArea
        label={m.description}
        name="description"
        maxLength={10_000}
        value={draft.description}
        problem={problems['description']}
        onChange={({ target }) => change({ description: target.value })}
      />
      <Foot form={ref} editor={editor} />
    </form>
  )
}

interface ReminderFootProps {
  readonly form: RefObject<HTMLFormElement | null>
  readonly editor: ReminderEditorState
}

function Foot({ form, editor }: ReminderFootProps) {
  const m = useMessages(messages)
  const discard = () => {
    editor.discard()
    // The button goes with the changes: the focus stays in the form.
    form.current?.querySelector('input')?.focus()
  }
  return (
    <div className="reminder-foot">
      {editor.isTyped && <Button onClick={discard}>{m.discard}</Button>}
      <Button kind="primary" type="submit">
        {m.save}
      </Button>
    </div>
  )
}

/** Where the fields of a request stand in the form. */
const PLACES: Readonly<Record<string, string>> = {
  remind_at: 'date',
  recurrence_rule: 'rule',
  time_zone: 'timeZone',
}

function useProblems({ problems, refusal }: ReminderEditorState): ShownProblems {
  const m = useMessages(messages)
  const unread: ShownProblems = { date: m.unreadDate, time: m.unreadTime, timeZone: m.unreadZone }
  const own = Object.entries(problems).map(([name, problem]) => {
    const together = name === 'date' ? m.dayless : m.timeless
    return [
      name,
      { missing: m.missing, unread: unread[name], together, timeless: m.repeatless }[problem],
    ] as const
  })
  return useFieldProblems(refusal, own, PLACES)
}

function Refused({ editor: { refusal } }: { readonly editor: ReminderEditorState }) {
  const { sentence } = useRefusals()
  if (!refusal || refusal.errors.length > 0) return null
  return <ProblemNote refusal={refusal} sentence={sentence(refusal)} />
}

const QUARTERS = Array.from({ length: 96 }, (_, quarter) => {
  const time = shownTime(new Temporal.PlainTime(Math.floor(quarter / 4), (quarter % 4) * 15))
  return { value: time, label: time }
})

interface TimesProps {
  readonly editor: ReminderEditorState
  readonly problems: ShownProblems
}

/** When it speaks up, on the clocks of which zone, and how it comes again. */
function Times({ editor, problems }: TimesProps) {
  const { draft, change, forms } = editor
  const isTimed = draft.date.trim() !== '' || draft.rule !== ''
  return (
    <>
      <Moment editor={editor} problems={problems} />
      {isTimed && (
        <>
          <RepeatField
            rule={draft.rule}
            day={readDay(draft.date, forms)}
            start={wallOf(draft, forms)?.toString({ smallestUnit: 'second' })}
            timeZone={draft.timeZone}
            problem={problems['rule']}
            onChange={(rule) => change({ rule })}
          />
          <ZoneField
            value={draft.timeZone}
            onChange={(timeZone) => change({ timeZone })}
            hint={undefined}
            problem={problems['timeZone']}
          />
        </>
      )}
    </>
  )
}

function Moment({ editor, problems }: TimesProps) {
  const m = useMessages(messages)
  const { draft, change } = editor
  const time = parseTime(draft.time)
  return (
    <div className="event-form-times">
      <DateField
        label={m.date}
        name="date"
        value={draft.date}
        problem={problems['date']}
        onChange={(date) => change({ date })}
      />
      <SuggestField
        label={m.time}
        name="time"
        options={QUARTERS}
        nearest={time && shownTime(time)}
        value={draft.time}
        problem={problems['time']}
        onChange={(text) => change({ time: text })}
        onBlur={() => time && shownTime(time) !== draft.time && change({ time: shownTime(time) })}
      />
    </div>
  )
}
