import { type KeyboardEvent, type RefObject, useRef } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { FieldBox, type FieldTexts } from '../parts/FieldBox'
import { Icon } from '../parts/Icon'
import { readDay, shownDate } from './draft'
import { useDateForms } from './use-date-forms'

const messages = defineMessages({ en: { choose: 'Choose a date' }, de: { choose: 'Datum wählen' } })

interface DateFieldProps extends FieldTexts {
  /** The day as it was typed. */
  readonly value: string
  readonly onChange: (text: string) => void
  /** A day from the browser's calendar; by default it counts as typed. */
  readonly onChoose?: (text: string) => void
  readonly onBlur?: () => void
  readonly onKeyDown?: (event: KeyboardEvent) => void
  readonly name?: string
  readonly maxLength?: number
  readonly disabled?: boolean
}

/**
 * A day, typed or chosen in the browser's own calendar, which its button opens, and Alt with the down arrow. What is typed is
 * shown in full once it is read (contract: web.dates).
 */
export function DateField(props: DateFieldProps) {
  const { label, hint, problem, value, onChange, onChoose = onChange, onBlur, onKeyDown, ...rest } = props
  const forms = useDateForms()
  const calendar = useRef<HTMLInputElement>(null)
  const day = readDay(value, forms)
  const open = () => calendar.current?.showPicker()
  const finish = () => {
    const shown = day && shownDate(day, forms.locale)
    if (shown !== undefined && shown !== value) onChange(shown)
    onBlur?.()
  }
  const pressed = (event: KeyboardEvent) => {
    if (!event.altKey || event.key !== 'ArrowDown') return onKeyDown?.(event)
    event.preventDefault()
    open()
  }
  return (
    <FieldBox label={label} hint={hint} problem={problem}>
      {(ties) => (
        <span className="date-field">
          <input
            {...rest}
            {...ties}
            className="input"
            autoComplete="off"
            value={value}
            onChange={({ target }) => onChange(target.value)}
            onBlur={finish}
            onKeyDown={pressed}
            onFocus={({ target }) => target.select()}
          />
          <NativeCalendar
            ref={calendar}
            day={day}
            onChoose={(chosen) => onChoose(shownDate(chosen, forms.locale))}
          />
          {rest.disabled !== true && <CalendarButton onOpen={open} />}
        </span>
      )}
    </FieldBox>
  )
}

/** For fingers and mice; keys open the calendar from the field. */
function CalendarButton({ onOpen }: { readonly onOpen: () => void }) {
  const { choose } = useMessages(messages)
  return (
    <button
      type="button"
      className="combobox-open"
      tabIndex={-1}
      aria-label={choose}
      title={choose}
      onClick={onOpen}
    >
      <Icon name="calendar" />
    </button>
  )
}

interface NativeCalendarProps {
  readonly ref: RefObject<HTMLInputElement | null>
  readonly day: Temporal.PlainDate | undefined
  readonly onChoose: (day: Temporal.PlainDate) => void
}

/** An input that nobody sees, for the calendar that the browser opens from it. */
function NativeCalendar({ ref, day, onChoose }: NativeCalendarProps) {
  return (
    <input
      ref={ref}
      type="date"
      aria-hidden="true"
      tabIndex={-1}
      value={day?.toString() ?? ''}
      onChange={({ target }) => target.value !== '' && onChoose(Temporal.PlainDate.from(target.value))}
    />
  )
}
