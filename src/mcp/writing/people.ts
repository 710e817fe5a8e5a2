import type { PersonView } from '../../features/people/people/model'
import { PersonFields } from '../../features/people/people/model'
import { changePerson, createPerson, deletePerson, readPerson } from '../../features/people/people/service'
import type { Assistant } from '../assistant'
import type { AssistantItem } from '../items/item'
import { personItems } from '../items/people'
import { kindOfRecord, NO_FIELDS } from './kinds'

async function personItem(assistant: Assistant, view: PersonView): Promise<AssistantItem> {
  const [item] = await personItems(assistant, [view])
  if (!item) throw new Error('a person has one item')
  return item
}

/** People. */
export const personRecords = kindOfRecord({
  area: 'people',
  newFields: PersonFields,
  changedFields: PersonFields,
  deletedFields: NO_FIELDS,
  create: async (assistant, fields) =>
    personItem(assistant, await createPerson(assistant.deps, assistant.session, fields)),
  change: async (assistant, aim, changes) =>
    personItem(assistant, await changePerson(assistant.deps, assistant.session, aim, changes)),
  remove: ({ deps, session }, aim) => deletePerson(deps, session, aim),
  read: async (assistant, id) =>
    personItem(assistant, await readPerson(assistant.deps, assistant.session, id)),
})
