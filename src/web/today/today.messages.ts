import { defineMessages } from '../messages/messages'

const NOON = 12
const EVENING = 18

export const messages = defineMessages({
  en: {
    title: 'Today',
    greeting: (hour: number, name: string, day: string) => {
      if (hour < NOON) return `Good morning, ${name}. It is ${day}.`
      return hour < EVENING
        ? `Good afternoon, ${name}. It is ${day}.`
        : `Good evening, ${name}. It is ${day}.`
    },
    nothing: 'Nothing planned',
    overdue: 'Overdue',
    events: 'Events',
    due: 'Due today',
    calendar: 'Open the calendar',
    unread: 'The day could not be read.',
  },
  de: {
    title: 'Heute',
    greeting: (hour: number, name: string, day: string) => {
      if (hour < NOON) return `Guten Morgen, ${name}. Heute ist ${day}.`
      return hour < EVENING
        ? `Guten Tag, ${name}. Heute ist ${day}.`
        : `Guten Abend, ${name}. Heute ist ${day}.`
    },
    nothing: 'Nichts geplant',
    overdue: 'Überfällig',
    events: 'Termine',
    due: 'Heute fällig',
    calendar: 'Kalender öffnen',
    unread: 'Der Tag konnte nicht gelesen werden.',
  },
})
