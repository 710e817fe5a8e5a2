import { t } from 'elysia'
import { dayOrDateTime } from '../../../lib/wire/schema'

export { EventChanges, EventPath, EventView } from '../events/model'

export const ScopeQuery = t.Object({
  scope: t.Optional(
    t.Union([t.Literal('all'), t.Literal('this'), t.Literal('following')], {
      description: '`all` by default; the other values need `occurrence_start`.',
    }),
  ),
  occurrence_start: t.Optional(
    dayOrDateTime(
      'The original start of an occurrence: a date-time (without an offset in the zone of the event), or a day.',
    ),
  ),
})
export type ScopeQuery = typeof ScopeQuery.static
