import type { View } from '../app/addresses'
import { useShortcuts } from '../app/shortcuts'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'

const messages = defineMessages({
  en: {
    calendar: 'Calendar',
    next: 'Next',
    previous: 'Previous',
    today: 'Today',
    create: 'New event',
    day: 'Day',
    week: 'Week',
    month: 'Month',
    agenda: 'Agenda',
  },
  de: {
    calendar: 'Kalender',
    next: 'Weiter',
    previous: 'Zurück',
    today: 'Heute',
    create: 'Neuer Termin',
    day: 'Tag',
    week: 'Woche',
    month: 'Monat',
    agenda: 'Agenda',
  },
})

interface CalendarKeys {
  readonly onStep: (by: 1 | -1) => void
  readonly onToday: () => void
  readonly onView: (view: View) => void
  readonly onCreate: () => void
}

/** The letters that work wherever the focus is on the page of the calendar. */
export function useCalendarKeys({ onStep, onToday, onView, onCreate }: CalendarKeys): void {
  const m = useMessages(messages)
  const keys = [
    ['j', m.next, () => onStep(1)],
    ['k', m.previous, () => onStep(-1)],
    ['t', m.today, onToday],
    ['c', m.create, onCreate],
    ['d', m.day, () => onView('day')],
    ['w', m.week, () => onView('week')],
    ['m', m.month, () => onView('month')],
    ['a', m.agenda, () => onView('agenda')],
  ] as const
  useShortcuts(keys.map(([key, label, run]) => ({ keys: key, label, group: m.calendar, run })))
}
