import { defineMessages } from '../messages/messages'

export const sharingTexts = defineMessages({
  en: {
    sharedWith: 'Shared with',
    rights:
      'People who may read see all events, and private ones only as “Busy”. People who may change can also add, change and delete events.',
    nobody: 'So far only you see this calendar.',
    pending: 'has not accepted yet, and sees nothing so far',
    rightOf: (name: string) => `What ${name} may do`,
    read: 'Read',
    write: 'Change',
    permitted: (name: string, right: string) =>
      right === 'read' ? `${name} may now read only` : `${name} may now read and change`,
    stop: (name: string) => `Stop sharing with ${name}`,
    stopTitle: 'Stop sharing',
    stopPending: (name: string) =>
      `${name} can no longer accept this calendar. You can offer it again at any time.`,
    stopAccepted: (name: string) =>
      `${name} no longer sees this calendar or any of its events, at once and on all devices. ${name} is not told. You can share it again, and ${name} then has to accept it again.`,
    stopped: (calendar: string, name: string) => `Stopped sharing ${calendar} with ${name}`,
    tookBack: (calendar: string, name: string) => `Took back ${calendar}, which was offered to ${name}`,
    who: 'Share with',
    whoHint: 'Sees the calendar after accepting it.',
    placeholder: 'Name of a connection',
    may: 'What they may do',
    mayRead: 'Read',
    mayWrite: 'Read and change',
    share: 'Share',
    offered: (calendar: string, name: string) => `Offered ${calendar} to ${name}`,
    choose: 'Choose one of your connections.',
    already: (name: string) => `The calendar is shared with ${name} already.`,
    unknown: (name: string) => `None of your connections is called ${name}.`,
    noConnections: 'You can share calendars with people with whom you are connected.',
    connect: 'Connect with somebody',
    sharedBy: (owner: string) => `Shared by ${owner}`,
    mayReadThis: (owner: string) =>
      `${owner} owns this calendar. You may read it; you see private events as “Busy”.`,
    mayWriteThis: (owner: string) =>
      `${owner} owns this calendar. You may read it, and add, change and delete events. Everybody with whom it is shared sees what you do.`,
    alsoFor: 'Also shared with',
    leave: 'Leave this calendar',
    leaveHint: (owner: string) =>
      `The calendar and its events disappear for you alone. ${owner} is not told, and can share it with you again.`,
    left: (calendar: string) => `Left the calendar ${calendar}`,
    invites: 'Calendars that are offered to you',
    from: (owner: string, right: string) =>
      right === 'read' ? `From ${owner}, to read` : `From ${owner}, to read and change`,
    accept: 'Accept',
    reject: 'Reject',
    accepted: (calendar: string, owner: string) => `Accepted ${calendar} from ${owner}`,
    rejected: (calendar: string, owner: string) =>
      `Rejected ${calendar}. ${owner} is not told, and can offer it again`,
  },
  de: {
    sharedWith: 'Geteilt mit',
    rights:
      'Wer lesen darf, sieht alle Termine, private nur als „Belegt“. Wer ändern darf, kann Termine auch anlegen, ändern und löschen.',
    nobody: 'Bisher ist dieser Kalender nur hier zu sehen.',
    pending: 'hat noch nicht angenommen und sieht noch nichts',
    rightOf: (name) => `Was ${name} darf`,
    read: 'Lesen',
    write: 'Ändern',
    permitted: (name, right) =>
      right === 'read' ? `${name} darf jetzt nur noch lesen` : `${name} darf jetzt lesen und ändern`,
    stop: (name) => `Nicht mehr mit ${name} teilen`,
    stopTitle: 'Nicht mehr teilen',
    stopPending: (name) =>
      `${name} kann den Kalender dann nicht mehr annehmen. Ein neues Angebot ist jederzeit möglich.`,
    stopAccepted: (name) =>
      `${name} sieht den Kalender und seine Termine sofort und auf allen Geräten nicht mehr und erfährt nicht davon. Der Kalender lässt sich wieder teilen; ${name} muss ihn dann neu annehmen.`,
    stopped: (calendar, name) => `${calendar} nicht mehr mit ${name} geteilt`,
    tookBack: (calendar, name) => `Angebot von ${calendar} an ${name} zurückgenommen`,
    who: 'Teilen mit',
    whoHint: 'Sieht den Kalender, sobald er angenommen ist.',
    placeholder: 'Name eines Kontakts',
    may: 'Berechtigung',
    mayRead: 'Lesen',
    mayWrite: 'Lesen und ändern',
    share: 'Teilen',
    offered: (calendar, name) => `${calendar} an ${name} angeboten`,
    choose: 'Bitte einen Kontakt auswählen.',
    already: (name) => `Mit ${name} ist der Kalender schon geteilt.`,
    unknown: (name) => `Keiner der Kontakte heißt ${name}.`,
    noConnections: 'Teilen lassen sich Kalender mit Kontakten.',
    connect: 'Kontakt knüpfen',
    sharedBy: (owner) => `Geteilt von ${owner}`,
    mayReadThis: (owner) =>
      `Dieser Kalender gehört ${owner} und darf hier gelesen werden; private Termine erscheinen als „Belegt“.`,
    mayWriteThis: (owner) =>
      `Dieser Kalender gehört ${owner}. Termine dürfen hier gelesen, angelegt, geändert und gelöscht werden; alle, mit denen er geteilt ist, sehen das.`,
    alsoFor: 'Auch geteilt mit',
    leave: 'Kalender verlassen',
    leaveHint: (owner) =>
      `Der Kalender und seine Termine verschwinden nur hier. ${owner} erfährt nicht davon und kann ihn wieder teilen.`,
    left: (calendar) => `Kalender ${calendar} verlassen`,
    invites: 'Angebotene Kalender',
    from: (owner, right) =>
      right === 'read' ? `Von ${owner}, zum Lesen` : `Von ${owner}, zum Lesen und Ändern`,
    accept: 'Annehmen',
    reject: 'Ablehnen',
    accepted: (calendar, owner) => `${calendar} von ${owner} angenommen`,
    rejected: (calendar, owner) =>
      `${calendar} abgelehnt. ${owner} erfährt nicht davon und kann den Kalender wieder anbieten`,
  },
})
