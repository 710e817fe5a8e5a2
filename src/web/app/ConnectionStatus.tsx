import { useSyncExternalStore } from 'react'
import { connection } from '../api/connection'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Icon } from '../parts/Icon'
import { useSignedIn } from '../session/use-session'
import { useLive } from '../store/use-store'
import { deviceZone } from '../time/now'

const messages = defineMessages({
  en: {
    name: 'Connection',
    live: 'Live',
    connecting: 'Connecting',
    reconnecting: 'Reconnecting',
    'read-only': 'Read-only: the service is restarting',
    offline: 'You are offline.',
    offlineSince: (time: string) => `You are offline. Shown as of ${time}.`,
    away: 'Reconnecting: the service cannot be reached.',
    awaySince: (time: string) => `Reconnecting: the service cannot be reached. Shown as of ${time}.`,
    busy: 'The service is busy or restarting.',
    busySince: (time: string) => `The service is busy or restarting. Shown as of ${time}.`,
  },
  de: {
    name: 'Verbindung',
    live: 'Aktuell',
    connecting: 'Verbindung wird aufgebaut',
    reconnecting: 'Verbindung wird wieder aufgebaut',
    'read-only': 'Nur lesend: der Dienst startet neu',
    offline: 'Keine Verbindung.',
    offlineSince: (time: string) => `Keine Verbindung. Stand von ${time}.`,
    away: 'Verbindung wird wieder aufgebaut: der Dienst ist nicht erreichbar.',
    awaySince: (time: string) =>
      `Verbindung wird wieder aufgebaut: der Dienst ist nicht erreichbar. Stand von ${time}.`,
    busy: 'Der Dienst ist ausgelastet oder startet neu.',
    busySince: (time: string) => `Der Dienst ist ausgelastet oder startet neu. Stand von ${time}.`,
  },
})

/** A quiet word while the service answers, a bar across the page while it does not. */
export function ConnectionStatus() {
  const m = useMessages(messages)
  const { reach } = useSyncExternalStore(connection.subscribe, connection.read)
  const time = useAsOf()
  const live = useLive()?.is ?? 'live'
  const sentence = {
    online: live === 'offline' ? m.reconnecting : m[live],
    offline: time === undefined ? m.offline : m.offlineSince(time),
    away: time === undefined ? m.away : m.awaySince(time),
    busy: time === undefined ? m.busy : m.busySince(time),
  }[reach]
  return (
    <div role="status" aria-label={m.name} className={`connection connection-${reach}`}>
      {reach !== 'online' && <Icon name={reach === 'busy' ? 'clock' : 'offline'} />}
      {sentence}
    </div>
  )
}

/** The time of what shows: that of the last answer, or of the device's copy. */
function useAsOf(): string | undefined {
  const locale = useLocale()
  const { settings } = useSignedIn()
  const { answeredAt } = useSyncExternalStore(connection.subscribe, connection.read)
  const kept = useLive()?.asOf
  return (answeredAt ?? kept)?.toLocaleString(locale, {
    timeZone: settings.time_zone ?? deviceZone(),
    hour: '2-digit',
    minute: '2-digit',
  })
}
