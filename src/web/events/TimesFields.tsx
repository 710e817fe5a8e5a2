import { useMessages } from '../messages/language'
import { Checkbox } from '../parts/Checkbox'
import { SuggestField } from '../parts/SuggestField'
import { clockTime } from '../time/format'
import { showsSame, zonePlace } from '../time/zones'
import { useZone } from '../time/use-zone'
import { parseTime } from '../time/parse'
import { DateField } from './DateField'
import { type EventDraft, readSpan, shownTime, withStart } from './draft'
import { eventTexts } from './texts'
import type { EventEditorState } from './use-event-editor'
import { ZoneField } from './ZoneField'

const QUARTERS = Array.from({ length: 96 }, (_, quarter) => {
  const time = shownTime(new Temporal.PlainTime(Math.floor(quarter / 4), (quarter % 4) * 15))
  return { value: time, label: time }
})

interface TimesFieldsProps {
  readonly editor: EventEditorState
  readonly problems: Readonly<Record<string, string | undefined>>
}

/** When the event is. The end follows the start; what is typed is shown in full once it is read. */
export function TimesFields({ editor, problems }: TimesFieldsProps) {
  const m = useMessages(eventTexts)
  const { draft, change } = editor
  return (
    <>
      <Checkbox label={m.allDay} checked={draft.allDay} onChange={(allDay) => change({ allDay })} />
      <div className={draft.allDay ? 'event-form-times event-form-times-days' : 'event-form-times'}>
        <DayField label={m.startDate} name="startDate" editor={editor} problem={problems.startDate} />
        {!draft.allDay && (
          <ClockField label={m.startTime} name="startTime" editor={editor} problem={problems.startTime} />
        )}
        <DayField label={m.endDate} name="endDate" editor={editor} problem={problems.endDate} />
        {!draft.allDay && (
          <ClockField label={m.endTime} name="endTime" editor={editor} problem={problems.endTime} />
        )}
      </div>
      {!draft.allDay && (
        <ZoneField
          value={draft.timeZone}
          onChange={(timeZone) => change({ timeZone })}
          problem={problems.timeZone}
          hint={<HereHint draft={draft} editor={editor} />}
        />
      )}
    </>
  )
}

interface TimeFieldProps<N extends keyof EventDraft> {
  readonly label: string
  readonly name: N
  readonly editor: EventEditorState
  readonly problem: string | undefined
}

function DayField({ label, name, editor, problem }: TimeFieldProps<'startDate' | 'endDate'>) {
  const { draft, change, forms } = editor
  const type = (text: string) =>
    change(name === 'startDate' ? withStart(draft, { startDate: text }, forms) : { endDate: text })
  return <DateField label={label} name={name} value={draft[name]} problem={problem} onChange={type} />
}

function ClockField({ label, name, editor, problem }: TimeFieldProps<'startTime' | 'endTime'>) {
  const { draft, change, forms } = editor
  const type = (text: string) =>
    change(name === 'startTime' ? withStart(draft, { startTime: text }, forms) : { endTime: text })
  const time = parseTime(draft[name])
  return (
    <SuggestField
      label={label}
      name={name}
      value={draft[name]}
      options={QUARTERS}
      nearest={
        time &&
        shownTime(time.round({ smallestUnit: 'minute', roundingIncrement: 15, roundingMode: 'floor' }))
      }
      problem={problem}
      onChange={type}
      onBlur={() => time && shownTime(time) !== draft[name] && type(shownTime(time))}
    />
  )
}

/** The times on the viewer's clocks, where those of the event show something else. */
function HereHint({ draft, editor }: { readonly draft: EventDraft; readonly editor: EventEditorState }) {
  const m = useMessages(eventTexts)
  const zone = useZone()
  const { startDay, startTime } = readSpan(draft, editor.forms)
  const at = startDay && startTime && instantIn(startDay.toPlainDateTime(startTime), draft.timeZone)
  if (!at || showsSame(at, draft.timeZone, zone)) return null
  return m.here(clockTime(at, zone, editor.forms.locale), zonePlace(zone))
}

function instantIn(wall: Temporal.PlainDateTime, zone: string): Temporal.Instant | undefined {
  try {
    return wall.toZonedDateTime(zone).toInstant()
  } catch {
    return undefined
  }
}
