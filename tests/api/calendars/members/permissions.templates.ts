import { always, everybody, GONE, type Row, seen, template } from './permissions'

const MISSING = '404 Event template'
/** Sharing a calendar shares no templates. */
const mine = (outcome: 200 | 204) => seen(outcome, MISSING, MISSING, MISSING)

export const TEMPLATE_ROWS: readonly Row[] = [
  {
    operation: 'listEventTemplates',
    shows: (body, scene) => (body['event_templates'] ?? []).some(({ id }) => id === scene.template),
    outcomes: seen('shown', 'hidden', 'hidden', 'hidden'),
  },
  {
    operation: 'createEventTemplate',
    body: always({ name: 'New', title: 'Choir' }),
    outcomes: everybody(201),
  },
  {
    operation: 'createEventTemplate',
    what: 'for the shared calendar',
    body: ({ calendar }) => ({
      name: 'New',
      title: 'Choir',
      calendar_id: calendar,
    }),
    outcomes: seen(201, GONE, GONE, GONE),
  },
  { operation: 'getEventTemplate', params: template, outcomes: mine(200) },
  {
    operation: 'changeEventTemplate',
    params: template,
    body: always({ title: 'Band' }),
    outcomes: mine(200),
  },
  { operation: 'deleteEventTemplate', params: template, outcomes: mine(204) },
]
