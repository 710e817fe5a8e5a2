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
import { contentOf, HEADERS, pipelineStatuses, type Refusable, responseOf } from './openapi.responses'
import type { Route } from './route-table'
import { collectSchemas, type SchemaCollector } from './openapi.schemas'

const INFO = {
  title: 'Organiser',
  version: manifest.version,
  description:
    'A self-hosted organiser for several users: calendars, todos, reminders, projects and people. Bodies are JSON in UTF-8; sign-in sets a session cookie; every error is `{"detail": string}`, sometimes with a `code` for programs and, on 422, with the list of `errors`.',
  license: { name: manifest.license, identifier: manifest.license },
}

/** The groups of operations, in the order in which a new reader needs them. */
const TAGS: Readonly<Record<string, string>> = {
  Accounts: 'Creating, proving and ending an account, and its password.',
  Sessions: 'Signing in and out, the screen lock, and where one is signed in.',
  'Second factors': 'Codes of an authenticator, backup codes, and setting both up.',
  Passkeys: 'Signing in without a password.',
  Settings: 'What a user says about themselves and how they like things.',
  Calendars: 'What holds events.',
  'Shared calendars': 'Who else has a calendar, and what they may do in it.',
  Todos: 'What is to be done, once or again and again.',
  Reminders: 'What the user wants to be told, and when.',
  Events: 'What takes place when, once or again and again.',
  Invitations: 'Asking connected users to events, and answering them.',
  'Event templates': 'What new events may start from.',
  Projects: 'What takes several tasks.',
  Tasks: 'The tasks of a project, their subtasks and the comments on them.',
  People: 'The address book, birthdays, vCards.',
  Connections: 'Other users whom one knows, and what each shows the other.',
  Search: 'Finding whatever one may read by its words.',
  Notifications: 'What happened meanwhile.',
  Overview: 'All of it at a glance.',
  Weather: 'The forecast for the saved place.',
  Administration: 'For administrators only.',
  Operations: 'What operators and orchestrators ask.',
}

const SESSION_SCHEME = {
  type: 'apiKey',
  in: 'cookie',
  name: 'session',
  description: 'Set by signing in, HttpOnly; browsers send it by themselves.',
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
    servers: [{ url: '/', description: 'The service that handed out this document.' }],
    tags: tagsOf(operations),
    paths,
    components: {
      schemas: schemas.components(),
      headers: HEADERS,
      ...(operations.some(needsSession) && { securitySchemes: { session: SESSION_SCHEME } }),
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
  const refusable = {
    method,
    needsSession: needsSession(raw),
    guard: objectOf(guard),
    takesBody: requestBody !== undefined,
    takesFields: declared.some((parameter) => parameter.in !== 'path'),
  }
  return {
    ...rest,
    ...(declared.length > 0 && { parameters: declared.map((parameter) => parameterOf(parameter, schemas)) }),
    ...(requestBody !== undefined && { requestBody: bodyOf(requestBody, schemas) }),
    responses: responsesOf(refusable, responses, schemas),
  }
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
    declaredResponse(status, objectOf(response), schemas),
  ])
  return Object.fromEntries([...refusals, ...named])
}

/** The plugin moves a schema's keywords beside the content and leaves only type and members inside. */
function declaredResponse(
  status: string,
  { content, ...keywords }: JsonObject,
  schemas: SchemaCollector,
): JsonObject {
  if (content === undefined) return responseOf(status, undefined, keywords)
  const schema = { ...keywords, ...objectOf(firstSchema(content)) }
  return responseOf(status, contentOf(schema, schemas.convert(schema)), schema)
}
