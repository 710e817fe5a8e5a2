import { useSyncExternalStore } from 'react'
import { connection } from '../api/connection'
import { useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { Icon } from '../parts/Icon'

const messages = defineMessages({
  en: {
    fast: (minutes: number) =>
      `The clock of this device is ${minutes} ${counted(minutes, 'minute', 'minutes')} fast. An authenticator on it shows codes that are refused until the clock is right.`,
    slow: (minutes: number) =>
      `The clock of this device is ${minutes} ${counted(minutes, 'minute', 'minutes')} slow. An authenticator on it shows codes that are refused until the clock is right.`,
  },
  de: {
    fast: (minutes) =>
      `Die Uhr dieses Geräts geht ${minutes} ${counted(minutes, 'Minute', 'Minuten')} vor. Codes einer App auf diesem Gerät gelten erst, wenn sie richtig geht.`,
    slow: (minutes) =>
      `Die Uhr dieses Geräts geht ${minutes} ${counted(minutes, 'Minute', 'Minuten')} nach. Codes einer App auf diesem Gerät gelten erst, wenn sie richtig geht.`,
  },
})

const MOST_SECONDS = 120

/** Stands where codes are typed while the device's clock differs from the service's by more than two minutes (contract: web.clock). */
export function ClockWarning() {
  const m = useMessages(messages)
  const { skewSeconds } = useSyncExternalStore(connection.subscribe, connection.read)
  if (Math.abs(skewSeconds) <= MOST_SECONDS) return null
  const minutes = Math.round(Math.abs(skewSeconds) / 60)
  return (
    <p className="clock-warning">
      <Icon name="warning" />
      {skewSeconds > 0 ? m.fast(minutes) : m.slow(minutes)}
    </p>
  )
}
