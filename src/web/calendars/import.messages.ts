import { defineMessages } from '../messages/messages'

const listed = (locale: string, parts: readonly string[]) =>
  new Intl.ListFormat(locale, { type: 'unit' }).format(parts)

export const messages = defineMessages({
  en: {
    title: 'Import',
    file: 'Calendar file (.ics)',
    reading: 'Reading the file…',
    importing: 'Importing…',
    cancel: 'Cancel',
    cancelled: 'Cancelled. What was imported before stays; importing the file again takes the rest.',
    start: 'Import',
    done: 'The file is imported.',
    showFirst: 'Show the first event',
    counts: (created: number, updated: number, unchanged: number, skipped: number) =>
      listed('en-GB', [
        `${created} new`,
        `${updated} changed`,
        `${unchanged} unchanged`,
        `${skipped} skipped`,
      ]),
    reason: (count: number, reason: string) => `${count} × ${reason}`,
    tooLarge: 'The file is larger than 10 MiB. Export it in parts, by year for example.',
    offline: 'You are offline. The file stays chosen: try again once you are back.',
    busy: 'The service is busy or restarting. Try again in a moment.',
    failed: 'The file could not be imported.',
  },
  de: {
    title: 'Importieren',
    file: 'Kalenderdatei (.ics)',
    reading: 'Die Datei wird gelesen …',
    importing: 'Die Datei wird importiert …',
    cancel: 'Abbrechen',
    cancelled:
      'Abgebrochen. Was schon importiert war, bleibt; ein neuer Import derselben Datei übernimmt den Rest.',
    start: 'Importieren',
    done: 'Die Datei ist importiert.',
    showFirst: 'Ersten Termin zeigen',
    counts: (created, updated, unchanged, skipped) =>
      listed('de-DE', [
        `${created} neu`,
        `${updated} geändert`,
        `${unchanged} unverändert`,
        `${skipped} ausgelassen`,
      ]),
    reason: (count, reason) => `${count} × ${reason}`,
    tooLarge: 'Die Datei ist größer als 10 MiB. Ein Export in Teilen hilft, zum Beispiel nach Jahren.',
    offline: 'Keine Verbindung. Die Datei bleibt gewählt, bis die Verbindung wieder steht.',
    busy: 'Der Dienst ist ausgelastet oder startet neu. Ein neuer Versuch hilft in der Regel.',
    failed: 'Die Datei konnte nicht importiert werden.',
  },
})
