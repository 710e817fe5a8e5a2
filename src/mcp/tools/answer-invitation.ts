import { Type } from '@sinclair/typebox'
import { described } from '../../lib/wire/compact-schema'
import { ResponseBody } from '../../features/events/invitations/model'
import { respond } from '../../features/events/invitations/service.answers'
import { readChanged } from '../../features/events/series/service'
import { MAX_ID } from '../../lib/wire/id'
import { mayWrite } from '../assistant'
import { eventItem } from '../writing/events'
import { idempotencyKey } from '../writing/arguments'
import { scopeFields } from '../writing/kinds'
import { perform, type CallStep } from '../writing/perform'
import { listed, readArguments, type Tool } from './tool'

const Arguments = Type.Object({
  id: Type.Integer({ minimum: 1, maximum: MAX_ID, description: 'The `invitation.id` of an event.' }),
  response: ResponseBody.properties.response,
  occurrence: scopeFields.occurrence,
  idempotency_key: described(idempotencyKey),
})

/** Answers an invitation, or one occurrence of it; its organiser hears of it. */
export const answerInvitation: Tool = {
  name: 'answer_invitation',
  isFor: (session) => mayWrite(session, 'calendars'),
  listedFor: () =>
    listed(
      {
        name: 'answer_invitation',
        title: 'Answer an invitation',
        description:
          'Accepts or declines an invitation, or one occurrence of it. The organiser is told, so undo cannot take it back; answer again.',
      },
      Arguments,
      { isIdempotent: true },
    ),
  call: (assistant, call) => {
    const { id, response, occurrence, idempotency_key: key } = readArguments(Arguments, call)
    const step: CallStep = {
      run: async (doing) => {
        const { deps, session } = doing
        const answered = await respond(deps, session, id, {
          response,
          ...(occurrence !== undefined && { occurrence_start: occurrence }),
        })
        const event = await readChanged(deps, session.userId, answered.event_id, occurrence)
        return [{ status: 'done', item: await eventItem(doing, event) }]
      },
    }
    const given = { id, response, ...(occurrence !== undefined && { occurrence }) }
    return perform(assistant, { name: 'assistantAnswer', key, given, steps: [step] })
  },
}
