import { Elysia, t } from 'elysia'
import type { Deps } from '../../../deps'
import { ErrorBody } from '../../../http/errors'
import type { SessionGuard } from '../../../http/session-guard'
import { expectedVersions, IfMatch, tagged } from '../../../http/versions'
import { readId } from '../../../lib/wire/id'
import { HistoryQuery } from '../../../lib/wire/page'
import { pathId } from '../../../lib/wire/schema'
import { PeoplePage, PeopleQuery, PersonFields, PersonHistory, PersonLink, PersonView } from './model'
import * as people from './service'

const PersonPath = t.Object({ id: pathId('The id of the person.') })

export const peopleRoutes = (deps: Deps, guard: SessionGuard) =>
  new Elysia({ name: 'people.routes', prefix: '/api/people', tags: ['People'] })
    .use(guard)
    .get('', ({ session, query }) => people.listPeople(deps, session, query), {
      session: { scope: 'people:read', settings: true },
      query: PeopleQuery,
      response: { 200: PeoplePage, 404: ErrorBody },
      detail: { operationId: 'listPeople', summary: 'List the people in the address books' },
    })
    .post(
      '',
      async ({ session, body, set, status }) =>
        status(201, tagged(set, await people.createPerson(deps, session, body))),
      {
        session: { scope: 'people:write', settings: true },
        body: PersonFields,
        response: { 201: PersonView, 404: ErrorBody, 409: ErrorBody },
        detail: {
          operationId: 'createPerson',
          summary: 'Add a person to an address book',
          description:
            'At least a first name, a last name or a nickname is required. Without `book_id` the person goes into the default address book.',
        },
      },
    )
    .get(
      '/:id',
      async ({ session, params, set }) =>
        tagged(set, await people.readPerson(deps, session, readId(params.id, 'Person'))),
      {
        session: { scope: 'people:read', settings: true },
        params: PersonPath,
        response: { 200: PersonView, 404: ErrorBody },
        detail: { operationId: 'getPerson', summary: 'Read a person' },
      },
    )
    .get(
      '/:id/history',
      ({ session, params: { id }, query }) =>
        people.listPersonVersions(deps, session, readId(id, 'Person'), query),
      {
        session: { scope: 'people:read', settings: true },
        params: PersonPath,
        query: HistoryQuery,
        response: { 200: PersonHistory, 404: ErrorBody },
        detail: {
          operationId: 'listPersonVersions',
          summary: 'List the versions of a person',
          description:
            'Newest first, with the record as it was. Former versions are kept for 30 days or as `HISTORY_DAYS` says. The `age` and `shared_profile` are those of now.',
        },
      },
    )
    .put(
      '/:id',
      async ({ session, params, headers, body, set }) => {
        const target = { id: readId(params.id, 'Person'), expected: expectedVersions(headers) }
        return tagged(set, await people.changePerson(deps, session, target, body))
      },
      {
        session: { scope: 'people:write', settings: true },
        params: PersonPath,
        headers: IfMatch,
        body: PersonFields,
        response: { 200: PersonView, 404: ErrorBody, 409: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'changePerson',
          summary: 'Change a person',
          description:
            'Changes the given fields; null clears a field. A person keeps at least one name. `book_id` moves the person to another address book, unless somebody there has the same UID in other programs: 409.',
        },
      },
    )
    .put(
      '/:id/link',
      async ({ session, params, headers, body, set }) => {
        const target = { id: readId(params.id, 'Person'), expected: expectedVersions(headers) }
        return tagged(set, await people.linkPerson(deps, session, target, body.connection_id))
      },
      {
        session: { scope: 'people:write', settings: true },
        params: PersonPath,
        headers: IfMatch,
        body: PersonLink,
        response: { 200: PersonView, 404: ErrorBody, 412: ErrorBody },
        detail: {
          operationId: 'linkPerson',
          summary: 'Link a person to a connected user, or to nobody',
          description:
            'From then on, `shared_profile` is what that user shares. A connection has at most one person: the person linked so far, such as the one created with the connection, loses the link and stays in the address book. If the person was linked to another user, the new link replaces the old one.',
        },
      },
    )
    .delete(
      '/:id',
      async ({ session, params, headers, status }) => {
        const target = { id: readId(params.id, 'Person'), expected: expectedVersions(headers) }
        await people.deletePerson(deps, session, target)
        return status(204, undefined)
      },
      {
        session: { scope: 'people:write' },
        params: PersonPath,
        headers: IfMatch,
        response: { 204: t.Void(), 404: ErrorBody, 412: ErrorBody },
        detail: { operationId: 'deletePerson', summary: 'Delete a person' },
      },
    )
