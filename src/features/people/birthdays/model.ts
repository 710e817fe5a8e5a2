import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { queryInteger } from '../../../lib/wire/schema'

export const UpcomingQuery = t.Object({
  days: t.Optional(queryInteger(1, 366, 'How many days ahead; 30 by default.')),
})

export const BirthdayView = t.Object(
  {
    person_id: Type.Integer(),
    name: t.String({ description: 'First and last name, or else the nickname.' }),
    date: t.String({
      format: 'date',
      description: 'A birthday on 29 February is on the 28th in common years.',
    }),
    turns: t.Nullable(
      Type.Integer({ description: 'The age on that day; null if the year of birth is unknown.' }),
    ),
  },
  { title: 'Birthday' },
)
export type BirthdayView = typeof BirthdayView.static

export const BirthdaysView = t.Object({ birthdays: t.Array(BirthdayView) })
