import { inTransaction } from '../../../db/transaction'
import type { Deps } from '../../../deps'
import { badRequest } from '../../../lib/errors'
import { record } from '../../../access/audit/service'
import { keepUser } from '../../../access/sessions/service'
import * as q from './queries'
import { providerOf } from './service.begin'

const MAX_TOKEN = 16_384

/**
 * Ends the sessions that came from the provider's session, or subject, that a logout token names (contract: oidc.logout). A token
 * that comes again ends what there is again.
 * @throws {AppError} 400 for anything but a valid token, 404 where no provider is configured.
 */
export async function logOut(deps: Deps, form: Uint8Array, ip: string): Promise<void> {
  const { provider } = providerOf(deps)
  const [token, ...more] = new URLSearchParams(new TextDecoder().decode(form)).getAll('logout_token')
  if (!token || more.length > 0 || token.length > MAX_TOKEN) throw badRequest('Invalid logout token')
  const from = await provider.readLogout(token)
  if ('failure' in from) {
    deps.log.warn('A sign-out by the identity provider failed', { reason: from.reason })
    throw badRequest('Invalid logout token')
  }
  for (const userId of await q.findUsers(deps.db, from)) {
    await inTransaction(deps.db, async (tx) => {
      if ((await keepUser(tx, userId)) === null) return
      const revoked = await q.endSessions(tx, userId, from)
      const detail = { revoked }
      await record(tx, { action: 'auth.oidc_logout', actorId: userId, ip, at: deps.clock.now(), detail })
    })
  }
}
