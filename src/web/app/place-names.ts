import { defineMessages } from '../messages/messages'

/** What the navigation and the shortcuts call the places. */
export const placeNames = defineMessages({
  en: {
    today: 'Today',
    calendar: 'Calendar',
    todos: 'Todos',
    reminders: 'Reminders',
    projects: 'Projects',
    people: 'People',
    connections: 'Connections',
    notifications: 'Notifications',
    settings: 'Settings',
    administration: 'Administration',
  },
  de: {
    today: 'Heute',
    calendar: 'Kalender',
    todos: 'Aufgaben',
    reminders: 'Erinnerungen',
    projects: 'Projekte',
    people: 'Personen',
    connections: 'Kontakte',
    notifications: 'Mitteilungen',
    settings: 'Einstellungen',
    administration: 'Verwaltung',
  },
})
