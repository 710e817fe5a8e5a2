import { Link } from 'wouter'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { PageHeading } from '../parts/PageHeading'

const messages = defineMessages({
  en: {
    title: 'This event is gone',
    why: 'It was deleted, or it is no longer shared with you.',
    back: 'Back to calendar',
  },
  de: {
    title: 'Diesen Termin gibt es nicht mehr',
    why: 'Er wurde gelöscht oder wird nicht mehr geteilt.',
    back: 'Zurück zum Kalender',
  },
})

/** The page of an event that is not there, or never was one's own (contract: web.gone). */
export function EventGone() {
  const m = useMessages(messages)
  return (
    <div className="not-here">
      <PageHeading>{m.title}</PageHeading>
      <p>{m.why}</p>
      <Link href={PATTERNS.calendar} className="button button-secondary">
        {m.back}
      </Link>
    </div>
  )
}
