import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { expectedVersions, IfMatch, tagged } from '../../../http/versions'
import { readId } from '../../../lib/wire/id'
import { pathId } from '../../../lib/wire/schema'
import {
  AddressBookChanges,
  AddressBooksPage,
  AddressBooksQuery,
  AddressBookView,
  NewAddressBook,
} from './model'
import * as books from './service'

const params = t.Object({ id: pathId('Of the address book.') })

export const addressBookRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'address-books.routes', prefix: '/api/address-books', tags: ['People'] })
    .use(guard)
    .get('', ({ session, query }) => books.listAddressBooks(deps, session.userId, query), {
      session: { scope: 'people:read' },
      query: AddressBooksQuery,
      response: { 200: AddressBooksPage },
      detail: {
        operationId: 'listAddressBooks',
        summary: 'List the address books',
        description: 'By position.',
      },
    })
    .post(
      '',
      async ({ session, body, set, status }) =>
        status(201, tagged(set, await books.createAddressBook(deps, session, body))),
      {
        session: { scope: 'people:write' },
        body: NewAddressBook,
        response: { 201: AddressBookView, 409: ErrorBody },
        detail: {
          operationId: 'createAddressBook',
          summary: 'Create an address book',
          description: 'Adds it at the end unless a `position` is given.',
        },
      },
    )
    .get(
      '/:id',
      async ({ session, params: { id }, set }) =>
        tagged(set, await books.readAddressBook(deps, session.userId, readId(id, 'Address book'))),
      {
        session: { scope: 'people:read' },
        params,
        response: { 200: AddressBookView, 404: ErrorBody },
        detail: { operationId: 'getAddressBook', summary: 'Read an address book' },
      },
    )
    .put(
      '/:id',
      async ({ session, params: { id }, headers, body, set }) => {
        const target = { id: readId(id, 'Address book'), expected: expectedVersions(headers) }
        return tagged(set, await books.changeAddressBook(deps, session, target, body))
      },
      {
        session: { scope: 'people:write' },
        params,
        headers: IfMatch,
        body: AddressBookChanges,
        response: { 200: AddressBookView, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'changeAddressBook',
          summary: 'Change an address book',
          description: 'Changes the given fields; a `position` moves the address book there.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params: { id }, headers, status }) => {
        const target = { id: readId(id, 'Address book'), expected: expectedVersions(headers) }
        await books.deleteAddressBook(deps, session, target)
        return status(204, undefined)
      },
      {
        session: { scope: 'people:write' },
        params,
        headers: IfMatch,
        response: { 204: t.Void(), 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'deleteAddressBook',
          summary: 'Delete an address book',
          description:
            'Deletes it with the people in it, who come back with it from the trash. Connections with them stay. The default address book cannot be deleted.',
        },
      },
    )
