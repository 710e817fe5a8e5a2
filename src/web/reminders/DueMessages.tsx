import { useEffect, useMemo, useRef, useSyncExternalStore } from 'react'
import { useLocation } from 'wouter'
import type { ReminderView } from '../../features/tasks/reminders/model'
import { PATTERNS } from '../app/addresses'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { announce, type Announcement, dismiss } from '../parts/messages-store'
import { useKeys, useStore } from '../store/use-store'
import { momentOf, useDueReminders } from './data'
import { seen } from './seen'
import { DoneButton } from './DoneButton'
import { SnoozeButton } from './SnoozeButton'
import { useReminderActions } from './use-reminder-actions'

const messages = defineMessages({
  en: {
    due: (title: string) => `Reminder: ${title}`,
    many: (n: number) => `${n} reminders are due`,
    show: 'Show reminders',
  },
  de: {
    due: (title) => `Erinnerung: ${title}`,
    many: (n) => `${n} Erinnerungen sind fällig`,
    show: 'Erinnerungen zeigen',
  },
})

/** So many have a message each; more of them have one together. */
const EACH = 2

/** Says on every page which reminders are due, until each is snoozed, done or dismissed (contract: web.due-reminders). */
export function DueMessages() {
  const isHidden = useSyncExternalStore(subscribeToVisibility, () => document.hidden)
  const [location] = useLocation()
  const wanted = useWanted(location.startsWith(PATTERNS.reminders), location === PATTERNS.today)
  /** The messages that stand, by what they are about. */
  const told = useRef(new Map<string, number>())
  useEffect(() => {
    // A tab that nobody looks at tells when somebody does.
    if (isHidden) return
    for (const [key, message] of told.current) {
      if (wanted.has(key)) continue
      dismiss(message)
      told.current.delete(key)
    }
    for (const [key, announcement] of wanted)
      if (!told.current.has(key)) told.current.set(key, announce(announcement))
  }, [wanted, isHidden])
  return null
}

/**
 * The messages that there should be, by what they are about; none where the list of reminders stands. Today has what is due
 * among its sections, so that a message there only calls for attention.
 */
function useWanted(isAtList: boolean, isAtToday: boolean): ReadonlyMap<string, Announcement> {
  const m = useMessages(messages)
  const { due } = useDueReminders()
  const gone = useSyncExternalStore(seen.subscribe, seen.read)
  const { ids } = useStore()
  const keyOf = useKeys('reminder')
  const [, navigate] = useLocation()
  return useMemo(() => {
    // The same reminder at another time is something else; a new one is the same when the service gives it an id.
    const named = due.map((reminder) => {
      const moment = momentOf(reminder)
      const key = `${keyOf(reminder.id)} ${moment}`
      // Other tabs know it by the service's id alone.
      return { reminder, key, names: () => [key, `${ids.real(reminder.id)} ${moment}`] }
    })
    const open = isAtList ? [] : named.filter(({ names }) => !names().some((name) => gone.has(name)))
    // It is told anew on the next page, where it stays.
    const placed = (key: string) => (isAtToday ? `today ${key}` : key)
    if (open.length <= EACH)
      return new Map(
        open.map(({ reminder, key, names }) => [
          placed(key),
          {
            text: m.due(reminder.title),
            waits: { icon: 'reminders', buttons: <DueButtons reminder={reminder} /> },
            stays: !isAtToday,
            onDismiss: () => seen.add(names()),
          },
        ]),
      )
    const way = { label: m.show, go: () => navigate(PATTERNS.reminders) }
    const many = {
      text: m.many(open.length),
      way,
      waits: { icon: 'reminders', buttons: null },
      stays: !isAtToday,
      onDismiss: () => seen.add(open.flatMap(({ names }) => names())),
    } as const
    return new Map([[placed(open.map(({ key }) => key).join()), many]])
  }, [m, due, gone, ids, keyOf, isAtList, isAtToday, navigate])
}

function DueButtons({ reminder }: { readonly reminder: ReminderView }) {
  const { snooze, finish } = useReminderActions()
  return (
    <>
      <SnoozeButton kind="quiet" reminder={reminder} snooze={snooze} />
      <DoneButton kind="quiet" reminder={reminder} finish={finish} />
    </>
  )
}

const subscribeToVisibility = (listener: () => void) => {
  document.addEventListener('visibilitychange', listener)
  return () => document.removeEventListener('visibilitychange', listener)
}
