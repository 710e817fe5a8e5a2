import { useCallback, useEffect, useSyncExternalStore } from 'react'
import type { RecordOf } from './kinds'
import { followed } from './lifecycle'
import type { Store } from './store'

const never = () => () => {}

/** How many notifications are unread; 0 before that is known. */
export function useUnreadCount(): number {
  const store = useSyncExternalStore(followed.subscribe, followed.read)?.store
  useEffect(() => store?.loader.need('notification'), [store])
  const subscribe = useCallback(
    (listener: () => void) => (store ? store.records.subscribe('notification', listener) : never()),
    [store],
  )
  return useSyncExternalStore(subscribe, () => (store ? unreadIn(store) : 0))
}

const unreadIn = ({ records }: Store): number =>
  (records.list('notification') as ReadonlyArray<RecordOf<'notification'>>).filter(
    ({ is_read: isRead }) => !isRead,
  ).length
