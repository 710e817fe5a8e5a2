import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Select } from '../parts/Select'
import { useChangeSettings, useSettings } from './data'
import { leadMessages, leadWords } from './reminder-words'

const messages = defineMessages({
  en: {
    label: 'Remind me of events',
    hint: 'Unless an event has a reminder of its own.',
  },
  de: {
    label: 'An Termine erinnern',
    hint: 'Wenn ein Termin keine eigene Erinnerung hat.',
  },
})

const USUAL = [0, 5, 10, 15, 30, 60, 120, 1440, 2880, 10_080]

/** How long before events their reminders come. */
export function EventLead() {
  const m = useMessages(messages)
  const words = useMessages(leadMessages)
  const { ntfy_event_lead_minutes: minutes } = useSettings()
  const change = useChangeSettings()
  const offered = [...new Set([...USUAL, minutes])].toSorted((a, b) => a - b)
  return (
    <Select
      label={m.label}
      hint={m.hint}
      value={String(minutes)}
      onChange={(value) => change({ ntfy_event_lead_minutes: Number(value) }, m.label)}
      options={offered.map((each) => ({ value: String(each), label: leadWords(each, words) }))}
    />
  )
}
