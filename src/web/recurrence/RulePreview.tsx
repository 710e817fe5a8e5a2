import { useCallback, useDeferredValue } from 'react'
import { useAnswer } from '../api/use-answer'
import { previewRule } from '../events/reads'
import { useLanguage, useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { dayTitle, fullDate } from '../time/format'
import { repeatOf } from './rule'
import { inWords } from './words'

const messages = defineMessages({
  en: {
    next: (words: string) => `Repeats ${words}. The first dates:`,
    refused: (reason: string) => `This rule is not possible: ${reason}`,
    unknown: 'The next dates cannot be shown now.',
  },
  de: {
    next: (words: string) => `Wiederholt sich ${words}. Die ersten Tage:`,
    refused: (reason: string) => `Diese Regel ist nicht möglich: ${reason}`,
    unknown: 'Die nächsten Tage lassen sich gerade nicht zeigen.',
  },
})

interface RulePreviewProps {
  readonly rule: string
  readonly start: string
  readonly timeZone: string
}

const SHOWN = 5

/** The rule in words with its first five dates, as the service expands it. */
export function RulePreview(props: RulePreviewProps) {
  const m = useMessages(messages)
  const { language } = useLanguage()
  const locale = useLocale()
  const rule = useDeferredValue(props.rule)
  const start = useDeferredValue(props.start)
  const { timeZone } = props
  const ask = useCallback(
    () => previewRule({ recurrence_rule: rule, start, time_zone: timeZone, count: SHOWN }),
    [rule, start, timeZone],
  )
  const { value, refusal } = useAnswer(ask)
  if (refusal) {
    const [problem] = refusal.errors
    return <p className="repeat-preview">{problem ? m.refused(problem.message) : m.unknown}</p>
  }
  if (!value) return <p className="repeat-preview" aria-busy="true" />
  const repeat = repeatOf(rule)
  const days = value.occurrences.map((each) => dayOf(each, timeZone))
  const year = days[0]?.year
  return (
    <div className="repeat-preview">
      <p>{m.next(repeat ? inWords(repeat, language) : value.text)}</p>
      <ol>
        {days.map((day, index) => (
          <li key={value.occurrences[index]}>
            {day.year === year ? dayTitle(day, locale) : fullDate(day, locale)}
          </li>
        ))}
      </ol>
    </div>
  )
}

const dayOf = (occurrence: string, zone: string): Temporal.PlainDate =>
  occurrence.length === 10
    ? Temporal.PlainDate.from(occurrence)
    : Temporal.Instant.from(occurrence).toZonedDateTimeISO(zone).toPlainDate()
