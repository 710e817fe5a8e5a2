import type { Deps } from '../../../deps'
import { badGateway, badRequest } from '../../../lib/errors'
import type { PushOutcome, PushTarget } from '../../../lib/ports/push'
import { pushTokenOwner } from '../../identity/settings/rules'
import { type Owner } from '../../../access/sessions/service'
import { settingsOf } from '../../../access/reader/service'

const SEQUENCE_ID_BYTES = 16

/**
 * Sends a test message. Needs only server and topic, so that a user can try them before switching push on.
 * @throws {AppError} 400 and 502 (contract: settings.push-test).
 */
export async function sendTestMessage(deps: Deps, owner: Owner | undefined): Promise<void> {
  const target = await targetOf(deps, owner)
  if (!target) throw badRequest('Push notifications are not configured')
  const outcome = await deps.pushServer.send(target, {
    title: 'Organiser',
    message: 'Push notifications work.',
    tags: ['white_check_mark'],
    click: deps.config.http.publicUrl,
    sequenceId: deps.random.bytes(SEQUENCE_ID_BYTES).toHex(),
  })
  refuseUnsent(outcome)
}

async function targetOf({ cipher }: Deps, owner: Owner | undefined): Promise<PushTarget | undefined> {
  const { userId, ntfyServerUrl: serverUrl, ntfyTopic: topic, ntfyAuthToken: sealed } = settingsOf(owner)
  if (serverUrl === null || topic === null) return undefined
  const token = sealed === null ? null : await cipher.decrypt(sealed, pushTokenOwner(userId))
  return { serverUrl, topic, token }
}

function refuseUnsent(outcome: PushOutcome): void {
  switch (outcome.kind) {
    case 'sent':
      return
    case 'forbidden_address':
      throw badRequest('That address is not allowed')
    case 'refused':
      throw badGateway(
        'The push server refused the message',
        new Error(`answered ${outcome.status}`),
        `push_status_${outcome.status}`,
      )
    case 'unreachable':
      throw badGateway('The push server did not answer', new Error(outcome.reason), 'push_unreachable')
  }
}
