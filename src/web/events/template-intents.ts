import type {
  EventTemplateChanges,
  EventTemplateView,
  NewEventTemplate,
} from '../../features/events/templates/model'
import { pathOf } from '../api/call'
import { change, creation, deletion, type Intent, localId } from '../store/commands'
import { now } from '../time/now'

const nameOf = ({ id }: EventTemplateView) => ({ kind: 'event_template' as const, id })
const pathFor = ({ id }: EventTemplateView) => pathOf`event-templates/${id}`

export function creatingTemplate(body: NewEventTemplate, said: string): Intent {
  const at = now().toString()
  const item: EventTemplateView = {
    description: null,
    location: null,
    calendar_id: null,
    all_day: false,
    recurrence_rule: null,
    reminder_minutes: null,
    visibility: 'public',
    ...body,
    id: localId(),
    version: 0,
    created_at: at,
    updated_at: at,
  }
  return creation({ kind: 'event_template', item }, 'event-templates', { ...body }, { said })
}

export const changingTemplate = (
  opened: EventTemplateView,
  fields: EventTemplateChanges,
  said: string,
): Intent => change(nameOf(opened), pathFor(opened), fields, { said, opened })

export const deletingTemplate = (template: EventTemplateView, said: string): Intent =>
  deletion(nameOf(template), pathFor(template), { said })
