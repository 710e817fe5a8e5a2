import { counted, defineMessages } from '../messages/messages'

export const besideMessages = defineMessages({
  en: {
    beside: 'Beside the day',
    reminders: 'Reminders due',
    birthdays: 'Birthdays',
    unread: (n: number) => counted(n, '1 unread notification', `${n} unread notifications`),
    toNotifications: 'All notifications',
    second: 'Second step',
    passkey: 'Sign in with a passkey',
    import: 'Import a calendar',
    register: 'Let others make an account',
    connect: 'Connect with people',
    dismiss: 'Dismiss',
  },
  de: {
    beside: 'Neben dem Tag',
    reminders: 'Fällige Erinnerungen',
    birthdays: 'Geburtstage',
    unread: (n) => counted(n, '1 ungelesene Mitteilung', `${n} ungelesene Mitteilungen`),
    toNotifications: 'Alle Mitteilungen',
    second: 'Zweiter Schritt',
    passkey: 'Mit einem Passkey anmelden',
    import: 'Einen Kalender importieren',
    register: 'Andere Konten anlegen lassen',
    connect: 'Mit anderen in Kontakt treten',
    dismiss: 'Schließen',
  },
})
