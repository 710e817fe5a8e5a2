import { type MouseEvent, useCallback } from 'react'
import { Link } from 'wouter'
import { useAnswer } from '../api/use-answer'
import { openOver } from '../app/over-page'
import { useLocale, useMessages } from '../messages/language'
import { Icon, type IconName } from '../parts/Icon'
import { clockTime, fullDate } from '../time/format'
import { useZone } from '../time/use-zone'
import { Highlighted } from './Highlighted'
import { addressOf, type SearchResult } from './kinds'
import { addressOfEvent, readNext } from './next-occurrence'
import { searchMessages } from './search.messages'

interface ResultLinkProps {
  readonly result: SearchResult
  readonly searched: string
  readonly icon: IconName
  /** Whether an event is asked when it is. */
  readonly isDated: boolean
  readonly onOpen: () => void
}

/** One result; an event opens over the page, at its next occurrence. */
export function ResultLink(props: ResultLinkProps) {
  const { result, onOpen } = props
  if (result.type === 'event') return <EventLink {...props} />
  return (
    <Link href={addressOf(result)} className="result" data-result onClick={onOpen}>
      <ResultText {...props} />
    </Link>
  )
}

function EventLink(props: ResultLinkProps) {
  const { result, isDated, onOpen } = props
  const { id } = result
  const m = useMessages(searchMessages)
  const locale = useLocale()
  const zone = useZone()
  const ask = useCallback(async () => (isDated ? readNext(id, zone) : undefined), [id, isDated, zone])
  const { value: event } = useAnswer(ask)
  const address = event ? addressOfEvent(event) : addressOf(result)
  const open = (click: MouseEvent) => {
    onOpen()
    // With these keys the browser opens it in another tab.
    if (click.ctrlKey || click.metaKey || click.shiftKey || click.altKey) return
    click.preventDefault()
    openOver(address)
  }
  const when = () => {
    if (!event) return undefined
    if (event.start_date !== null) return fullDate(Temporal.PlainDate.from(event.start_date), locale)
    const start = Temporal.Instant.from(event.start_at ?? '')
    const day = start.toZonedDateTimeISO(zone).toPlainDate()
    return m.when(fullDate(day, locale), clockTime(start, zone, locale))
  }
  return (
    <a href={address} className="result" data-result onClick={open}>
      <ResultText {...props} when={when()} />
    </a>
  )
}

function ResultText({
  result,
  searched,
  icon,
  when,
}: ResultLinkProps & { readonly when?: string | undefined }) {
  return (
    <>
      <Icon name={icon} />
      <span className="result-text">
        <span className="result-title">
          <Highlighted text={result.title} searched={searched} />
        </span>
        {when !== undefined && <span className="result-when">{when}</span>}
        {result.snippet !== null && (
          <span className="result-snippet">
            <Highlighted text={result.snippet} searched={searched} />
          </span>
        )}
      </span>
    </>
  )
}
