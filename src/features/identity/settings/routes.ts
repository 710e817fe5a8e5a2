import { Elysia } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import { requestOrigin } from '../../../http/origin'
import { type SessionGuard, SIGNED_IN } from '../../../http/session-guard'
import { SettingsChanges, SettingsView } from './model'
import * as settings from './service'

export const settingsRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'settings.routes', prefix: '/api/settings', tags: ['Settings'] })
    .use(guard)
    .get('', ({ session }) => settings.readSettings(deps, session.owner), {
      session: { scope: 'overview:read', settings: true },
      response: { 200: SettingsView },
      detail: { operationId: 'getSettings', summary: 'Read the settings' },
    })
    .put(
      '',
      ({ body, session, request }) =>
        settings.changeSettings(deps, { session, caller: requestOrigin(deps, request) }, body),
      {
        session: SIGNED_IN,
        body: SettingsChanges,
        response: { 200: SettingsView, 409: ErrorBody, 429: ErrorBody },
        detail: {
          operationId: 'changeSettings',
          summary: 'Change the settings',
          description:
            'Changes the given fields; null clears a nullable field. After ten refusals within an hour because another user has the e-mail or network name, changes of these two have to wait.',
        },
      },
    )
