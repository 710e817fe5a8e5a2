import type { SettingsView } from '../../features/identity/settings/model'
import type { ConnectionSharingView, SharingConnectionView } from '../../features/people/connections/model'
import type { RequestView } from '../../features/people/requests/model'
import { pathOf } from '../api/call'
import type { Effect, Intent } from '../store/commands'

/** Connections are never undone by the service (contract: undo.operations): another request, switch or block takes them back. */
const NEVER_UNDONE = { canUndo: false } as const

const becomes = ({ id }: RequestView, status: RequestView['status']): readonly Effect[] => [
  { kind: 'connection_request', id, is: 'patch', fields: { status } },
]

/** Connects with the sender of a request; the feed brings the connection. */
export const accepting = (request: RequestView, said: string): Intent => ({
  said,
  apply: becomes(request, 'accepted'),
  request: { method: 'PUT', path: pathOf`connections/requests/${request.id}/accept`, answers: null },
  ...NEVER_UNDONE,
})

export const rejecting = (request: RequestView, said: string): Intent => ({
  said,
  apply: becomes(request, 'rejected'),
  request: { method: 'PUT', path: pathOf`connections/requests/${request.id}/reject` },
  ...NEVER_UNDONE,
})

/** Takes back a request that was sent. */
export const cancelling = (request: RequestView, said: string): Intent => ({
  said,
  apply: becomes(request, 'cancelled'),
  request: { method: 'PUT', path: pathOf`connections/requests/${request.id}/cancel` },
  ...NEVER_UNDONE,
})

/** Changes what the other one of a connection sees. */
export const sharing = (
  { id, sharing: before }: SharingConnectionView,
  changes: Partial<ConnectionSharingView>,
  said: string,
): Intent => ({
  said,
  apply: [{ kind: 'connection', id, is: 'patch', fields: { sharing: { ...before, ...changes } } }],
  request: { method: 'PUT', path: pathOf`connections/${id}/sharing`, body: changes, answers: null },
  ...NEVER_UNDONE,
})

const ends = (connection: SharingConnectionView): readonly Effect[] => [
  { kind: 'connection', id: connection.id, is: 'delete' },
]

/** Ends a connection on both sides; it must have been confirmed. */
export const disconnecting = (connection: SharingConnectionView, said: string): Intent => ({
  said,
  apply: ends(connection),
  request: { method: 'DELETE', path: pathOf`connections/${connection.id}` },
  ...NEVER_UNDONE,
})

/** Blocks somebody with whom one is connected; it must have been confirmed. */
export const blockingConnection = (connection: SharingConnectionView, said: string): Intent => ({
  said,
  apply: ends(connection),
  request: {
    method: 'POST',
    path: 'connections/blocks',
    body: { network_name: connection.network_name },
    answers: null,
  },
  ...NEVER_UNDONE,
})

/** Lets others find the user by their network name, or nobody. */
export const acceptingConnections = (
  { user_id: id }: SettingsView,
  accepts: boolean,
  said: string,
): Intent => ({
  said,
  apply: [{ kind: 'settings', id, is: 'patch', fields: { accept_connections: accepts } }],
  request: { method: 'PUT', path: 'settings', body: { accept_connections: accepts }, answers: null },
})
