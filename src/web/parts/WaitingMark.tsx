import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import type { RecordName } from '../store/kinds'
import { useIsWaiting } from '../store/use-store'
import { Icon } from './Icon'

const messages = defineMessages({ en: { waiting: 'Not sent yet' }, de: { waiting: 'Noch nicht gesendet' } })

/** A clock beside what did not get through to the service yet. */
export function WaitingMark({ record }: { readonly record: RecordName }) {
  const m = useMessages(messages)
  const isWaiting = useIsWaiting(record)
  if (!isWaiting) return null
  return (
    <span title={m.waiting}>
      <Icon name="clock" />
      <span className="visually-hidden">{m.waiting}</span>
    </span>
  )
}
