import { counted, defineMessages } from '../messages/messages'

export const messages = defineMessages({
  en: {
    title: 'Trash',
    lead: 'What was deleted can be brought back until the day beside it.',
    changes: 'Recent changes',
    kind: 'Kind',
    everything: 'Everything',
    count: 'Number',
    counted: (count: number, isMore: boolean) =>
      `${isMore ? 'More than ' : ''}${count} ${counted(count, 'thing', 'things')} in the trash`,
    none: 'The trash is empty',
    noneOfKind: 'Nothing of this kind is in the trash',
    noneHint: 'What you delete comes here first.',
    deleted: (when: string) => `deleted ${when}`,
    deletedBy: (when: string, who: string) => `deleted ${when} by ${who}`,
    somebody: 'somebody else',
    ends: (day: string) => `gone for good on ${day}`,
    restore: 'Restore',
    restoreWhat: (title: string) => `Restore ${title}`,
    restored: (title: string) => `Restored ${title}`,
    restoredWith: (title: string, inside: string) => `Restored ${title} ${inside}`,
    show: 'Show',
    delete: 'Delete for good',
    deleteWhat: (title: string) => `Delete ${title} for good`,
    deleting: 'Delete for good?',
    deleteOne: (title: string) => `${title} is deleted at once and for good. This cannot be undone.`,
    deleteWith: (title: string, inside: string) =>
      `${title} is deleted at once and for good, ${inside}. This cannot be undone.`,
    deletedForGood: (title: string) => `Deleted ${title} for good`,
    empty: 'Empty the trash',
    emptying: 'Empty the trash?',
    emptyCount: (count: number) =>
      `${count} ${counted(count, 'thing is', 'things are')} deleted at once and for good, with all that was in ${counted(count, 'it', 'them')}. This cannot be undone.`,
    emptyAll:
      'Everything in the trash is deleted at once and for good, of every kind and also what is not shown here yet. This cannot be undone.',
    emptied: 'The trash is empty now',
    cancel: 'Cancel',
  },
  de: {
    title: 'Papierkorb',
    lead: 'Gelöschtes lässt sich bis zu dem Tag zurückholen, der daneben steht.',
    changes: 'Letzte Änderungen',
    kind: 'Art',
    everything: 'Alles',
    count: 'Anzahl',
    counted: (count, isMore) =>
      `${isMore ? 'Mehr als ' : ''}${count} ${counted(count, 'Eintrag', 'Einträge')} im Papierkorb`,
    none: 'Der Papierkorb ist leer',
    noneOfKind: 'Davon liegt nichts im Papierkorb',
    noneHint: 'Gelöschtes kommt zuerst hierher.',
    deleted: (when) => `gelöscht ${when}`,
    deletedBy: (when, who) => `gelöscht ${when} von ${who}`,
    somebody: 'jemand anderem',
    ends: (day) => `endgültig fort am ${day}`,
    restore: 'Wiederherstellen',
    restoreWhat: (title) => `${title} wiederherstellen`,
    restored: (title) => `${title} ist wieder da`,
    restoredWith: (title, inside) => `${title} ist wieder da, ${inside}`,
    show: 'Zeigen',
    delete: 'Endgültig löschen',
    deleteWhat: (title) => `${title} endgültig löschen`,
    deleting: 'Endgültig löschen?',
    deleteOne: (title) =>
      `${title} wird sofort und endgültig gelöscht. Das lässt sich nicht rückgängig machen.`,
    deleteWith: (title, inside) =>
      `${title} wird sofort und endgültig gelöscht, ${inside}. Das lässt sich nicht rückgängig machen.`,
    deletedForGood: (title) => `${title} endgültig gelöscht`,
    empty: 'Papierkorb leeren',
    emptying: 'Papierkorb leeren?',
    emptyCount: (count) =>
      `${count} ${counted(count, 'Eintrag wird', 'Einträge werden')} sofort und endgültig gelöscht, mit allem, was darin war. Das lässt sich nicht rückgängig machen.`,
    emptyAll:
      'Alles im Papierkorb wird sofort und endgültig gelöscht, jede Art und auch, was hier noch nicht steht. Das lässt sich nicht rückgängig machen.',
    emptied: 'Der Papierkorb ist jetzt leer',
    cancel: 'Abbrechen',
  },
})
