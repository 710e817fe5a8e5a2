import type { Refusal } from '../api/refusal'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'

const messages = defineMessages({
  en: { label: 'Request id, for whoever runs the service:' },
  de: { label: 'Kennung der Anfrage, für den Betrieb des Dienstes:' },
})

/** The id under which the service logged a failure, selectable as a whole. */
export function RequestId({ refusal }: { readonly refusal: Refusal | undefined }) {
  const m = useMessages(messages)
  if (refusal === undefined || refusal.status < 500 || refusal.requestId === undefined) return null
  return (
    <p className="request-id">
      {m.label} <code>{refusal.requestId}</code>
    </p>
  )
}
