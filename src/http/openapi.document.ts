import { filterPaths, registerSchemaPath } from '@elysiajs/swagger/utils'
import manifest from '../../package.json' with { type: 'json' }
import { ErrorBody } from './errors'
import {
  isList,
  isObject,
  type Json,
  type JsonObject,
  mapMembers,
  membersOf,
  objectOf,
  toJson,
} from './openapi.values'
import {
  contentOf,
  HEADERS,
  isKeyed,
  isOperation,
  pipelineStatuses,
  type Refusable,
  responseOf,
} from './openapi.responses'
import type { Route } from './route-table'
import { collectSchemas, type SchemaCollector } from './openapi.schemas'

const INFO = {
  title: 'Organiser',
  version: manifest.version,
  description:
    'A self-hosted organiser for several users: calendars, todos, reminders, projects and people. Bodies are JSON in UTF-8; sign-in sets a session cookie, and programs send access tokens; every error is `{"detail": string}`, sometimes with a `code` for programs and, on 422, with the list of `errors`.',
  license: { name: manifest.license, identifier: manifest.license },
}

/** The groups of operations, in the order in which a new reader needs them. */
const TAGS: Readonly<Record<string, string>> = {
  Accounts: 'Creating and deleting an account, and its password.',
  Sessions: 'Signing in and out, the screen lock, and the list of sessions.',
  'Second factors': 'Authenticator codes and backup codes, and their set-up.',
  Passkeys: 'Signing in without a password.',
  'Single sign-on': 'Signing in by an identity provider (OpenID Connect), where one is configured.',
  'Access tokens': 'Tokens with which programs act for a user.',
  Settings: 'The profile and the preferences of a user.',
  Calendars: 'Calendars, which contain events.',
  'Shared calendars': 'The members of a calendar and their permissions.',
  Todos: 'Things to do, once or repeatedly.',
  Reminders: 'Messages that a user wants to get at a certain time.',
  Events: 'Events, once or repeatedly.',
  Invitations: 'Inviting connected users to events, and answering invitations.',
  'Event templates': 'Templates for new events.',
  Projects: 'Work that takes several tasks.',
  Tasks: 'The tasks of a project, their subtasks and the comments on them.',
  People: 'People in address books, birthdays, vCards.',
  Connections: 'Connections between users, and what they share with each other.',
  Search: 'Full-text search in everything that the caller may read.',
  Notifications: 'Notifications about what has happened.',
  Overview: 'A summary of everything.',
  Changes: 'What has changed since a client last asked.',
  Undo: 'What the caller has done, undoing it, and the trash.',
  Weather: 'The forecast for the saved place.',
  Administration: 'For administrators only.',
  Operations: 'Health and metrics, for operators and orchestrators.',
}

const SESSION_SCHEME = {
  type: 'apiKey',
  in: 'cookie',
  name: 'session',
  description: 'Set by signing in, HttpOnly; browsers send it automatically.',
}

const BEARER_SCHEME = {
  type: 'http',
  scheme: 'bearer',
  description: 'An access token, with which a program acts for a user as far as its scopes allow.',
}

/** Builds the OpenAPI 3.1 document of `routes`. */
export function openApiDocument(routes: readonly Route[]): JsonObject {
  const schemas = collectSchemas()
  const paths = mapMembers(rawPaths(routes), (path) =>
    mapMembers(path, (operation, method) => document(method, objectOf(operation), schemas)),
  )
  const operations = Object.values(paths).flatMap((path) => Object.values(objectOf(path)).map(objectOf))
  return {
    openapi: '3.1.0',
    info: INFO,
    // Relative, so that it is right under every host name and allowed by the page's content security policy.
    servers: [{ url: '/', description: 'The service that serves this document.' }],
    tags: tagsOf(operations),
    paths,
    components: {
      schemas: schemas.components(),
      headers: HEADERS,
      ...(operations.some(needsSession) && {
        securitySchemes: { session: SESSION_SCHEME, bearer: BEARER_SCHEME },
      }),
    },
  }
}

/** The paths as the Swagger plugin generates them, which is not valid OpenAPI yet. */
function rawPaths(routes: readonly Route[]): Json {
  const schema: Parameters<typeof registerSchemaPath>[0]['schema'] = {}
  for (const { method, path, hooks } of routes) {
    if (hooks.detail?.hide || method === 'OPTIONS') continue
    registerSchemaPath({ schema, path, method, hook: hooks, models: {} })
  }
  return toJson(filterPaths(schema, { excludeStaticFile: false, exclude: [] }))
}

function tagsOf(operations: readonly JsonObject[]): Json {
  const used = new Set(operations.flatMap(({ tags }) => tags))
  return Object.entries(TAGS)
    .filter(([name]) => used.has(name))
    .map(([name, description]) => ({ name, description }))
}

const needsSession = ({ security }: JsonObject) => isList(security) && security.length > 0

function document(method: string, raw: JsonObject, schemas: SchemaCollector): JsonObject {
  const { 'x-guard': guard, parameters, requestBody, responses, ...rest } = raw
  const declared = isList(parameters) ? parameters.filter(isObject) : []
  const { scope } = objectOf(guard)
  const refusable = {
    method,
    needsSession: needsSession(raw),
    guard: objectOf(guard),
    takesBody: requestBody !== undefined,
    takesFields: declared.some((parameter) => parameter.in !== 'path'),
  }
  return {
    ...rest,
    ...(typeof scope === 'string' && { description: described(rest.description, scope) }),
    ...parametersOf(declared, isKeyed(refusable), schemas),
    ...(requestBody !== undefined && { requestBody: bodyOf(requestBody, schemas) }),
    responses: responsesOf(refusable, responses, schemas),
  }
}

/** The description with what an access token needs for the operation. */
const described = (description: Json | undefined, scope: string): string => {
  const needed =
    scope === 'any' ? 'Any access token will do.' : `An access token needs the scope \`${scope}\`.`
  return typeof description === 'string' ? `${description}\n\n${needed}` : needed
}

const KEY: Json = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  description:
    '1 to 128 printable ASCII characters that name the operation. When the same request comes again within 30 days, nothing happens again: the answer has the first status and the record as it is now (`Idempotency-Replayed: true`), or 410 when it is gone since. 409 `idempotency_in_progress` while the first is under way, 422 `idempotency_mismatch` for another request with the key.',
  schema: { type: 'string', minLength: 1, maxLength: 128 },
}

function parametersOf(declared: readonly JsonObject[], takesKey: boolean, schemas: SchemaCollector) {
  const parameters = declared.map((parameter) => parameterOf(parameter, schemas))
  if (takesKey) parameters.push(KEY)
  return parameters.length > 0 && { parameters }
}

function parameterOf({ schema, examples, ...rest }: JsonObject, schemas: SchemaCollector): Json {
  return { ...rest, schema: schemas.convert({ ...objectOf(schema), ...(isList(examples) && { examples }) }) }
}

function bodyOf(body: Json, schemas: SchemaCollector): Json {
  const schema = firstSchema(objectOf(body).content)
  const required = objectOf(schema)['x-omittable'] !== true
  return { required, content: contentOf(schema, schemas.convert(schema)) }
}

/** The plugin repeats each schema for three media types. */
const firstSchema = (content: Json | undefined): Json =>
  objectOf(objectOf(Object.values(objectOf(content))[0]).schema)

function responsesOf(operation: Refusable, declared: Json | undefined, schemas: SchemaCollector): JsonObject {
  const error = toJson(ErrorBody)
  const refusals = pipelineStatuses(operation).map((status) => [
    status,
    responseOf(status, contentOf(error, schemas.convert(error))),
  ])
  const named = membersOf(declared).map(([status, response]) => [
    status,
    declaredResponse(status, objectOf(response), { schemas, changes: isOperation(operation) }),
  ])
  return Object.fromEntries([...refusals, ...named])
}

/** The plugin moves a schema's keywords beside the content and leaves only type and members inside. */
function declaredResponse(
  status: string,
  { content, ...keywords }: JsonObject,
  { schemas, changes }: { readonly schemas: SchemaCollector; readonly changes: boolean },
): JsonObject {
  if (content === undefined) return responseOf(status, undefined, keywords, changes)
  const schema = { ...keywords, ...objectOf(firstSchema(content)) }
  return responseOf(status, contentOf(schema, schemas.convert(schema)), schema, changes)
}
