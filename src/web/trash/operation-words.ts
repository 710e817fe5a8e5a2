import type { OperationView } from '../../features/overview/operations/model'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { kindNames } from './words'

type KindName = keyof (typeof kindNames)['en']

/** What most operations do, by the first word of their names. */
const verbs = defineMessages({
  en: {
    create: (kind: string) => `${kind} made`,
    change: (kind: string) => `${kind} changed`,
    delete: (kind: string) => `${kind} deleted`,
  },
  de: {
    create: (kind) => `${kind} angelegt`,
    change: (kind) => `${kind} geändert`,
    delete: (kind) => `${kind} gelöscht`,
  },
})

const KINDS: Readonly<Record<string, KindName>> = {
  Calendar: 'calendar',
  Event: 'event',
  EventTemplate: 'event_template',
  TodoList: 'todo_list',
  Todo: 'todo',
  Reminder: 'reminder',
  Project: 'project',
  Task: 'task',
  Comment: 'comment',
  Person: 'person',
  AddressBook: 'address_book',
  Settings: 'settings',
}

/** Operations with words of their own. */
const others = defineMessages({
  en: {
    importCalendar: 'File imported into a calendar',
    importPeople: 'People imported',
    toggleTodo: 'Todo ticked off or opened again',
    snoozeReminder: 'Reminder snoozed',
    dismissReminder: 'Reminder marked as done',
    reorderTodos: 'Todos put in another order',
    reorderProjects: 'Projects put in another order',
    reorderTasks: 'Tasks put in another order',
    linkPerson: 'Person linked with a connection',
    undoOperation: 'Change undone',
    restoreTrashItem: 'Brought back from the trash',
    deleteTrashItem: 'Something deleted for good',
    emptyTrash: 'Trash emptied',
    davPut: 'Saved by another program',
    davAdd: 'Added by another program',
    davMove: 'Moved by another program',
    davCopy: 'Copied by another program',
    davDelete: 'Deleted by another program',
    davDeleteCollection: 'Deleted by another program',
    davMake: 'Made by another program',
    assistantAdd: 'Added by an assistant',
    assistantChange: 'Changed by an assistant',
    assistantDelete: 'Deleted by an assistant',
    assistantUndo: 'Change undone by an assistant',
    assistantAnswer: 'Invitation answered by an assistant',
    answerInvitation: 'Invitation answered',
    chooseDisplayCalendar: 'Calendar of an invitation chosen',
    inviteToEvent: 'People invited to an event',
    removeInvitation: 'Invitation taken back',
    shareCalendar: 'Calendar shared',
    changeCalendarMember: 'Sharing of a calendar changed',
    removeCalendarMember: 'Sharing of a calendar ended',
    acceptCalendarInvite: 'Shared calendar accepted',
    rejectCalendarInvite: 'Shared calendar rejected',
    createCalendarFeed: 'Secret address of a calendar made',
    deleteCalendarFeed: 'Secret address of a calendar ended',
    sendConnectionRequest: 'Connection request sent',
    acceptConnectionRequest: 'Connection request accepted',
    rejectConnectionRequest: 'Connection request rejected',
    cancelConnectionRequest: 'Connection request taken back',
    changeConnectionSharing: 'Sharing with a connection changed',
    disconnect: 'Connection ended',
    blockUser: 'Somebody blocked',
    unblockUser: 'Somebody unblocked',
    createAccessToken: 'Access token made',
    revokeAccessToken: 'Access token revoked',
    changePassword: 'Password changed',
    other: 'Something in the account changed',
  },
  de: {
    importCalendar: 'Datei in einen Kalender importiert',
    importPeople: 'Personen importiert',
    toggleTodo: 'Aufgabe abgehakt oder wieder geöffnet',
    snoozeReminder: 'Erinnerung aufgeschoben',
    dismissReminder: 'Erinnerung erledigt',
    reorderTodos: 'Aufgaben umgeordnet',
    reorderProjects: 'Projekte umgeordnet',
    reorderTasks: 'Projektaufgaben umgeordnet',
    linkPerson: 'Person mit einem Kontakt verknüpft',
    undoOperation: 'Änderung rückgängig gemacht',
    restoreTrashItem: 'Aus dem Papierkorb geholt',
    deleteTrashItem: 'Etwas endgültig gelöscht',
    emptyTrash: 'Papierkorb geleert',
    davPut: 'Von einem anderen Programm gespeichert',
    davAdd: 'Von einem anderen Programm hinzugefügt',
    davMove: 'Von einem anderen Programm verschoben',
    davCopy: 'Von einem anderen Programm kopiert',
    davDelete: 'Von einem anderen Programm gelöscht',
    davDeleteCollection: 'Von einem anderen Programm gelöscht',
    davMake: 'Von einem anderen Programm angelegt',
    assistantAdd: 'Von einem Assistenten hinzugefügt',
    assistantChange: 'Von einem Assistenten geändert',
    assistantDelete: 'Von einem Assistenten gelöscht',
    assistantUndo: 'Änderung von einem Assistenten rückgängig gemacht',
    assistantAnswer: 'Einladung von einem Assistenten beantwortet',
    answerInvitation: 'Einladung beantwortet',
    chooseDisplayCalendar: 'Kalender für eine Einladung gewählt',
    inviteToEvent: 'Zu einem Termin eingeladen',
    removeInvitation: 'Einladung zurückgenommen',
    shareCalendar: 'Kalender geteilt',
    changeCalendarMember: 'Freigabe eines Kalenders geändert',
    removeCalendarMember: 'Freigabe eines Kalenders beendet',
    acceptCalendarInvite: 'Geteilten Kalender angenommen',
    rejectCalendarInvite: 'Geteilten Kalender abgelehnt',
    createCalendarFeed: 'Geheime Adresse eines Kalenders angelegt',
    deleteCalendarFeed: 'Geheime Adresse eines Kalenders beendet',
    sendConnectionRequest: 'Kontaktanfrage gesendet',
    acceptConnectionRequest: 'Kontaktanfrage angenommen',
    rejectConnectionRequest: 'Kontaktanfrage abgelehnt',
    cancelConnectionRequest: 'Kontaktanfrage zurückgenommen',
    changeConnectionSharing: 'Freigabe für einen Kontakt geändert',
    disconnect: 'Kontakt beendet',
    blockUser: 'Jemanden blockiert',
    unblockUser: 'Blockierung aufgehoben',
    createAccessToken: 'Zugriffstoken angelegt',
    revokeAccessToken: 'Zugriffstoken widerrufen',
    changePassword: 'Passwort geändert',
    other: 'Etwas am Konto geändert',
  },
})

/** What happens by itself while somebody looks is no change. */
const UNTOLD: ReadonlySet<string> = new Set([
  'readNotification',
  'readAllNotifications',
  'deleteNotification',
])

export const isTold = ({ operation }: OperationView): boolean => !UNTOLD.has(operation)

/** Returns a function that says what an operation did. */
export function useOperationWords(): (operation: Pick<OperationView, 'operation'>) => string {
  const [own, done, kinds] = [useMessages(others), useMessages(verbs), useMessages(kindNames)]
  return ({ operation }) => {
    if (operation in own) return own[operation as keyof typeof own]
    const [, verb, noun = ''] = /^(create|change|delete)(\w+)$/.exec(operation) ?? []
    const kind = KINDS[noun]
    return verb === undefined || kind === undefined ? own.other : done[verb as keyof typeof done](kinds[kind])
  }
}
