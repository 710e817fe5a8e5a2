import { defineMessages } from '../messages/messages'

const listed = (locale: string, parts: readonly string[]) =>
  new Intl.ListFormat(locale, { type: 'unit' }).format(parts)

export const messages = defineMessages({
  en: {
    title: 'Import',
    reading: 'Reading the file…',
    importing: 'Importing…',
    cancel: 'Cancel',
    cancelled: 'Cancelled. What was imported before stays; importing the file again takes the rest.',
    start: 'Import',
    done: 'The file is imported.',
    counts: (created: number, updated: number, unchanged: number, skipped: number) =>
      listed('en-GB', [
        `${created} new`,
        `${updated} changed`,
        `${unchanged} unchanged`,
        `${skipped} skipped`,
      ]),
    reason: (count: number, reason: string) => `${count} × ${reason}`,
    offline: 'You are offline. The file stays chosen: try again once you are back.',
    busy: 'The service is busy or restarting. Try again in a moment.',
    failed: 'The file could not be imported.',
  },
  de: {
    title: 'Importieren',
    reading: 'Die Datei wird gelesen …',
    importing: 'Die Datei wird importiert …',
    cancel: 'Abbrechen',
    cancelled:
      'Abgebrochen. Was schon importiert war, bleibt; ein neuer Import derselben Datei übernimmt den Rest.',
    start: 'Importieren',
    done: 'Die Datei ist importiert.',
    counts: (created, updated, unchanged, skipped) =>
      listed('de-DE', [
        `${created} neu`,
        `${updated} geändert`,
        `${unchanged} unverändert`,
        `${skipped} ausgelassen`,
      ]),
    reason: (count, reason) => `${count} × ${reason}`,
    offline: 'Keine Verbindung. Die Datei bleibt gewählt, bis die Verbindung wieder steht.',
    busy: 'Der Dienst ist ausgelastet oder startet neu. Ein neuer Versuch hilft in der Regel.',
    failed: 'Die Datei konnte nicht importiert werden.',
  },
})
