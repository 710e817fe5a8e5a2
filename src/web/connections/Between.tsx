import { Link } from 'wouter'
import { calendarSettingsAddress, PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { messages } from './connection-page.messages'
import type { useBetween } from './use-between'

interface BetweenProps {
  readonly name: string
  readonly between: ReturnType<typeof useBetween>
}

/** The calendars that the two share with each other. */
export function Between({ name, between }: BetweenProps) {
  const m = useMessages(messages)
  const { yours, theirs, refusal, again } = between
  const right = (permission: string) => (permission === 'read' ? m.read : m.write)
  const isNothing = yours?.length === 0 && theirs.length === 0
  return (
    <section aria-labelledby="between">
      <h2 id="between">{m.calendars}</h2>
      {refusal && <ProblemNote refusal={refusal} onTryAgain={again} />}
      {!yours && !refusal && <Skeleton lines={2} />}
      {isNothing && <p className="field-hint">{m.noCalendars}</p>}
      <CalendarLinks
        heading={m.yours(name)}
        lines={(yours ?? []).map(({ calendar, member }) => ({
          ...calendar,
          says: [right(member.permission), member.status === 'pending' && m.pending]
            .filter(Boolean)
            .join(', '),
        }))}
      />
      <CalendarLinks
        heading={m.theirs(name)}
        lines={theirs.map((calendar) => ({ ...calendar, says: right(calendar.access) }))}
      />
      <Link href={PATTERNS.settingsCalendars}>{m.shareOne}</Link>
    </section>
  )
}

interface CalendarLinksProps {
  readonly heading: string
  readonly lines: ReadonlyArray<{ readonly id: number; readonly name: string; readonly says: string }>
}

function CalendarLinks({ heading, lines }: CalendarLinksProps) {
  if (lines.length === 0) return null
  return (
    <>
      <h3>{heading}</h3>
      <ul className="calendar-links" aria-label={heading}>
        {lines.map(({ id, name, says }) => (
          <li key={id}>
            <Link href={calendarSettingsAddress(id)}>{name}</Link>
            <span>{says}</span>
          </li>
        ))}
      </ul>
    </>
  )
}
