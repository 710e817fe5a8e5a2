import { memo } from 'react'
import { Icon } from '../parts/Icon'
import { cssVariables } from '../styles/variables'
import { Drawn } from './Drawn'
import { type CalendarEntry, repeats } from './entries'
import type { ColumnPlace } from './layout/columns'
import { nameOf, ownTimeOf, type TimeReading, standingOf, timesOf } from './names'

interface EventBlockProps {
  readonly place: ColumnPlace<CalendarEntry>
  readonly reading: TimeReading
  readonly isPast: boolean
  /** Whether an earlier day already shows its button: then this is only its rest, for the eye and the mouse. */
  readonly isRest: boolean
  readonly mayResize: boolean
}

/** From this length on there is room for a second line. */
const TWO_LINES_MINUTES = 45
/** With less of the day's width there is room for the title alone. */
const NARROW = 0.5

/** An occurrence in the column of a day. */
export const EventBlock = memo(function EventBlock(props: EventBlockProps) {
  const { place, reading, isPast, isRest, mayResize } = props
  const { item: entry, top, length, column, width, columns } = place
  const { event } = entry
  const shared = {
    className: 'event event-block',
    'data-key': entry.key,
    'data-standing': standingOf(event),
    'data-past': isPast || undefined,
    'data-short': length < TWO_LINES_MINUTES || undefined,
    'data-narrow': width / columns < NARROW || undefined,
    style: cssVariables({
      '--top': top,
      '--length': length,
      '--from': column / columns,
      '--share': width / columns,
      '--column': column + 1,
      '--last': column + width < columns ? 0 : 1,
      '--colour': event.calendar_color ?? undefined,
    }),
  }
  const content = (
    <>
      <Drawn className="event-title" text={event.title} isFound />
      <Times entry={entry} reading={reading} />
      {mayResize && <span className="event-handle" data-handle />}
    </>
  )
  if (isRest)
    return (
      <div {...shared} aria-hidden="true">
        {content}
      </div>
    )
  return (
    <button type="button" {...shared} data-at={top} tabIndex={-1} aria-label={nameOf(entry, reading)}>
      {content}
    </button>
  )
})

function Times({ entry, reading }: { readonly entry: CalendarEntry; readonly reading: TimeReading }) {
  const { event } = entry
  const ownTime = ownTimeOf(entry, reading)
  return (
    <>
      <span className="event-times" aria-hidden="true">
        <Drawn text={timesOf(entry, reading)} />
        {repeats(event) && <Icon name="repeat" />}
      </span>
      {ownTime !== undefined && <Drawn className="event-times event-aside" text={ownTime} />}
      {event.location !== null && <Drawn className="event-times event-aside" text={event.location} isFound />}
    </>
  )
}
