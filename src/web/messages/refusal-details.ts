import { counted, defineMessages } from './messages'

/** The service's sentences about calendars, events, todos and imports that people meet, by what the service says. */
export const details = defineMessages({
  en: {
    'Insufficient permissions': 'You may not do this here.',
    'A calendar with this name exists': 'You have a calendar of this name. Choose another name.',
    'An address book with this name exists': 'You have an address book of this name. Choose another name.',
    'The default address book cannot be deleted': 'The default address book cannot be deleted.',
    'An event template with this name exists': 'You have a template of this name. Choose another name.',
    'Birthdays are managed through people': 'Birthdays change with their person.',
    'System calendars cannot be renamed': 'The calendar of birthdays keeps its name.',
    'System calendars cannot be deleted': 'The calendar of birthdays cannot be deleted.',
    'The default calendar cannot be deleted':
      'The default calendar cannot be deleted. Choose another default first.',
    'The default calendar cannot be unset': 'Make another calendar the default instead.',
    'The Birthdays calendar cannot be the default': 'The calendar of birthdays cannot be the default.',
    'The Birthdays calendar cannot be exported': 'The calendar of birthdays cannot be exported.',
    'The Birthdays calendar cannot be shared': 'The calendar of birthdays cannot be shared.',
    'The Birthdays calendar has no feed': 'The calendar of birthdays has no secret address.',
    'Already a member': 'The calendar is shared with this person already.',
    'User not found': 'Nobody has this name, or they accept no requests.',
    'Connection not found': 'You are not connected with this person any more.',
    'You are already connected': 'You are connected already.',
    'A request is already pending': 'A request between you waits for an answer already.',
    'This user cannot receive more requests': 'Too many requests wait for this person. Try again later.',
    'You have too many pending requests':
      'Too many of your requests wait for an answer. Cancel one of them first.',
    'This request is no longer pending': 'This request was settled or taken back meanwhile.',
    'This calendar is full': 'This calendar is full. Delete what is no longer needed, or choose another one.',
    'The list of todos is out of date': 'The list has changed meanwhile.',
    'The list of tasks is out of date': 'The list has changed meanwhile.',
    'The list of projects is out of date': 'The list has changed meanwhile.',
    'Only the owner of the calendar can make an event private':
      'In this calendar only its owner makes events private.',
    'Only the owner of the calendar can change a private event':
      'In this calendar only its owner changes private events.',
    'This cannot be undone': 'Nothing undoes this.',
    'This UID is in use again': 'The same is there again already.',
    'A request with this Idempotency-Key is under way': 'This is still under way. Try again in a moment.',
    'Too old to undo': 'This was done too long ago to be undone.',
    'This is still under way': 'This is still under way. Try again in a moment.',
    'Deleted since': 'It was deleted since.',
    'Narrow the window': 'These are too many events for one view. Choose a shorter time or fewer calendars.',
    'No location is set': 'Choose a place for the weather first.',
    'Use logout to end the current session': 'This is the session that you use. Sign out to end it.',
    'A todo list with this name exists': 'You have a list of this name. Choose another name.',
    'The default list cannot be deleted': 'The default list cannot be deleted. Choose another default first.',
    'The default list cannot be unset': 'Make another list the default instead.',
    'Change this in the program that made it': 'Another program made this, and only there it can be changed.',
    'Dismissed or inactive reminders cannot be snoozed': 'What is done cannot be snoozed.',
    'Changed since': 'It was changed since.',
    'Only top-level tasks can have subtasks': 'A subtask cannot have subtasks of its own.',
    'TOTP setup has not been started': 'This took too long. Cancel, and begin again.',
    'TOTP is already enabled': 'The authenticator is on already.',
    'TOTP is not enabled': 'The authenticator is off already.',
    'MFA is required by your administrator': 'An administrator requires a second factor.',
    'Passkey registration failed': 'The passkey was not accepted. Try again.',
    'Passkey is already registered': 'This passkey is registered already.',
    'This passkey is the only way into the account':
      'Nothing else opens your account. Link a sign-in or set a password before you remove it.',
    'Set a password or a passkey first':
      'Nothing else opens your account. Add a passkey or set a password first.',
    'Link another sign-in first': 'Nothing else opens your account. Link another sign-in first.',
    'Passkey limit reached': 'There are 20 passkeys already. Remove one first.',
    'Passwordless sign-in is not allowed': 'An administrator has to allow this first.',
    'Passwordless sign-in is already enabled': 'This is on already.',
    'Passwordless sign-in is not enabled': 'This is off already.',
    'At least 2 passkeys are required': 'This takes two passkeys.',
    'At least 2 passkeys are required while passwordless sign-in is enabled':
      'Signing in without a password takes two passkeys.',
    'At least one active administrator is required':
      'You are the only administrator. Make somebody else one first.',
    mostOccurrences: (most: string) =>
      `At most ${most} dates of a series can be changed or deleted one by one.`,
    mostInvitations: (most: string) => `At most ${most} people can be invited to an event.`,
    tooMany: 'There are too many of these. Delete some first.',
  },
  de: {
    'Insufficient permissions': 'Dafür fehlt hier die Berechtigung.',
    'A calendar with this name exists':
      'Einen Kalender dieses Namens gibt es schon. Bitte einen anderen Namen wählen.',
    'An address book with this name exists':
      'Ein Adressbuch dieses Namens gibt es schon. Bitte einen anderen Namen wählen.',
    'The default address book cannot be deleted': 'Das Standard-Adressbuch lässt sich nicht löschen.',
    'An event template with this name exists':
      'Eine Vorlage dieses Namens gibt es schon. Bitte einen anderen Namen wählen.',
    'Birthdays are managed through people': 'Geburtstage ändern sich mit ihrer Person.',
    'System calendars cannot be renamed': 'Der Kalender der Geburtstage behält seinen Namen.',
    'System calendars cannot be deleted': 'Der Kalender der Geburtstage lässt sich nicht löschen.',
    'The default calendar cannot be deleted':
      'Der Standardkalender lässt sich nicht löschen. Bitte zuerst einen anderen zum Standard machen.',
    'The default calendar cannot be unset': 'Bitte stattdessen einen anderen Kalender zum Standard machen.',
    'The Birthdays calendar cannot be the default':
      'Der Kalender der Geburtstage kann nicht der Standard sein.',
    'The Birthdays calendar cannot be exported': 'Der Kalender der Geburtstage lässt sich nicht exportieren.',
    'The Birthdays calendar cannot be shared': 'Der Kalender der Geburtstage lässt sich nicht teilen.',
    'The Birthdays calendar has no feed': 'Der Kalender der Geburtstage hat keine geheime Adresse.',
    'Already a member': 'Der Kalender ist mit dieser Person schon geteilt.',
    'User not found': 'Niemand heißt so, oder das Konto nimmt keine Anfragen an.',
    'Connection not found': 'Diese Person ist kein Kontakt mehr.',
    'You are already connected': 'Der Kontakt besteht schon.',
    'A request is already pending': 'Eine Anfrage wartet schon auf Antwort.',
    'This user cannot receive more requests':
      'Bei dieser Person warten zu viele Anfragen. Bitte später noch einmal.',
    'You have too many pending requests':
      'Zu viele eigene Anfragen warten auf Antwort. Bitte zuerst eine zurückziehen.',
    'This request is no longer pending': 'Diese Anfrage wurde inzwischen beantwortet oder zurückgezogen.',
    'This calendar is full':
      'Dieser Kalender ist voll. Bitte löschen, was nicht mehr gebraucht wird, oder einen anderen wählen.',
    'The list of todos is out of date': 'Die Liste hat sich inzwischen geändert.',
    'The list of tasks is out of date': 'Die Liste hat sich inzwischen geändert.',
    'The list of projects is out of date': 'Die Liste hat sich inzwischen geändert.',
    'Only the owner of the calendar can make an event private':
      'Private Termine kann in diesem Kalender nur anlegen, wem er gehört.',
    'Only the owner of the calendar can change a private event':
      'Private Termine kann in diesem Kalender nur ändern, wem er gehört.',
    'This cannot be undone': 'Das lässt sich nicht rückgängig machen.',
    'This UID is in use again': 'Dasselbe gibt es inzwischen wieder.',
    'A request with this Idempotency-Key is under way':
      'Das ist noch im Gang. Bitte gleich noch einmal versuchen.',
    'Too old to undo': 'Das ist zu lange her, um es rückgängig zu machen.',
    'This is still under way': 'Das ist noch im Gang. Bitte gleich noch einmal versuchen.',
    'Deleted since': 'Es wurde inzwischen gelöscht.',
    'Narrow the window':
      'Das sind zu viele Termine auf einmal. Bitte einen kürzeren Zeitraum oder weniger Kalender wählen.',
    'No location is set': 'Bitte zuerst einen Ort für das Wetter wählen.',
    'Use logout to end the current session': 'Das ist die Sitzung dieses Geräts. Sie endet mit dem Abmelden.',
    'A todo list with this name exists':
      'Eine Liste dieses Namens gibt es schon. Bitte einen anderen Namen wählen.',
    'The default list cannot be deleted':
      'Die Standardliste lässt sich nicht löschen. Bitte zuerst eine andere zum Standard machen.',
    'The default list cannot be unset': 'Bitte stattdessen eine andere Liste zum Standard machen.',
    'Change this in the program that made it':
      'Das stammt aus einem anderen Programm und lässt sich nur dort ändern.',
    'Dismissed or inactive reminders cannot be snoozed': 'Erledigtes lässt sich nicht aufschieben.',
    'Changed since': 'Es wurde inzwischen geändert.',
    'Only top-level tasks can have subtasks': 'Eine Teilaufgabe kann keine eigenen Teilaufgaben haben.',
    'TOTP setup has not been started': 'Das hat zu lange gedauert. Bitte abbrechen und neu beginnen.',
    'TOTP is already enabled': 'Die Authentifizierungs-App ist schon eingeschaltet.',
    'TOTP is not enabled': 'Die Authentifizierungs-App ist schon ausgeschaltet.',
    'MFA is required by your administrator': 'Die Administration verlangt einen zweiten Faktor.',
    'Passkey registration failed': 'Der Passkey wurde nicht angenommen. Bitte noch einmal versuchen.',
    'Passkey is already registered': 'Dieser Passkey ist schon eingetragen.',
    'This passkey is the only way into the account':
      'Sonst öffnet nichts das Konto. Vor dem Entfernen eine Anmeldung verknüpfen oder ein Passwort festlegen.',
    'Set a password or a passkey first':
      'Sonst öffnet nichts das Konto. Zuerst einen Passkey hinzufügen oder ein Passwort festlegen.',
    'Link another sign-in first': 'Sonst öffnet nichts das Konto. Zuerst eine andere Anmeldung verknüpfen.',
    'Passkey limit reached': 'Es gibt schon 20 Passkeys. Bitte zuerst einen entfernen.',
    'Passwordless sign-in is not allowed': 'Das muss die Administration erst erlauben.',
    'Passwordless sign-in is already enabled': 'Das ist schon eingeschaltet.',
    'Passwordless sign-in is not enabled': 'Das ist schon ausgeschaltet.',
    'At least 2 passkeys are required': 'Dafür braucht es zwei Passkeys.',
    'At least 2 passkeys are required while passwordless sign-in is enabled':
      'Das Anmelden ohne Passwort braucht zwei Passkeys.',
    'At least one active administrator is required':
      'Ohne dieses Konto hätte niemand mehr die Verwaltung. Bitte sie zuerst jemand anderem geben.',
    mostOccurrences: (most: string) =>
      `Höchstens ${most} Termine einer Serie lassen sich einzeln ändern oder löschen.`,
    mostInvitations: (most: string) => `Zu einem Termin lassen sich höchstens ${most} Personen einladen.`,
    tooMany: 'Davon gibt es zu viele. Bitte zuerst einige löschen.',
  },
})

/** What is wrong with one field of a calendar, an event, a todo or a file, by what the service says. */
export const fieldDetails = defineMessages({
  en: {
    'must be a date-time (RFC 3339)': 'This is not a date with a time.',
    'must be a day as YYYY-MM-DD': 'This is not a date.',
    'must be a day as YYYY-MM-DD, or a date-time (RFC 3339)': 'This is not a date.',
    'must be a time of day as HH:MM': 'This is not a time. Type it like 14:30.',
    'must be an IANA time zone': 'This is not a time zone. Type a city, such as Berlin.',
    'must be a colour as #rrggbb': 'This is not a colour.',
    'must be in the years 1900 to 2200': 'Only the years 1900 to 2200 are possible.',
    'must not be before start_at': 'The end is before the start.',
    'must not be before start_date': 'The end is before the start.',
    'must be given together with due_date': 'A time needs a date as well.',
    'belongs to the whole series': 'This belongs to all dates of the series, not to one alone.',
    'must be a recurrence rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO': 'This repetition is not possible.',
    'must have DAILY, WEEKLY, MONTHLY or YEARLY as FREQ': 'Repeat by days, weeks, months or years.',
    'must match at least one day': 'No day fits this repetition.',
    'must not have both COUNT and UNTIL': 'Choose a number of times or a last day, not both.',
    'is not an iCalendar file': 'This is not a calendar file.',
    'is not a vCard file': 'This is not a file of vCards.',
    'is not a vCard': 'This is not a vCard.',
    'has no end': 'The end of the card is missing.',
    'holds another card': 'The card has another one in it.',
    'appears twice in the file': 'The same stands in the file twice.',
    'is larger than 10 MiB': 'This is larger than 10 MiB.',
    'contains U+0000': 'There are characters in it that nobody can store.',
    'is not Unicode': 'There are characters in it that nobody can read.',
    moreEvents: (count: string) =>
      `The file has more than ${counted(Number(count), '1 event', `${count} events`)}.`,
  },
  de: {
    'must be a date-time (RFC 3339)': 'Das ist kein Datum mit Uhrzeit.',
    'must be a day as YYYY-MM-DD': 'Das ist kein Datum.',
    'must be a day as YYYY-MM-DD, or a date-time (RFC 3339)': 'Das ist kein Datum.',
    'must be a time of day as HH:MM': 'Das ist keine Uhrzeit. Möglich ist zum Beispiel 14:30.',
    'must be an IANA time zone': 'Das ist keine Zeitzone. Möglich ist eine Stadt, zum Beispiel Berlin.',
    'must be a colour as #rrggbb': 'Das ist keine Farbe.',
    'must be in the years 1900 to 2200': 'Möglich sind nur die Jahre 1900 bis 2200.',
    'must not be before start_at': 'Das Ende liegt vor dem Beginn.',
    'must not be before start_date': 'Das Ende liegt vor dem Beginn.',
    'must be given together with due_date': 'Zu einer Uhrzeit gehört auch ein Tag.',
    'belongs to the whole series': 'Das gilt für alle Termine der Serie, nicht für einen allein.',
    'must be a recurrence rule of RFC 5545, such as FREQ=WEEKLY;BYDAY=MO':
      'Diese Wiederholung ist nicht möglich.',
    'must have DAILY, WEEKLY, MONTHLY or YEARLY as FREQ':
      'Möglich sind Wiederholungen nach Tagen, Wochen, Monaten oder Jahren.',
    'must match at least one day': 'Zu dieser Wiederholung passt kein Tag.',
    'must not have both COUNT and UNTIL': 'Bitte entweder eine Anzahl oder einen letzten Tag wählen.',
    'is not an iCalendar file': 'Das ist keine Kalenderdatei.',
    'is not a vCard file': 'Das ist keine vCard-Datei.',
    'is not a vCard': 'Das ist keine vCard.',
    'has no end': 'Das Ende der Karte fehlt.',
    'holds another card': 'In der Karte steht eine weitere.',
    'appears twice in the file': 'Dasselbe steht zweimal in der Datei.',
    'is larger than 10 MiB': 'Das ist größer als 10 MiB.',
    'contains U+0000': 'Darin stehen Zeichen, die sich nicht speichern lassen.',
    'is not Unicode': 'Darin stehen Zeichen, die sich nicht lesen lassen.',
    moreEvents: (count: string) =>
      `Die Datei hat mehr als ${counted(Number(count), 'einen Termin', `${count} Termine`)}.`,
  },
})
