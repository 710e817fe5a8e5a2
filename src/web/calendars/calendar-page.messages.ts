import { defineMessages } from '../messages/messages'

export const messages = defineMessages({
  en: {
    name: 'Name',
    color: 'Colour',
    ownColor: 'For you alone: everybody with whom the calendar is shared chooses their own.',
    default: 'Default calendar',
    defaultHint: 'New events go here unless another calendar is chosen.',
    export: 'Export',
    download: 'Download all events as a calendar file (.ics)',
    delete: 'Delete calendar',
    deleteHint: 'Its events go with it. Both can be taken back from the trash for 30 days.',
    deleted: (name: string) => `Deleted the calendar ${name}`,
  },
  de: {
    name: 'Name',
    color: 'Farbe',
    ownColor: 'Gilt nur hier: alle, mit denen der Kalender geteilt ist, wählen ihre eigene.',
    default: 'Standardkalender',
    defaultHint: 'Neue Termine stehen hier, wenn kein anderer Kalender gewählt ist.',
    export: 'Exportieren',
    download: 'Alle Termine als Kalenderdatei (.ics) herunterladen',
    delete: 'Kalender löschen',
    deleteHint:
      'Seine Termine werden mit gelöscht. Beides lässt sich 30 Tage lang aus dem Papierkorb zurückholen.',
    deleted: (name) => `Kalender ${name} gelöscht`,
  },
})
