import { type View, VIEWS } from '../app/addresses'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import { PageHeading } from '../parts/PageHeading'
import { RadioGroup } from '../parts/RadioGroup'
import { CalendarOptionsButton } from './CalendarOptionsButton'
import { type Period, titleOf } from './period'

const messages = defineMessages({
  en: {
    place: 'Calendar',
    previous: 'Previous',
    next: 'Next',
    today: 'Today',
    view: 'View',
    day: 'Day',
    week: 'Week',
    month: 'Month',
    agenda: 'Agenda',
  },
  de: {
    place: 'Kalender',
    previous: 'Zurück',
    next: 'Weiter',
    today: 'Heute',
    view: 'Ansicht',
    day: 'Tag',
    week: 'Woche',
    month: 'Monat',
    agenda: 'Agenda',
  },
})

interface ToolbarProps {
  readonly period: Period
  readonly onStep: (by: 1 | -1) => void
  readonly onToday: () => void
  readonly onView: (view: View) => void
}

/** The period as the page's heading, the ways to others, and the choice of the view. */
export function Toolbar({ period, onStep, onToday, onView }: ToolbarProps) {
  const m = useMessages(messages)
  const locale = useLocale()
  return (
    <div className="calendar-bar">
      <PageHeading place={m.place}>{titleOf(period, locale)}</PageHeading>
      <div className="calendar-steps">
        <Button kind="quiet" aria-label={m.previous} title={m.previous} onClick={() => onStep(-1)}>
          <Icon name="chevron-left" />
        </Button>
        <Button onClick={onToday}>{m.today}</Button>
        <Button kind="quiet" aria-label={m.next} title={m.next} onClick={() => onStep(1)}>
          <Icon name="chevron-right" />
        </Button>
      </div>
      <div className="calendar-choices">
        <RadioGroup
          label={m.view}
          look="segmented"
          hidesLabel
          value={period.view}
          options={VIEWS.map((view) => ({ value: view, label: m[view] }))}
          onChange={onView}
        />
        <CalendarOptionsButton />
      </div>
    </div>
  )
}
