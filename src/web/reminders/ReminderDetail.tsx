import { useLocation } from 'wouter'
import type { ReminderView } from '../../features/tasks/reminders/model'
import { pathOf } from '../api/call'
import { PATTERNS } from '../app/addresses'
import { DetailHeading } from '../app/DetailLayout'
import { History } from '../history/History'
import { useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { Switch } from '../parts/Checkbox'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { isLocal } from '../store/commands'
import type { Loading } from '../store/loader'
import { useStore } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { useMinute } from '../time/use-now'
import { useMoments } from '../time/use-moments'
import { groupOf, momentOf } from './data'
import { DoneButton } from './DoneButton'
import { changingReminder } from './intents'
import { ReminderForm } from './ReminderForm'
import { SnoozeButton } from './SnoozeButton'
import { reminderTexts } from './texts'
import { useReminderActions } from './use-reminder-actions'

const messages = defineMessages({
  en: {
    reminder: 'Reminder',
    unread: 'The reminder could not be read.',
    active: 'Active',
    activeHint: 'A reminder that is switched off says nothing and keeps its time.',
    saidOn: (title: string) => `Switched ${title} on`,
    saidOff: (title: string) => `Switched ${title} off`,
    due: (when: string) => `Due since ${when}`,
    upcoming: (when: string) => `Comes ${when}`,
    snoozed: (when: string) => `Snoozed until ${when}`,
    timeless: () => 'It has no time yet.',
    inactive: () => 'It is switched off.',
    dismissed: () => 'It is done. With another date it comes again.',
  },
  de: {
    reminder: 'Erinnerung',
    unread: 'Die Erinnerung konnte nicht gelesen werden.',
    active: 'Aktiv',
    activeHint: 'Eine ausgeschaltete Erinnerung meldet sich nicht und behält ihre Zeit.',
    saidOn: (title) => `${title} eingeschaltet`,
    saidOff: (title) => `${title} ausgeschaltet`,
    due: (when) => `Fällig seit: ${when}`,
    upcoming: (when) => `Meldet sich: ${when}`,
    snoozed: (when) => `Aufgeschoben: ${when}`,
    timeless: () => 'Sie hat noch keine Zeit.',
    inactive: () => 'Sie ist ausgeschaltet.',
    dismissed: () => 'Sie ist erledigt. Mit einem neuen Datum meldet sie sich wieder.',
  },
})

const FIELDS = ['title', 'remind_at', 'time_zone', 'recurrence_rule', 'is_active', 'description']

interface ReminderDetailProps {
  readonly reminder: ReminderView | undefined
  readonly loading: Loading
}

/** All of a reminder, beside the list. */
export function ReminderDetail({ reminder, loading }: ReminderDetailProps) {
  const m = useMessages(messages)
  const { loader } = useStore()
  if (reminder) return <Detail reminder={reminder} />
  return (
    <>
      <DetailHeading>{m.reminder}</DetailHeading>
      {loading.is === 'refused' ? (
        <ProblemNote refusal={loading.refusal} sentence={m.unread} onTryAgain={() => loader.retry()} />
      ) : (
        <Skeleton lines={6} />
      )}
    </>
  )
}

interface OneReminder {
  readonly reminder: ReminderView
}

function Detail({ reminder }: OneReminder) {
  const texts = useMessages(reminderTexts)
  const [, navigate] = useLocation()
  const { remove } = useReminderActions()
  const deleteIt = () => {
    navigate(PATTERNS.reminders, { replace: true })
    remove(reminder)
  }
  return (
    <>
      <DetailHeading>{reminder.title}</DetailHeading>
      <State reminder={reminder} />
      <ActiveSwitch reminder={reminder} />
      <ReminderForm reminder={reminder} />
      <div className="reminder-foot reminder-detail-foot">
        <Button kind="quiet" onClick={deleteIt}>
          {texts.delete}
        </Button>
        {!isLocal(reminder.id) && (
          <History
            record={{ kind: 'reminder', id: reminder.id }}
            path={pathOf`reminders/${reminder.id}`}
            title={reminder.title}
            fields={FIELDS}
          />
        )}
      </div>
    </>
  )
}

/** Where it stands, and what can be done about that at once. */
function State({ reminder }: OneReminder) {
  const m = useMessages(messages)
  const moments = useMoments()
  const { snooze, finish } = useReminderActions()
  const group = groupOf(reminder, useMinute())
  const moment = momentOf(reminder)
  const isOver = group === 'inactive' || group === 'dismissed'
  return (
    <div className="reminder-state">
      <p>{m[group](moment === null ? '' : moments(moment))}</p>
      {!isOver && (
        <div className="reminder-actions">
          {group !== 'timeless' && <SnoozeButton reminder={reminder} snooze={snooze} />}
          <DoneButton reminder={reminder} finish={finish} />
        </div>
      )}
    </div>
  )
}

/** Holds at once, unlike the fields. */
function ActiveSwitch({ reminder }: OneReminder) {
  const m = useMessages(messages)
  const write = useWriting()
  const turn = (isActive: boolean) => {
    const said = isActive ? m.saidOn(reminder.title) : m.saidOff(reminder.title)
    write(changingReminder(reminder, { is_active: isActive }, said))
  }
  return <Switch label={m.active} hint={m.activeHint} checked={reminder.is_active} onChange={turn} />
}
