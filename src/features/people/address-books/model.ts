import { Type } from '@sinclair/typebox'
import { t } from 'elysia'
import { pageQuery } from '../../../lib/wire/page'
import { color, line, listPosition, rank } from '../../../lib/wire/schema'

const name = () => line({ max: 100, description: 'Unique among the address books of the owner.' })

export const AddressBookView = t.Object(
  {
    id: Type.Integer(),
    name: t.String(),
    color: t.String({ description: '#rrggbb' }),
    is_default: t.Boolean({
      description: 'Receives new people without `book_id`; every user has one default address book.',
    }),
    position: Type.Integer({ description: 'Among the address books of the owner, from 1.' }),
    rank: rank(),
    version: Type.Integer({
      description: 'Increases with every change, but not when others move past it; for `If-Match`.',
    }),
    created_at: t.String({ format: 'date-time' }),
    updated_at: t.String({ format: 'date-time' }),
  },
  { title: 'AddressBook' },
)
export type AddressBookView = typeof AddressBookView.static

export const AddressBooksQuery = t.Object(pageQuery)
export type AddressBooksQuery = typeof AddressBooksQuery.static

export const AddressBooksPage = t.Object({
  address_books: t.Array(AddressBookView),
  next_cursor: t.Nullable(t.String()),
})
export type AddressBooksPage = typeof AddressBooksPage.static

export const NewAddressBook = t.Object({
  name: name(),
  color: Type.Optional(color()),
  position: listPosition(),
})
export type NewAddressBook = typeof NewAddressBook.static

export const AddressBookChanges = t.Object({
  name: t.Optional(name()),
  color: Type.Optional(color()),
  position: listPosition(),
})
export type AddressBookChanges = typeof AddressBookChanges.static
