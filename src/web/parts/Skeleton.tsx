import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'

const messages = defineMessages({ en: { loading: 'Loading…' }, de: { loading: 'Wird geladen …' } })

/** Holds the place of lines that are on their way. They appear late, so that what is fast does not flicker. */
export function Skeleton({ lines = 3 }: { readonly lines?: number }) {
  const m = useMessages(messages)
  return (
    <div className="skeleton" role="status">
      <span className="visually-hidden">{m.loading}</span>
      {Array.from({ length: lines }, (_, line) => (
        <span key={line} className="skeleton-line" />
      ))}
    </div>
  )
}
