import { useCallback, useMemo } from 'react'
import { useLocation } from 'wouter'
import type { ReminderView } from '../../features/tasks/reminders/model'
import { PATTERNS, reminderAddress } from '../app/addresses'
import { DetailLayout } from '../app/DetailLayout'
import { Gone } from '../app/Gone'
import { PLACES } from '../app/places'
import { useAddressed } from '../app/use-addressed'
import { useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { EmptyState } from '../parts/EmptyState'
import { ItemList } from '../parts/ItemList'
import { PageHeading } from '../parts/PageHeading'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { Status } from '../parts/Status'
import { useStore } from '../store/use-store'
import { useMoments } from '../time/use-moments'
import { AddReminder } from './AddReminder'
import { type ReminderItem, useReminders } from './data'
import { ReminderDetail } from './ReminderDetail'
import { ReminderLine } from './ReminderLine'
import { reminderTexts } from './texts'
import { useReminderActions } from './use-reminder-actions'

const [, , , REMINDERS] = PLACES

const messages = defineMessages({
  en: {
    detail: 'Reminder',
    none: 'Nothing to be reminded of',
    hint: 'A line like “Call the dentist on Friday at 9” is enough.',
    unread: 'The reminders could not be read.',
    count: (n: number) => counted(n, '1 reminder', `${n} reminders`),
    group: (name: string, n: number) => `${name} (${n})`,
  },
  de: {
    detail: 'Erinnerung',
    none: 'Nichts, woran zu erinnern wäre',
    hint: 'Eine Zeile wie „Zahnarzt anrufen am Freitag um 9“ genügt.',
    unread: 'Die Erinnerungen konnten nicht gelesen werden.',
    count: (n) => counted(n, '1 Erinnerung', `${n} Erinnerungen`),
    group: (name, n) => `${name} (${n})`,
  },
})

/** All reminders by what they wait for, and the one that is opened beside them (contract: web.reminders). */
export function RemindersPage() {
  const m = useMessages(messages)
  const texts = useMessages(reminderTexts)
  const { id, key } = useAddressed('reminder')
  const { reminders, lines, loading } = useReminders()
  const opened = reminders.find((reminder) => reminder.id === id)
  if (id !== undefined && !opened && loading.is === 'loaded') return <Gone place={REMINDERS} />
  return (
    <DetailLayout
      label={m.detail}
      listAddress={PATTERNS.reminders}
      detail={id !== undefined && <ReminderDetail key={key} reminder={opened} loading={loading} />}
    >
      <div className="reminders">
        <PageHeading>{texts.reminders}</PageHeading>
        <AddReminder />
        <Body lines={lines} loading={loading} openedId={id} />
      </div>
    </DetailLayout>
  )
}

interface BodyProps extends Pick<ReturnType<typeof useReminders>, 'lines' | 'loading'> {
  readonly openedId: number | undefined
}

function Body({ lines, loading, openedId }: BodyProps) {
  const m = useMessages(messages)
  const { loader } = useStore()
  const isRead = loading.is === 'loaded'
  return (
    <>
      {loading.is === 'refused' && (
        <ProblemNote refusal={loading.refusal} sentence={m.unread} onTryAgain={() => loader.retry()} />
      )}
      {loading.is === 'loading' && lines.length === 0 && <Skeleton lines={6} />}
      {lines.length > 0 && <Lines lines={lines} openedId={openedId} />}
      {isRead && lines.length === 0 && (
        <EmptyState icon="reminders" title={m.none}>
          <p>{m.hint}</p>
        </EmptyState>
      )}
      <Status isVisible>{isRead && lines.length > 0 ? m.count(lines.length) : ''}</Status>
    </>
  )
}

function Lines({ lines, openedId }: Pick<BodyProps, 'lines' | 'openedId'>) {
  const m = useMessages(messages)
  const texts = useMessages(reminderTexts)
  const moments = useMoments()
  const actions = useLineActions()
  const onKey = (item: ReminderItem, { key }: { readonly key: string }) => {
    if (key === 'Enter' || key === 'e') actions.open(item.reminder)
    if (key === 'Delete') actions.remove(item.reminder)
  }
  return (
    <ItemList label={texts.reminders} items={lines} lineHeight={60} onKey={onKey}>
      {({ reminder, group, opens }) => (
        <>
          {opens !== undefined && <h2 className="reminder-group">{m.group(texts[group], opens)}</h2>}
          <ReminderLine
            reminder={reminder}
            group={group}
            isOpened={reminder.id === openedId}
            moments={moments}
            actions={actions}
          />
        </>
      )}
    </ItemList>
  )
}

function useLineActions() {
  const [, navigate] = useLocation()
  const actions = useReminderActions()
  const open = useCallback((reminder: ReminderView) => navigate(reminderAddress(reminder.id)), [navigate])
  return useMemo(() => ({ ...actions, open }), [actions, open])
}
