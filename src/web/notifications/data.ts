import { useMemo } from 'react'
import type { NotificationView } from '../../features/notifications/notifications/model'
import { connectionAddress, eventAddress, calendarSettingsAddress, PATTERNS } from '../app/addresses'
import type { IconName } from '../parts/Icon'
import { useRecords } from '../store/use-store'

/** All notifications, newest first. */
export function useNotifications() {
  const { items, loading } = useRecords('notification')
  const sorted = useMemo(
    () =>
      items
        .map((notification) => ({
          notification,
          key: String(notification.id),
          at: Temporal.Instant.from(notification.created_at).epochMilliseconds,
        }))
        .toSorted((a, b) => b.at - a.at || b.notification.id - a.notification.id),
    [items],
  )
  return { items: sorted, loading }
}

type NotificationKind = NotificationView['type']

export const ICONS: Readonly<Record<NotificationKind, IconName>> = {
  connection_request: 'invite',
  connection_accepted: 'connections',
  calendar_invite: 'calendar',
  calendar_invite_accepted: 'calendar',
  event_invite: 'mail',
  event_response: 'check',
  event_changed: 'clock',
  event_cancelled: 'close',
  security: 'lock',
  system: 'info',
}

const calendarOf = ({ calendar_id: id }: NotificationView['data']) =>
  id === undefined ? PATTERNS.settingsCalendars : calendarSettingsAddress(id)

const eventOf = ({ event_id: id }: NotificationView['data']) =>
  id === undefined ? PATTERNS.calendar : eventAddress(id)

function securityOf(data: NotificationView['data']): string {
  if (data['calendar_id'] !== undefined) return calendarOf(data)
  return data['token_id'] === undefined ? PATTERNS.settingsSecurity : PATTERNS.settingsTokens
}

const ADDRESSES: Readonly<Record<NotificationKind, (data: NotificationView['data']) => string | undefined>> =
  {
    connection_request: () => PATTERNS.connections,
    connection_accepted: ({ connection_id: id }) =>
      id === undefined ? PATTERNS.connections : connectionAddress(id),
    calendar_invite: () => PATTERNS.settingsCalendars,
    calendar_invite_accepted: calendarOf,
    event_invite: eventOf,
    event_response: eventOf,
    event_changed: eventOf,
    event_cancelled: eventOf,
    security: securityOf,
    system: () => undefined,
  }

/** Where the thing is that a notification is about; undefined where there is nothing to see. */
export const addressOf = ({ type, data }: NotificationView): string | undefined => ADDRESSES[type](data)
