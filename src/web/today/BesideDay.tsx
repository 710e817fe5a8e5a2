import { useId, useMemo } from 'react'
import { Link } from 'wouter'
import type { NotificationView } from '../../features/notifications/notifications/model'
import { PATTERNS } from '../app/addresses'
import { useLocale, useMessages } from '../messages/language'
import { useNotifications } from '../notifications/data'
import { useNotificationWords } from '../notifications/words'
import { Button } from '../parts/Button'
import { Icon } from '../parts/Icon'
import { useBirthdayWords } from '../people/birthday-words'
import { upcomingBirthdays } from '../people/birthdays'
import { NO_FILTERS, personAddress } from '../people/filters'
import { nameOf } from '../people/names'
import { TrackedTasks } from '../projects/TrackedTasks'
import { useSignedIn } from '../session/use-session'
import { changeDeviceSetting, useDeviceSetting } from '../settings/device-settings'
import { useKeys, useRecords } from '../store/use-store'
import { shortDay } from '../time/format'
import { besideMessages } from './beside.messages'
import { TodaySection } from './TodaySection'
import { WeatherCard } from './WeatherCard'

interface BesideDayProps {
  readonly date: Temporal.PlainDate
}

/** What stands beside the day, or below it: the weather, birthdays, what is tracked and unread, and what to set up next. */
export function BesideDay({ date }: BesideDayProps) {
  return (
    <aside className="today-beside today-lists" aria-label={useMessages(besideMessages).beside}>
      <WeatherCard />
      <Birthdays date={date} />
      <TrackedTasks after={date.toString()} />
      <UnreadNotifications />
      <SecondStep />
    </aside>
  )
}

const BIRTHDAYS_AHEAD = 7

function Birthdays({ date }: BesideDayProps) {
  const m = useMessages(besideMessages)
  const locale = useLocale()
  const words = useBirthdayWords()
  const keyOf = useKeys('person')
  const { items } = useRecords('person')
  const next = useMemo(
    () =>
      upcomingBirthdays(items, date, BIRTHDAYS_AHEAD).map((each) => ({
        ...each,
        key: keyOf(each.person.id),
      })),
    [items, date, keyOf],
  )
  return (
    <TodaySection title={m.birthdays} items={next}>
      {({ person, date: day, turns }) => (
        <span className="today-line">
          <Icon name="birthday" />
          <Link href={personAddress(person.id, NO_FILTERS)}>{nameOf(person)}</Link>
          <span>
            {[turns === undefined ? '' : words.turns(turns), shortDay(day, locale)]
              .filter(Boolean)
              .join(' · ')}
          </span>
        </span>
      )}
    </TodaySection>
  )
}

const NEWEST = 3

/** What concerns the safety of the account is told at length on its page. */
const shortWords = ({ type }: NotificationView, { title, message }: Record<'title' | 'message', string>) =>
  type === 'security' || type === 'system' ? title : message

function UnreadNotifications() {
  const m = useMessages(besideMessages)
  const words = useNotificationWords()
  const { items } = useNotifications()
  const unread = items.filter(({ notification }) => !notification.is_read)
  return (
    <>
      <TodaySection title={m.unread(unread.length)} items={unread.slice(0, NEWEST)}>
        {({ notification }) => <p className="today-news">{shortWords(notification, words(notification))}</p>}
      </TodaySection>
      {unread.length > 0 && <Link href={PATTERNS.notifications}>{m.toNotifications}</Link>}
    </>
  )
}

/** The button goes with the offer: the heading of the page has the focus then. */
function dismissOffer(): void {
  document.querySelector<HTMLElement>('main h1')?.focus({ preventScroll: true })
  changeDeviceSetting('second-step', 'dismissed')
}

/** Offered until somebody has had enough of it. */
function SecondStep() {
  const m = useMessages(besideMessages)
  const id = useId()
  const { user } = useSignedIn()
  const isOffered = useDeviceSetting('second-step') === 'offered'
  if (!isOffered) return null
  const steps = [
    { path: PATTERNS.settingsSecurity, icon: 'passkey', label: m.passkey },
    { path: PATTERNS.settingsCalendars, icon: 'upload', label: m.import },
    user.isAdmin
      ? ({ path: PATTERNS.adminSettings, icon: 'invite', label: m.register } as const)
      : ({ path: PATTERNS.connections, icon: 'invite', label: m.connect } as const),
  ] as const
  return (
    <section aria-labelledby={id} className="today-step">
      <h2 id={id}>{m.second}</h2>
      <ul aria-labelledby={id}>
        {steps.map(({ path, icon, label }) => (
          <li key={path}>
            <Link href={path} className="today-line">
              <Icon name={icon} />
              {label}
            </Link>
          </li>
        ))}
      </ul>
      <Button onClick={dismissOffer}>{m.dismiss}</Button>
    </section>
  )
}
