import { useId } from 'react'
import { CalendarChoices } from '../calendar/CalendarOptionsButton'
import { makingDefault, useCalendars } from '../calendars/data'
import { useMessages } from '../messages/language'
import { RadioGroup } from '../parts/RadioGroup'
import { Select } from '../parts/Select'
import { useStore } from '../store/use-store'
import { useChangeSettings, useSettings } from './data'
import { EventLead } from './EventLead'
import { messages } from './calendar-settings.messages'
import { SettingsLayout } from './SettingsLayout'
import { TimeZone } from './TimeZone'
import { WeatherPlace } from './WeatherPlace'

/** How the user counts time, and where new events go. Everything holds at once. */
export function CalendarSettingsPage() {
  const m = useMessages(messages)
  const id = useId()
  return (
    <SettingsLayout page="calendar">
      <section aria-labelledby={`${id}-time`}>
        <h2 id={`${id}-time`}>{m.time}</h2>
        <TimeZone />
        <WeekStart />
      </section>
      <section aria-labelledby={`${id}-events`}>
        <h2 id={`${id}-events`}>{m.events}</h2>
        <DefaultCalendar />
        <EventLead />
      </section>
      <section aria-labelledby={`${id}-view`}>
        <h2 id={`${id}-view`}>{m.view}</h2>
        <p className="settings-lead">{m.viewHint}</p>
        <CalendarChoices />
      </section>
      <WeatherPlace />
    </SettingsLayout>
  )
}

function WeekStart() {
  const m = useMessages(messages)
  const { first_day_of_week: day } = useSettings()
  const change = useChangeSettings()
  return (
    <RadioGroup
      label={m.weekStart}
      look="segmented"
      value={day === 0 ? '0' : '1'}
      onChange={(value) => change({ first_day_of_week: Number(value) }, m.weekStart)}
      options={[
        { value: '1', label: m.monday },
        { value: '0', label: m.sunday },
      ]}
    />
  )
}

function DefaultCalendar() {
  const m = useMessages(messages)
  const store = useStore()
  const calendars = useCalendars()?.filter(({ access, is_system }) => access === 'owner' && !is_system)
  const current = calendars?.find(({ is_default }) => is_default)
  const choose = (value: string) => {
    const chosen = calendars?.find(({ id }) => String(id) === value)
    if (chosen) store.run(makingDefault(chosen, current, m.defaultCalendar))
  }
  return (
    <Select
      label={m.defaultCalendar}
      hint={m.defaultCalendarHint}
      value={current ? String(current.id) : ''}
      disabled={!current}
      onChange={choose}
      options={(calendars ?? []).map(({ id, name }) => ({ value: String(id), label: name }))}
    />
  )
}
