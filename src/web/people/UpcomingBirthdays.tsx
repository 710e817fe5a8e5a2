import { useId } from 'react'
import { Link } from 'wouter'
import type { PersonView } from '../../features/people/people/model'
import { useLocale, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Icon } from '../parts/Icon'
import { useKeys } from '../store/use-store'
import { shortDay } from '../time/format'
import { useToday } from '../time/use-now'
import { useBirthdayWords } from './birthday-words'
import { upcomingBirthdays } from './birthdays'
import { type PeopleFilters, personAddress } from './filters'
import { nameOf } from './names'

const messages = defineMessages({
  en: { title: 'Upcoming birthdays' },
  de: { title: 'Nächste Geburtstage' },
})

const DAYS_AHEAD = 30
const MOST = 5

interface UpcomingBirthdaysProps {
  readonly people: readonly PersonView[]
  readonly filters: PeopleFilters
}

/** The birthdays of the next thirty days, as far as they are few. */
export function UpcomingBirthdays({ people, filters }: UpcomingBirthdaysProps) {
  const m = useMessages(messages)
  const locale = useLocale()
  const words = useBirthdayWords()
  const id = useId()
  const keyOf = useKeys('person')
  const next = upcomingBirthdays(people, useToday(), DAYS_AHEAD).slice(0, MOST)
  if (next.length === 0) return null
  return (
    <section aria-labelledby={id} className="birthdays">
      <h2 id={id}>{m.title}</h2>
      <ul aria-labelledby={id}>
        {next.map(({ person, date, turns, inDays }) => (
          <li key={keyOf(person.id)}>
            <Link href={personAddress(person.id, filters)}>
              <Icon name="birthday" />
              <span>{nameOf(person)}</span>
            </Link>
            <span>
              {[
                turns !== undefined && words.turns(turns),
                inDays > 1 ? shortDay(date, locale) : words.away(inDays),
              ]
                .filter(Boolean)
                .join(' · ')}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}
