import { useId, useMemo, useState } from 'react'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Checkbox } from '../parts/Checkbox'
import { Icon } from '../parts/Icon'
import { Select } from '../parts/Select'
import { zoneNames } from '../time/zones'
import { changeOptions, useCalendarOptions } from './options'

const messages = defineMessages({
  en: {
    options: 'Calendar options',
    secondZone: 'Second time zone',
    none: 'None',
    hideDeclined: 'Hide declined events',
    weekNumbers: 'Week numbers',
  },
  de: {
    options: 'Kalenderoptionen',
    secondZone: 'Zweite Zeitzone',
    none: 'Keine',
    hideDeclined: 'Abgesagte Termine ausblenden',
    weekNumbers: 'Kalenderwochen',
  },
})

/** A button with a popover beside it, which holds what this device shows of the calendar. */
export function CalendarOptionsButton() {
  const m = useMessages(messages)
  const id = useId()
  const [isOpen, setOpen] = useState(false)
  return (
    <div className="calendar-options">
      <button
        type="button"
        className="button button-quiet"
        aria-label={m.options}
        title={m.options}
        aria-haspopup="dialog"
        popoverTarget={id}
      >
        <Icon name="settings" />
      </button>
      <div
        id={id}
        popover="auto"
        role="dialog"
        aria-label={m.options}
        className="options-popover"
        onToggle={({ newState }) => setOpen(newState === 'open')}
      >
        {isOpen && <CalendarChoices />}
      </div>
    </div>
  )
}

/** The choices themselves, which the settings show as well. */
export function CalendarChoices() {
  const m = useMessages(messages)
  const { secondZone, hidesDeclined, showsWeekNumbers } = useCalendarOptions()
  const zones = useMemo(
    () => [
      { value: '', label: m.none },
      ...zoneNames().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
    ],
    [m.none],
  )
  return (
    <>
      <Select
        label={m.secondZone}
        options={zones}
        value={secondZone ?? ''}
        onChange={(zone) => changeOptions({ secondZone: zone === '' ? undefined : zone })}
      />
      <Checkbox
        label={m.hideDeclined}
        checked={hidesDeclined}
        onChange={(isChecked) => changeOptions({ hidesDeclined: isChecked })}
      />
      <Checkbox
        label={m.weekNumbers}
        checked={showsWeekNumbers}
        onChange={(isChecked) => changeOptions({ showsWeekNumbers: isChecked })}
      />
    </>
  )
}
