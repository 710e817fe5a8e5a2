import { type Static, Type } from '@sinclair/typebox'
import { EventChanges, NewEvent } from '../../features/events/events/model'
import { createEvent, readEvent } from '../../features/events/events/service'
import { changeEvent, deleteEvent } from '../../features/events/series/service'
import type { EventView } from '../../features/events/events/model'
import type { Assistant } from '../assistant'
import { eventItems } from '../items/events'
import type { AssistantItem } from '../items/item'
import { kindOfRecord, scopeFields } from './kinds'

const ScopeFields = Type.Object(scopeFields)

/** Which occurrences of the event are meant, as the service asks for it. */
const aimAt = ({ occurrence, scope }: Static<typeof ScopeFields>) => ({
  ...(scope !== undefined && { scope }),
  ...(occurrence !== undefined && { occurrence_start: occurrence }),
})

export async function eventItem(assistant: Assistant, view: EventView): Promise<AssistantItem> {
  const [item] = await eventItems(assistant, [view])
  if (!item) throw new Error('an event has one item')
  return item
}

/** Events, whole or by occurrence. */
export const eventRecords = kindOfRecord({
  area: 'calendars',
  newFields: NewEvent,
  changedFields: Type.Object({ ...EventChanges.properties, ...scopeFields }),
  deletedFields: ScopeFields,
  create: async (assistant, fields) =>
    eventItem(assistant, await createEvent(assistant.deps, assistant.session, fields)),
  change: async (assistant, aim, fields) => {
    const { occurrence: _, scope: __, ...changes } = fields
    const whole = { ...aim, ...aimAt(fields) }
    return eventItem(assistant, await changeEvent(assistant.deps, assistant.session, whole, changes))
  },
  remove: ({ deps, session }, aim, fields) => deleteEvent(deps, session, { ...aim, ...aimAt(fields) }),
  read: async (assistant, id) =>
    eventItem(assistant, await readEvent(assistant.deps, assistant.session.userId, id)),
})
