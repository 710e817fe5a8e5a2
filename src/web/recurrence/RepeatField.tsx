import { useState } from 'react'
import { useLanguage, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Select } from '../parts/Select'
import { presetsFor } from './presets'
import { RepeatForm } from './RepeatForm'
import { RulePreview } from './RulePreview'
import { every, repeatOf, ruleOf } from './rule'
import { inWords } from './words'

const messages = defineMessages({
  en: {
    repeat: 'Repeat',
    never: 'Does not repeat',
    own: 'Custom…',
    kept: 'As it is now',
  },
  de: {
    repeat: 'Wiederholen',
    never: 'Keine Wiederholung',
    own: 'Eigene Regel …',
    kept: 'Wie bisher',
  },
})

interface RepeatFieldProps {
  /** The value of an RRULE; empty when nothing repeats. */
  readonly rule: string
  readonly onChange: (rule: string) => void
  /** The first day, as far as it can be read. */
  readonly day: Temporal.PlainDate | undefined
  /** The first occurrence for the preview: a day, or wall time in the zone. */
  readonly start: string | undefined
  readonly timeZone: string
  readonly problem?: string | undefined
}

const OWN = 'own'

/** Chooses a repetition: one that is likely for the day, or one's own (contract: web.repeat). */
export function RepeatField({ rule, onChange, day, start, timeZone, problem }: RepeatFieldProps) {
  const m = useMessages(messages)
  const { language } = useLanguage()
  const [isOwn, setOwn] = useState(false)
  const [first] = useState(rule)
  const presets = day ? presetsFor(day) : [every('DAILY'), every('WEEKLY'), every('MONTHLY'), every('YEARLY')]
  const offered = presets.map((repeat) => ({
    value: ruleOf(repeat),
    label: capital(inWords(repeat, language)),
  }))
  // A rule that is none of the offered ones, such as that of an imported event, stays to be chosen.
  const others = [...new Set([first, rule])].filter(
    (each) => each !== '' && offered.every(({ value }) => value !== each),
  )
  const options = [
    { value: '', label: m.never },
    ...offered,
    ...others.map((value) => {
      const repeat = repeatOf(value)
      return { value, label: repeat ? capital(inWords(repeat, language)) : m.kept }
    }),
    { value: OWN, label: m.own },
  ]
  const choose = (value: string) => {
    setOwn(value === OWN)
    if (value !== OWN) onChange(value)
    else if (!repeatOf(rule)) onChange(ruleOf(presets[0] ?? every('WEEKLY')))
  }
  const repeat = repeatOf(rule)
  return (
    <div className="repeat">
      <Select
        name="rule"
        label={m.repeat}
        options={options}
        value={isOwn ? OWN : rule}
        onChange={choose}
        problem={problem}
      />
      {isOwn && repeat && (
        <RepeatForm repeat={repeat} day={day} onChange={(changed) => onChange(ruleOf(changed))} />
      )}
      {rule !== '' && start !== undefined && <RulePreview rule={rule} start={start} timeZone={timeZone} />}
    </div>
  )
}

const capital = (text: string) => text.charAt(0).toLocaleUpperCase() + text.slice(1)
