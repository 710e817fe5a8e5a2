import { useMemo } from 'react'
import type { RequestView } from '../../features/people/requests/model'
import type { SettingsView } from '../../features/identity/settings/model'
import { useSignedIn } from '../session/use-session'
import { useRecords } from '../store/use-store'
import { nameOf } from './names'

/** The user's connections by name. */
export function useConnections() {
  const { items, loading } = useRecords('connection')
  const sorted = useMemo(() => items.toSorted((a, b) => nameOf(a).localeCompare(nameOf(b))), [items])
  return { connections: sorted, loading }
}

/** The requests of one direction that wait for an answer, newest first. */
export function usePending(direction: RequestView['direction']) {
  const { items, loading } = useRecords('connection_request')
  const requests = useMemo(
    () =>
      items
        .filter((each) => each.direction === direction && each.status === 'pending')
        .toSorted((a, b) => b.id - a.id),
    [items, direction],
  )
  return { requests, loading }
}

/** The user's settings as they are now; those of the sign-in until they are read. */
export function useSettings(): SettingsView {
  const { user, settings } = useSignedIn()
  const { items } = useRecords('settings')
  return items.find(({ user_id: id }) => id === user.id) ?? settings
}
