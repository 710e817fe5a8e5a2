import { memo, useMemo } from 'react'
import { Link } from 'wouter'
import type { ReminderView } from '../../features/tasks/reminders/model'
import { reminderAddress } from '../app/addresses'
import { useLanguage, useMessages } from '../messages/language'
import { defineMessages } from '../messages/messages'
import { Icon } from '../parts/Icon'
import type { MenuAction } from '../parts/Menu'
import { MenuButton } from '../parts/MenuButton'
import { WaitingMark } from '../parts/WaitingMark'
import { repeatOf } from '../recurrence/rule'
import { inWords } from '../recurrence/words'
import { momentOf, type ReminderGroup } from './data'
import { DoneButton } from './DoneButton'
import { SnoozeButton } from './SnoozeButton'
import { reminderTexts } from './texts'
import type { ReminderActions } from './use-reminder-actions'

const messages = defineMessages({
  en: { repeats: 'Repeats' },
  de: { repeats: 'Wiederholt sich' },
})

interface LineActions extends ReminderActions {
  readonly open: (reminder: ReminderView) => void
}

interface ReminderLineProps {
  readonly reminder: ReminderView
  readonly group: ReminderGroup
  readonly isOpened: boolean
  readonly moments: (at: string) => string
  readonly actions: LineActions
}

/** A reminder in the list; one that is due has its buttons beside it. */
export const ReminderLine = memo((props: ReminderLineProps) => {
  const { reminder, group, isOpened, actions } = props
  const isOver = group === 'dismissed'
  return (
    <div className="reminder-line" data-group={group} data-opened={isOpened || undefined}>
      <input
        type="checkbox"
        className="checkbox"
        aria-label={reminder.title}
        checked={isOver}
        disabled={isOver}
        onChange={() => actions.finish(reminder)}
      />
      <div className="reminder-text">
        <Link
          href={reminderAddress(reminder.id)}
          draggable={false}
          aria-current={isOpened ? 'true' : undefined}
        >
          {reminder.title}
        </Link>
        <Facts {...props} />
      </div>
      {group === 'due' && (
        <div className="reminder-actions">
          <SnoozeButton reminder={reminder} snooze={actions.snooze} />
          <DoneButton reminder={reminder} finish={actions.finish} />
        </div>
      )}
      <LineMenu reminder={reminder} isOver={isOver} actions={actions} />
    </div>
  )
})

function Facts({ reminder, moments }: Pick<ReminderLineProps, 'reminder' | 'moments'>) {
  const m = useMessages(messages)
  const { language } = useLanguage()
  const moment = momentOf(reminder)
  const { recurrence_rule: rule, recurrence_unsupported: isElsewhere } = reminder
  const repeat = rule === null ? undefined : repeatOf(rule)
  return (
    <span className="reminder-facts">
      {moment !== null && <span>{moments(moment)}</span>}
      {(rule !== null || isElsewhere) && (
        <span>
          <Icon name="repeat" /> {repeat ? inWords(repeat, language) : m.repeats}
        </span>
      )}
      <WaitingMark record={{ kind: 'reminder', id: reminder.id }} />
    </span>
  )
}

interface LineMenuProps {
  readonly reminder: ReminderView
  readonly isOver: boolean
  readonly actions: LineActions
}

function LineMenu({ reminder, isOver, actions }: LineMenuProps) {
  const m = useMessages(reminderTexts)
  const menu = useMemo<readonly MenuAction[]>(
    () => [
      { id: 'edit', label: m.edit, icon: 'edit', keys: 'e', run: () => actions.open(reminder) },
      ...(isOver
        ? []
        : [{ id: 'done', label: m.done, icon: 'check', run: () => actions.finish(reminder) } as const]),
      {
        id: 'delete',
        label: m.delete,
        icon: 'delete',
        isDangerous: true,
        run: () => actions.remove(reminder),
      },
    ],
    [m, actions, isOver, reminder],
  )
  const more = m.more(reminder.title)
  return (
    <MenuButton kind="quiet" actions={menu} aria-label={more} title={more}>
      <Icon name="more" />
    </MenuButton>
  )
}
