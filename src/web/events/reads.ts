import type { PreviewBody, PreviewView } from '../../features/events/events/model'
import type { FreeBusyBody, FreeBusyView } from '../../features/events/free-times/model'
import type { InvitationsPage, InvitationView } from '../../features/events/invitations/model'
import { call, pathOf, queryOf } from '../api/call'

/** An event has at most 20 invitations. */
const PAGE = 200

export const readInvitations = (id: number, occurrence?: string): Promise<readonly InvitationView[]> =>
  call<InvitationsPage>(
    'GET',
    `${pathOf`events/${id}/invitations`}${queryOf({ limit: PAGE, occurrence_start: occurrence })}`,
  ).then(({ body }) => body.invitations)

export const previewRule = (body: PreviewBody): Promise<PreviewView> =>
  call<PreviewView>('POST', 'events/preview-recurrence', { body }).then((answer) => answer.body)

export const findTimes = (body: FreeBusyBody): Promise<FreeBusyView> =>
  call<FreeBusyView>('POST', 'free-busy', { body }).then((answer) => answer.body)
