import { defineMessages } from '../messages/messages'

/** What the pages of connections say, in several of their parts. */
export const connectionTexts = defineMessages({
  en: {
    title: 'Connections',
    lead: 'Whoever is connected with you can share calendars with you, be invited to your events, and see what you show of your profile.',
    yours: 'Your connections',
    none: 'You are not connected with anybody yet',
    noneHint:
      'Ask somebody for their network name and search for it. Or accept requests below, and tell them yours.',
    accept: 'Accept',
    reject: 'Reject',
    block: 'Block',
    blockHint: (name: string) =>
      `You and ${name} then seem to have no account to each other: no search, request or invitation reaches the other side. Requests between you are deleted. ${name} is not told. What ends does not come back if you unblock ${name} later.`,
    blocked: (name: string) => `Blocked ${name}`,
    unblocked: (name: string) => `Unblocked ${name}`,
    networkName: 'Network name',
    more: (name: string) => `More actions for ${name}`,
  },
  de: {
    title: 'Kontakte',
    lead: 'Kontakte können Kalender teilen, zu Terminen eingeladen werden und sehen, was das Profil ihnen zeigt.',
    yours: 'Eigene Kontakte',
    none: 'Noch keine Kontakte',
    noneHint:
      'Den Netzwerknamen von jemandem erfragen und suchen. Oder unten Anfragen annehmen und den eigenen weitergeben.',
    accept: 'Annehmen',
    reject: 'Ablehnen',
    block: 'Blockieren',
    blockHint: (name) =>
      `Für ${name} scheint es dieses Konto dann nicht zu geben, und umgekehrt: Suche, Anfragen und Einladungen kommen nicht mehr an. Anfragen zwischen beiden werden gelöscht. ${name} erfährt nicht davon. Was endet, kommt auch nach dem Freigeben nicht zurück.`,
    blocked: (name) => `${name} blockiert`,
    unblocked: (name) => `${name} freigegeben`,
    networkName: 'Netzwerkname',
    more: (name) => `Weitere Aktionen für ${name}`,
  },
})
