import { escapeComponent } from '../../../lib/icalendar/text'
import { displayName, type Names } from '../../../lib/person-name'
import { addDaysTo } from '../../../lib/time/wall-time'

/** A person whose birthday is known. */
export interface Celebrated extends Names {
  readonly id: number
  /** `YYYY-MM-DD`, or `--MM-DD`. */
  readonly birthday: string
  readonly createdAt: Date
}

/** A leap year, which stands for years that are not known. */
const SOME_YEAR = '1972'
const LEAP_DAY = '02-29'
/** In common years 29 February is celebrated on the 28th (contract: events.birthdays). */
const LAST_OF_FEBRUARY = ';BYMONTH=2;BYMONTHDAY=-1'

const digits = (day: string) => day.replaceAll('-', '')

/** The lines of a birthday's event: a whole day of each year, on which nobody is busy. */
export function birthdayLines(person: Celebrated): string[] {
  const { id, birthday, createdAt } = person
  const first = birthday.startsWith('-') ? `${SOME_YEAR}-${birthday.slice(-5)}` : birthday
  const at = createdAt.toISOString().replaceAll(/[-:]|\.\d+/g, '')
  return [
    'BEGIN:VEVENT',
    `UID:birthday-${id}@organiser.invalid`,
    `DTSTAMP:${at}`,
    `DTSTART;VALUE=DATE:${digits(first)}`,
    `DTEND;VALUE=DATE:${digits(addDaysTo(first, 1))}`,
    `RRULE:FREQ=YEARLY${birthday.endsWith(LEAP_DAY) ? LAST_OF_FEBRUARY : ''}`,
    `SUMMARY:${escapeComponent(`${displayName(person)}'s birthday`)}`,
    'TRANSP:TRANSPARENT',
    'END:VEVENT',
  ]
}

export const birthdayName = (personId: number): string => `birthday-${personId}.ics`

/** The person of whom an object has its name. */
export function personOf(name: string): number | undefined {
  const [, id] = /^birthday-([1-9]\d{0,8})\.ics$/.exec(name) ?? []
  return id === undefined ? undefined : Number(id)
}
