import { counted, defineMessages } from '../messages/messages'

export const messages = defineMessages({
  en: {
    username: 'Username',
    role: 'Role',
    administrator: 'Administrator',
    member: 'Member',
    password: 'Password',
    changePassword: 'Change the password',
    setPassword: 'Set a password',
    delete: 'Delete account',
    deleteAbout: 'It goes with everything in it, at once and for good. Nobody can bring it back.',
    goes: 'This goes at once and for good, and not to the trash:',
    calendars: (count: number) =>
      `${count} ${counted(count, 'calendar', 'calendars')} with all events and templates, also for those you share them with`,
    todos: (count: number) => `${count} ${counted(count, 'todo', 'todos')}`,
    reminders: (count: number) => `${count} ${counted(count, 'reminder', 'reminders')}`,
    projects: (count: number) =>
      `${count} ${counted(count, 'project', 'projects')} with all tasks and comments`,
    people: (count: number) =>
      `${count} ${counted(count, 'person', 'people')} with ${counted(count, 'a birthday', 'their birthdays')}`,
    connections: (count: number) =>
      `${count} ${counted(count, 'connection', 'connections')} and what others share with you`,
    rest: 'Settings, passkeys, sessions, access tokens, the trash and the history of changes',
    exportFirst: 'Take everything along first:',
    cancel: 'Cancel',
    confirm: 'Delete for good',
  },
  de: {
    username: 'Benutzername',
    role: 'Rolle',
    administrator: 'Administration',
    member: 'Mitglied',
    password: 'Passwort',
    changePassword: 'Passwort ändern',
    setPassword: 'Passwort festlegen',
    delete: 'Konto löschen',
    deleteAbout:
      'Es verschwindet mit allem, was darin ist, sofort und endgültig. Niemand kann es zurückholen.',
    goes: 'Das verschwindet sofort und endgültig, nicht in den Papierkorb:',
    calendars: (count) =>
      `${count} Kalender mit allen Terminen und Vorlagen, auch für alle, mit denen ${counted(count, 'er', 'sie')} geteilt ${counted(count, 'ist', 'sind')}`,
    todos: (count) => `${count} ${counted(count, 'Aufgabe', 'Aufgaben')}`,
    reminders: (count) => `${count} ${counted(count, 'Erinnerung', 'Erinnerungen')}`,
    projects: (count) =>
      `${count} ${counted(count, 'Projekt', 'Projekte')} mit allen Aufgaben und Kommentaren`,
    people: (count) =>
      `${count} ${counted(count, 'Person', 'Personen')} mit ${counted(count, 'Geburtstag', 'ihren Geburtstagen')}`,
    connections: (count) =>
      `${count} ${counted(count, 'Kontakt', 'Kontakte')} und was andere hierher freigeben`,
    rest: 'Einstellungen, Passkeys, Sitzungen, Zugriffstoken, Papierkorb und Verlauf',
    exportFirst: 'Vorher alles mitnehmen:',
    cancel: 'Abbrechen',
    confirm: 'Endgültig löschen',
  },
})
