import { useState } from 'react'
import type { NotificationView } from '../../features/notifications/notifications/model'
import { useMessages } from '../messages/language'
import { counted, defineMessages } from '../messages/messages'
import { Button } from '../parts/Button'
import { ConfirmDialog } from '../parts/ConfirmDialog'
import { EmptyState } from '../parts/EmptyState'
import { ItemList } from '../parts/ItemList'
import { PageHeading } from '../parts/PageHeading'
import { ProblemNote } from '../parts/ProblemNote'
import { Skeleton } from '../parts/Skeleton'
import { Status } from '../parts/Status'
import { useStore } from '../store/use-store'
import { useWriting } from '../store/use-writing'
import { useNotifications } from './data'
import { deletingNotification, readingAll } from './intents'
import { NotificationLine } from './NotificationLine'
import { useNotificationWords } from './words'

const messages = defineMessages({
  en: {
    notifications: 'Notifications',
    none: 'No notifications',
    hint: 'Requests, invitations, answers and what concerns the safety of the account stand here for 90 days.',
    refused: 'The notifications could not be read.',
    readAll: 'Mark all as read',
    saidRead: (n: number) => counted(n, 'Marked 1 notification as read', `Marked ${n} notifications as read`),
    count: (n: number, unread: number) =>
      `${counted(n, '1 notification', `${n} notifications`)}, ${unread} unread`,
    delete: 'Delete',
    title: 'Delete notification',
    sure: (title: string) => `“${title}” is deleted for good. What it is about stays.`,
    saidDeleted: (title: string) => `Deleted the notification ${title}`,
  },
  de: {
    notifications: 'Mitteilungen',
    none: 'Keine Mitteilungen',
    hint: 'Anfragen, Einladungen, Antworten und was die Sicherheit des Kontos betrifft, stehen hier 90 Tage lang.',
    refused: 'Die Mitteilungen konnten nicht gelesen werden.',
    readAll: 'Alle als gelesen markieren',
    saidRead: (n) =>
      counted(n, '1 Mitteilung als gelesen markiert', `${n} Mitteilungen als gelesen markiert`),
    count: (n, unread) => `${counted(n, '1 Mitteilung', `${n} Mitteilungen`)}, ${unread} ungelesen`,
    delete: 'Löschen',
    title: 'Mitteilung löschen',
    sure: (title) => `„${title}“ wird endgültig gelöscht. Worum es darin geht, bleibt.`,
    saidDeleted: (title) => `Mitteilung „${title}“ gelöscht`,
  },
})

/** What happened to the user's things and account, newest first, with what can be done about it (contract: web.notifications). */
export function NotificationsPage() {
  const m = useMessages(messages)
  const { loader } = useStore()
  const { items, loading } = useNotifications()
  const unread = items.filter(({ notification }) => !notification.is_read)
  const isRead = loading.is === 'loaded'
  return (
    <div className="notifications">
      <header className="notifications-head">
        <PageHeading>{m.notifications}</PageHeading>
        {unread.length > 0 && <ReadAll unread={unread.map(({ notification }) => notification)} />}
      </header>
      {loading.is === 'refused' && (
        <ProblemNote refusal={loading.refusal} sentence={m.refused} onTryAgain={() => loader.retry()} />
      )}
      {loading.is === 'loading' && items.length === 0 && <Skeleton lines={6} />}
      {items.length > 0 && <Lines items={items} />}
      {isRead && items.length === 0 && (
        <EmptyState icon="notifications" title={m.none}>
          <p>{m.hint}</p>
        </EmptyState>
      )}
      <Status isVisible>{isRead && items.length > 0 ? m.count(items.length, unread.length) : ''}</Status>
    </div>
  )
}

function ReadAll({ unread }: { readonly unread: readonly NotificationView[] }) {
  const m = useMessages(messages)
  const write = useWriting()
  const readAll = () => {
    // The button goes with what was unread.
    document.querySelector<HTMLElement>('main h1')?.focus()
    write(readingAll(unread, m.saidRead(unread.length)))
  }
  return <Button onClick={readAll}>{m.readAll}</Button>
}

function Lines({ items }: Pick<ReturnType<typeof useNotifications>, 'items'>) {
  const m = useMessages(messages)
  const words = useNotificationWords()
  const write = useWriting()
  const [asked, ask] = useState<NotificationView>()
  const remove = (notification: NotificationView) => {
    ask(undefined)
    write(deletingNotification(notification, m.saidDeleted(words(notification).title)))
  }
  return (
    <>
      <ItemList
        label={m.notifications}
        items={items}
        lineHeight={92}
        heard={['Delete']}
        onKey={({ notification }, { key }) => key === 'Delete' && ask(notification)}
      >
        {({ notification }) => <NotificationLine notification={notification} onDelete={ask} />}
      </ItemList>
      {asked && (
        <ConfirmDialog
          title={m.title}
          action={m.delete}
          onConfirm={() => remove(asked)}
          onClose={() => ask(undefined)}
        >
          <p>{m.sure(words(asked).title)}</p>
        </ConfirmDialog>
      )}
    </>
  )
}
