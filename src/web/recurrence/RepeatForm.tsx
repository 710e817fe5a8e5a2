import { type ReactNode, useId, useState } from 'react'
import { useLanguage, useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Field } from '../parts/Field'
import { RadioGroup } from '../parts/RadioGroup'
import { Select } from '../parts/Select'
import { useDateForms } from '../events/use-date-forms'
import { DateField } from '../events/DateField'
import { readDay, shownDate } from '../events/draft'
import { FREQUENCIES, nthOf, type NthWeekday, type Repeat } from './rule'
import { nthInWords, weekdayName } from './words'

const messages = defineMessages({
  en: {
    rule: 'Custom repetition',
    interval: 'Every',
    unit: 'Unit',
    DAILY: 'days',
    WEEKLY: 'weeks',
    MONTHLY: 'months',
    YEARLY: 'years',
    weekdays: 'On these days',
    monthly: 'In the month',
    onDay: (day: number) => `On day ${day}`,
    onNth: (nth: string) => `On the ${nth}`,
    ends: 'Ends',
    never: 'Never',
    until: 'On a date',
    count: 'After a number of times',
    lastDay: 'Last day',
    times: 'Number of times',
    notDay: 'This is not a date. Type it like 2026-12-31.',
    notCount: (most: number) => `A whole number from 1 to ${most}.`,
  },
  de: {
    rule: 'Eigene Wiederholung',
    interval: 'Alle',
    unit: 'Einheit',
    DAILY: 'Tage',
    WEEKLY: 'Wochen',
    MONTHLY: 'Monate',
    YEARLY: 'Jahre',
    weekdays: 'An diesen Tagen',
    monthly: 'Im Monat',
    onDay: (day: number) => `Am ${day}.`,
    onNth: (nth: string) => `Am ${nth}`,
    ends: 'Endet',
    never: 'Nie',
    until: 'An einem Tag',
    count: 'Nach einer Anzahl',
    lastDay: 'Letzter Tag',
    times: 'Anzahl',
    notDay: 'Das ist kein Datum. Möglich ist zum Beispiel 2026-12-31.',
    notCount: (most: number) => `Eine ganze Zahl von 1 bis ${most}.`,
  },
})

interface RepeatFormProps {
  readonly repeat: Repeat
  readonly onChange: (repeat: Repeat) => void
  readonly day: Temporal.PlainDate | undefined
}

const MOST_INTERVAL = 1000
const MOST_TIMES = 10_000

/** One's own repetition: how often, on which days, and until when. */
export function RepeatForm(props: RepeatFormProps) {
  const m = useMessages(messages)
  const { repeat, onChange, day } = props
  const id = useId()
  const change = (changes: Partial<Repeat>) => onChange({ ...repeat, ...changes })
  return (
    <div className="repeat-form" role="group" aria-labelledby={`${id}-name`}>
      <span id={`${id}-name`} className="visually-hidden">
        {m.rule}
      </span>
      <div className="repeat-rhythm">
        <NumberField
          label={m.interval}
          value={repeat.interval}
          most={MOST_INTERVAL}
          onChange={(interval) => change({ interval })}
        />
        <Select
          label={m.unit}
          options={FREQUENCIES.map((value) => ({ value, label: m[value] }))}
          value={repeat.frequency}
          onChange={(frequency) => change({ ...onDays(frequency, day), frequency })}
        />
      </div>
      {repeat.frequency === 'WEEKLY' && <Weekdays {...props} />}
      {repeat.frequency === 'MONTHLY' && day && <MonthRule {...props} day={day} />}
      <End {...props} />
    </div>
  )
}

/** The days of another frequency begin as those of the start. */
const onDays = (frequency: Repeat['frequency'], day: Temporal.PlainDate | undefined): Partial<Repeat> => ({
  weekdays: frequency === 'WEEKLY' && day ? [day.dayOfWeek] : [],
  nth: undefined,
})

function Weekdays({ repeat, onChange }: RepeatFormProps) {
  const m = useMessages(messages)
  const { language } = useLanguage()
  const toggle = (weekday: number, isOn: boolean) => {
    const rest = repeat.weekdays.filter((each) => each !== weekday)
    onChange({ ...repeat, weekdays: isOn ? [...rest, weekday].toSorted((a, b) => a - b) : rest })
  }
  return (
    <Group label={m.weekdays}>
      <div className="weekdays">
        {[1, 2, 3, 4, 5, 6, 7].map((weekday) => (
          <label key={weekday} className="weekday">
            <input
              type="checkbox"
              aria-label={weekdayName(weekday, language)}
              checked={repeat.weekdays.includes(weekday)}
              onChange={(event) => toggle(weekday, event.target.checked)}
            />
            <span aria-hidden="true">{weekdayName(weekday, language, 'short')}</span>
          </label>
        ))}
      </div>
    </Group>
  )
}

function MonthRule({ repeat, onChange, day }: RepeatFormProps & { readonly day: Temporal.PlainDate }) {
  const m = useMessages(messages)
  const { language } = useLanguage()
  const { place, weekday, isLast } = nthOf(day)
  const places: readonly NthWeekday[] = [
    ...(place <= 4 ? [{ place, weekday }] : []),
    ...(isLast ? [{ place: -1, weekday }] : []),
    ...(repeat.nth ? [repeat.nth] : []),
  ]
  const named = new Map(places.map((nth) => [`${nth.place} ${nth.weekday}`, nth]))
  const options = [
    { value: 'day', label: m.onDay(day.day) },
    ...[...named].map(([value, nth]) => ({ value, label: m.onNth(nthInWords(nth, language)) })),
  ]
  return (
    <RadioGroup
      label={m.monthly}
      options={options}
      value={repeat.nth ? `${repeat.nth.place} ${repeat.nth.weekday}` : 'day'}
      onChange={(value) => onChange({ ...repeat, nth: named.get(value) })}
    />
  )
}

const USUAL_TIMES = 10

function End({ repeat, onChange, day }: RepeatFormProps) {
  const m = useMessages(messages)
  const { until, count } = repeat
  const kind = until === undefined ? (count === undefined ? 'never' : 'count') : 'until'
  const choose = (chosen: 'never' | 'until' | 'count') => {
    const last = (day ?? Temporal.PlainDate.from('2026-01-01')).add({ months: 3 }).toString()
    onChange({
      ...repeat,
      until: chosen === 'until' ? last : undefined,
      count: chosen === 'count' ? USUAL_TIMES : undefined,
    })
  }
  return (
    <div className="repeat-rhythm">
      <Select
        label={m.ends}
        options={[
          { value: 'never', label: m.never },
          { value: 'until', label: m.until },
          { value: 'count', label: m.count },
        ]}
        value={kind}
        onChange={choose}
      />
      {until !== undefined && (
        <DayField value={until} onChange={(last) => onChange({ ...repeat, until: last })} />
      )}
      {count !== undefined && (
        <NumberField
          label={m.times}
          value={count}
          most={MOST_TIMES}
          onChange={(times) => onChange({ ...repeat, count: times })}
        />
      )}
    </div>
  )
}

interface NumberFieldProps {
  readonly label: string
  readonly value: number
  readonly most: number
  readonly onChange: (value: number) => void
}

/** Keeps what is typed until it is a number that counts. */
function NumberField({ label, value, most, onChange }: NumberFieldProps) {
  const m = useMessages(messages)
  const [text, setText] = useState(String(value))
  const isRight = /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= most
  return (
    <Field
      label={label}
      inputMode="numeric"
      value={text}
      problem={isRight ? undefined : m.notCount(most)}
      onChange={(event) => {
        setText(event.target.value)
        const typed = Number(event.target.value)
        if (Number.isInteger(typed) && typed >= 1 && typed <= most) onChange(typed)
      }}
    />
  )
}

function DayField({ value, onChange }: { readonly value: string; readonly onChange: (day: string) => void }) {
  const m = useMessages(messages)
  const locale = useLocale()
  const forms = useDateForms()
  const [text, setText] = useState(() => shownDate(Temporal.PlainDate.from(value), locale))
  return (
    <DateField
      label={m.lastDay}
      value={text}
      problem={readDay(text, forms) ? undefined : m.notDay}
      onChange={(typed) => {
        setText(typed)
        const day = readDay(typed, forms)
        if (day) onChange(day.toString())
      }}
    />
  )
}

function Group({ label, children }: { readonly label: string; readonly children: ReactNode }) {
  const id = useId()
  return (
    <div role="group" aria-labelledby={id} className="radios">
      <span id={id} className="radios-label">
        {label}
      </span>
      {children}
    </div>
  )
}
