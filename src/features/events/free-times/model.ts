import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { dayOrDateTime, keyword, timeOfDay } from '../../../lib/wire/schema'
import { WEEKDAYS } from './rules.openings'

const Hours = t.Object(
  {
    from: timeOfDay(),
    to: timeOfDay(),
    days: Type.Optional(
      t.Array(keyword(WEEKDAYS, 'A weekday as in a recurrence rule.'), {
        minItems: 1,
        maxItems: 7,
        description: 'All days without it.',
      }),
    ),
  },
  {
    description:
      'The times of day, in the zone of the caller, within which proposals lie; `to` 00:00 is midnight at the end of the day. Without it, any time.',
  },
)

export const FreeBusyBody = t.Object({
  from: dayOrDateTime(
    "A date-time (without an offset in the server's zone), or a day: its beginning in the zone of the caller.",
  ),
  to: dayOrDateTime('Exclusive; at most 400 days after `from`.'),
  minutes: Type.Integer({ minimum: 5, maximum: 1440, description: 'The length to find time for.' }),
  with: Type.Optional(
    t.Array(Type.Integer(), {
      maxItems: 20,
      description: 'Users who are connected with the caller.',
    }),
  ),
  hours: Type.Optional(Hours),
  except_event_id: Type.Optional(
    Type.Integer({ description: 'An event that counts for nobody, such as the one to be moved.' }),
  ),
})
export type FreeBusyBody = typeof FreeBusyBody.static

const users = (description: string) => t.Array(Type.Integer(), { description })
const moment = () => t.String({ format: 'date-time', description: 'In the zone of the caller.' })

const ProposalView = t.Object({
  from: moment(),
  to: moment(),
  free: users('Ids of the users who are free; the caller is always among them.'),
  busy: users('Ids of the users for whom something takes place.'),
  unknown: users('Ids of users who share no calendar with the caller.'),
})

export const FreeBusyView = t.Object(
  {
    proposals: t.Array(ProposalView, {
      description: 'At most 20; first those at which the fewest are busy, then the earliest.',
    }),
    people: t.Array(
      t.Object({
        user_id: Type.Integer(),
        network_name: t.String(),
        shares_calendar: t.Boolean({
          description: 'Whether a calendar of the user shows to the caller when the user is busy.',
        }),
      }),
      { description: 'The caller first, then the others in the order of `with`.' },
    ),
  },
  { title: 'FreeBusy' },
)
export type FreeBusyView = typeof FreeBusyView.static
