import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { MAX_ID } from '../../../lib/wire/id'
import { historyPage, pageQuery } from '../../../lib/wire/page'
import {
  birthday,
  email,
  line,
  lines,
  optionalNullable,
  paragraphs,
  queryFlag,
  queryInteger,
} from '../../../lib/wire/schema'
import { SharedProfileView } from '../sharing/model'

const maybeText = (description?: string) =>
  t.Nullable(t.String(description === undefined ? {} : { description }))
const text = (max = 200) => optionalNullable(line({ max }))

export const PersonView = t.Object(
  {
    id: Type.Integer(),
    book_id: Type.Integer({ description: 'The address book.' }),
    first_name: maybeText(),
    last_name: maybeText(),
    nickname: maybeText(),
    email: maybeText(),
    phone: maybeText(),
    mobile: maybeText(),
    address: maybeText(),
    company: maybeText(),
    job_title: maybeText(),
    birthday: maybeText('A day as YYYY-MM-DD, or as --MM-DD where the year is unknown.'),
    age: t.Nullable(
      Type.Integer({
        description:
          'Age in whole years today; null if the year of birth is unknown. In common years, a birthday on 29 February counts from the 28th.',
      }),
    ),
    category: maybeText(),
    notes: maybeText(),
    is_favourite: t.Boolean(),
    linked_user_id: t.Nullable(
      Type.Integer({ description: 'The connected user whom this person represents.' }),
    ),
    shared_profile: t.Nullable(SharedProfileView),
    version: Type.Integer({ description: 'Increases with every change; for `If-Match`.' }),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'Person' },
)
export type PersonView = typeof PersonView.static

export const PersonFields = t.Object({
  book_id: Type.Optional(
    Type.Integer({
      description: "An address book of the caller's; by default, new people go into the default one.",
    }),
  ),
  first_name: text(100),
  last_name: text(100),
  nickname: text(100),
  email: optionalNullable(email()),
  phone: text(),
  mobile: text(),
  address: optionalNullable(lines({ max: 500 })),
  company: text(),
  job_title: text(),
  birthday: optionalNullable(birthday('Not in the future.')),
  category: text(50),
  notes: optionalNullable(paragraphs({ max: 10_000 })),
  is_favourite: t.Optional(Type.Boolean()),
})
export type PersonFields = typeof PersonFields.static

export const PersonLink = t.Object({
  connection_id: t.Nullable(Type.Integer({ description: "A connection of the caller's; null for none." })),
})

export const PeopleQuery = t.Object({
  q: t.Optional(
    line({
      max: 200,
      description:
        'Text contained in the name, nickname, e-mail address, phone or mobile number, company or job title; literal, regardless of case.',
    }),
  ),
  book_id: t.Optional(queryInteger(1, MAX_ID, 'Only in this address book.')),
  category: t.Optional(line({ max: 50, description: 'Exactly this category.' })),
  is_favourite: t.Optional(queryFlag('Only favourites, or only the others.')),
  sort: t.Optional(
    t.Union([t.Literal('name'), t.Literal('birthday'), t.Literal('created_at')], {
      description:
        '`name` by default: first and last name, or else the nickname, regardless of case. `birthday` sorts by the day of the year, `created_at` oldest first.',
    }),
  ),
  ...pageQuery,
})
export type PeopleQuery = typeof PeopleQuery.static

export const PersonHistory = historyPage(PersonView)
export type PersonHistory = typeof PersonHistory.static

export const PeoplePage = t.Object({
  people: t.Array(PersonView),
  next_cursor: t.Nullable(t.String()),
})
export type PeoplePage = typeof PeoplePage.static
