import { defineMessages } from '../messages/messages'

/** What the service says of settings and of the trash alone; the pages bring it along. */
export const refusalTexts = defineMessages({
  en: {
    'That email is not available': 'Another account has this e-mail address.',
    'That network name is not available': 'Somebody has this network name. Choose another one.',
    'must be letters, digits, underscores and hyphens': 'Only letters, digits, underscores and hyphens.',
    'must be visible ASCII characters': 'Only letters, digits and signs without spaces.',
    'must be an http or https URL': 'This is not an address. Type it like https://ntfy.sh.',
    'must not hold a user name or password': 'Leave out the user name and the password.',
    'must be the server alone, without a path':
      'Only the server, without what follows its name. The topic has a field of its own.',
    'must not be a private or reserved address':
      'The service sends nothing to addresses inside its own network.',
    'must be given together with quiet_from': 'The end is missing.',
    'must be given together with quiet_to': 'The beginning is missing.',
    'Push notifications are not configured': 'Enter a server and a topic first.',
    'That address is not allowed': 'The service sends nothing to addresses inside its own network.',
    'This cannot be undone': 'This cannot be undone.',
    'Restore the calendar first': 'Its calendar is in the trash as well. Restore the calendar first.',
    'Restore the list first': 'Its list is in the trash as well. Restore the list first.',
    'Restore the project first': 'Its project is in the trash as well. Restore the project first.',
    'Restore the task first': 'Its task is in the trash as well. Restore the task first.',
    'Restore the address book first':
      'Its address book is in the trash as well. Restore the address book first.',
    'This UID is in use again': 'The same thing is there again: another program brought it back.',
  },
  de: {
    'That email is not available': 'Diese E-Mail-Adresse gehört zu einem anderen Konto.',
    'That network name is not available': 'Dieser Netzwerkname ist vergeben. Bitte einen anderen wählen.',
    'must be letters, digits, underscores and hyphens': 'Nur Buchstaben, Ziffern, Unter- und Bindestriche.',
    'must be visible ASCII characters': 'Nur Buchstaben, Ziffern und Zeichen ohne Leerzeichen.',
    'must be an http or https URL': 'Das ist keine Adresse. Möglich ist zum Beispiel https://ntfy.sh.',
    'must not hold a user name or password': 'Bitte ohne Benutzernamen und Passwort.',
    'must be the server alone, without a path':
      'Bitte nur den Server, ohne das, was auf seinen Namen folgt. Das Thema hat ein eigenes Feld.',
    'must not be a private or reserved address': 'An Adressen im eigenen Netz sendet der Dienst nichts.',
    'must be given together with quiet_from': 'Das Ende fehlt.',
    'must be given together with quiet_to': 'Der Beginn fehlt.',
    'Push notifications are not configured': 'Bitte zuerst Server und Thema eintragen.',
    'That address is not allowed': 'An Adressen im eigenen Netz sendet der Dienst nichts.',
    'This cannot be undone': 'Das lässt sich nicht rückgängig machen.',
    'Restore the calendar first':
      'Auch der Kalender dazu liegt im Papierkorb. Bitte zuerst ihn wiederherstellen.',
    'Restore the list first': 'Auch die Liste dazu liegt im Papierkorb. Bitte zuerst sie wiederherstellen.',
    'Restore the project first':
      'Auch das Projekt dazu liegt im Papierkorb. Bitte zuerst es wiederherstellen.',
    'Restore the task first': 'Auch die Aufgabe dazu liegt im Papierkorb. Bitte zuerst sie wiederherstellen.',
    'Restore the address book first':
      'Auch das Adressbuch dazu liegt im Papierkorb. Bitte zuerst es wiederherstellen.',
    'This UID is in use again': 'Dasselbe gibt es schon wieder: Ein anderes Programm hat es zurückgebracht.',
  },
})
