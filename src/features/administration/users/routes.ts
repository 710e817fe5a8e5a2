import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { MessageView } from '../../../http/message'
import { requestOrigin } from '../../../http/origin'
import type { Again } from '../../../http/admission'
import type { SessionGuard } from '../../../http/session-guard'
import { readId } from '../../../lib/wire/id'
import { emptyBody } from '../../../lib/wire/schema'
import {
  ActiveBody,
  EnforceMfaBody,
  NewUserBody,
  PasswordlessBody,
  RevokedView,
  TokensRevokedView,
  RoleBody,
  TemporaryPasswordView,
  UserPath,
  UserView,
} from './model'
import * as users from './service'

const idOf = (given: { readonly id: string }) => readId(given.id, 'User')

interface Asking {
  readonly session: { readonly id: string; readonly userId: number }
  readonly request: Request
}

export function userAdministrationRoutes(deps: Deps, guard: SessionGuard) {
  const by = ({ session, request }: Asking) => ({ session, ip: requestOrigin(deps, request).ip })

  const readAgain = {
    readAgain: ({ params: { id = '' } }: Again) => users.readUser(deps, idOf({ id })),
  }

  return new Elysia({
    name: 'user-administration.routes',
    prefix: '/api/admin/users',
    tags: ['Administration'],
  })
    .use(guard)
    .post(
      '',
      async ({ body, session, request, status }) =>
        status(201, await users.addUser(deps, by({ session, request }), body)),
      {
        session: { role: 'admin', slow: true, ignoresKey: true },
        body: NewUserBody,
        response: { 201: UserView, 409: ErrorBody },
        detail: {
          operationId: 'createUser',
          summary: 'Create a user',
          description: 'With settings and both calendars, also while registration is closed.',
        },
      },
    )
    .put(
      '/:id/role',
      ({ body, params, session, request }) =>
        users.changeRole(deps, by({ session, request }), idOf(params), body.role),
      {
        session: { role: 'admin', recent: true, ...readAgain },
        params: UserPath,
        body: RoleBody,
        response: { 200: UserView, 400: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'changeUserRole',
          summary: 'Change the role of a user',
          description:
            'Takes effect at once; the sessions of the user continue. Administrators cannot change their own role.',
        },
      },
    )
    .put(
      '/:id/active',
      ({ body, params, session, request }) =>
        users.changeActive(deps, by({ session, request }), idOf(params), body.is_active),
      {
        session: { role: 'admin', ...readAgain },
        params: UserPath,
        body: ActiveBody,
        response: { 200: UserView, 400: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'changeUserActive',
          summary: 'Disable or enable an account',
          description:
            'Disabling signs the user out everywhere. Administrators cannot disable their own account.',
        },
      },
    )
    .post(
      '/:id/reset-password',
      ({ params, session, request }) => users.resetPassword(deps, by({ session, request }), idOf(params)),
      {
        session: { role: 'admin', recent: true, slow: true, ignoresKey: true },
        params: UserPath,
        body: emptyBody(),
        response: { 200: TemporaryPasswordView, 404: ErrorBody },
        detail: {
          operationId: 'resetUserPassword',
          summary: 'Give a user a temporary password',
          description:
            'The password is shown only once and valid for 72 hours; the user must replace it. Signs the user out everywhere, also when it is the caller, ends the feeds of their calendars, their access tokens and both locks, and turns passwordless sign-in off.',
        },
      },
    )
    .post(
      '/:id/unlock',
      ({ params, session, request }) => users.unlockUser(deps, by({ session, request }), idOf(params)),
      {
        session: { role: 'admin', ...readAgain },
        params: UserPath,
        body: emptyBody(),
        response: { 200: UserView, 404: ErrorBody },
        detail: {
          operationId: 'unlockUser',
          summary: 'Unlock an account',
          description:
            'Ends the locks by wrong passwords and by wrong second factors, and resets both counts.',
        },
      },
    )
    .put(
      '/:id/enforce-mfa',
      ({ body, params, session, request }) =>
        users.enforceMfa(deps, by({ session, request }), idOf(params), body.enforce),
      {
        session: { role: 'admin', ...readAgain },
        params: UserPath,
        body: EnforceMfaBody,
        response: { 200: UserView, 404: ErrorBody },
        detail: {
          operationId: 'enforceUserMfa',
          summary: 'Require a second factor of a user, or no longer',
          description:
            'A user without one is signed out everywhere, also when it is the caller, and sets it up at the next sign-in.',
        },
      },
    )
    .post(
      '/:id/disable-mfa',
      ({ params, session, request }) => users.disableMfa(deps, by({ session, request }), idOf(params)),
      {
        session: { role: 'admin', recent: true, ...readAgain },
        params: UserPath,
        body: emptyBody(),
        response: { 200: UserView, 404: ErrorBody },
        detail: {
          operationId: 'disableUserMfa',
          summary: 'Remove the second factor of a user',
          description:
            'Also deletes its backup codes. Signs the user out everywhere; a required second factor must be set up again at the next sign-in.',
        },
      },
    )
    .put(
      '/:id/passwordless',
      ({ body, params, session, request }) =>
        users.changePasswordless(deps, by({ session, request }), idOf(params), body.enabled),
      {
        session: { role: 'admin', ...readAgain },
        params: UserPath,
        body: PasswordlessBody,
        response: { 200: UserView, 400: ErrorBody, 404: ErrorBody },
        detail: {
          operationId: 'disableUserPasswordless',
          summary: 'Let a user sign in with the password again',
          description: 'Signs the user out everywhere. Only users themselves enable passwordless sign-in.',
        },
      },
    )
    .delete(
      '/:id/sessions',
      ({ params, session, request }) =>
        users.revokeUserSessions(deps, by({ session, request }), idOf(params)),
      {
        session: { role: 'admin' },
        params: UserPath,
        body: emptyBody(),
        response: { 200: RevokedView, 404: ErrorBody },
        detail: {
          operationId: 'revokeUserSessions',
          summary: 'Sign a user out everywhere',
          description: 'The session of the request does not end.',
        },
      },
    )
    .delete(
      '/:id/tokens',
      ({ params, session, request }) => users.revokeUserTokens(deps, by({ session, request }), idOf(params)),
      {
        session: { role: 'admin' },
        params: UserPath,
        body: emptyBody(),
        response: { 200: TokensRevokedView, 404: ErrorBody },
        detail: { operationId: 'revokeUserTokens', summary: 'Revoke all access tokens of a user' },
      },
    )
    .delete(
      '/:id',
      ({ params, session, request }) => users.removeUser(deps, by({ session, request }), idOf(params)),
      {
        session: { role: 'admin', recent: true },
        params: UserPath,
        body: emptyBody(),
        response: { 200: MessageView, 400: ErrorBody, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'deleteUser',
          summary: 'Delete a user',
          description:
            'Permanently deletes the user with all their data. Administrators cannot delete themselves.',
        },
      },
    )
}
