import { expect } from 'bun:test'
import { textOf } from './streams'

interface Schema {
  readonly [keyword: string]: unknown
}

interface Operation {
  readonly operationId?: string
  readonly summary?: string
  readonly description?: string
  readonly tags?: readonly string[]
  readonly security?: ReadonlyArray<Record<string, readonly string[]>>
  readonly parameters?: ReadonlyArray<{ name: string; in: string; required: boolean; schema: Schema }>
  readonly requestBody?: { readonly required: boolean; readonly content: Record<string, { schema: Schema }> }
  readonly responses: Record<
    string,
    {
      readonly description?: string
      readonly headers?: Record<string, unknown>
      readonly content?: Record<string, { schema?: Schema }>
    }
  >
}

export interface Document {
  readonly openapi: string
  readonly tags: ReadonlyArray<{ name: string; description: string }>
  readonly paths: Record<string, Record<string, Operation>>
  readonly components: { readonly schemas: Record<string, Schema>; readonly securitySchemes?: Schema }
}

export const operationsOf = ({ paths }: Document) =>
  Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, operation]) => ({
      method: name.toUpperCase(),
      path,
      title: `${name.toUpperCase()} ${path}`,
      operation,
    })),
  )

/** The operations that ask for a session. */
export const guardedOperations = async (fetch: Call) =>
  operationsOf(await documentOf(fetch))
    .filter(({ operation }) => (operation.security?.length ?? 0) > 0)
    .map(({ method, path, operation }) => ({ method, path, id: operation.operationId ?? '' }))

type Call = (request: Request) => Promise<Response>

export const documentOf = async (fetch: Call): Promise<Document> => {
  const response = await fetch(new Request('http://localhost/api/openapi.json'))
  if (response.status !== 200) throw new Error(`no document: ${response.status}`)
  return response.json()
}

/** Requests that no client means: the same operation with every kind of body that it does not take. */
const GARBAGE: ReadonlyArray<() => RequestInit> = [
  () => ({}),
  () => ({ body: '{"', headers: { 'content-type': 'application/json' } }),
  () => ({ body: '', headers: { 'content-type': 'application/json' } }),
  () => ({ body: '[1]', headers: { 'content-type': 'application/json' } }),
  () => ({ body: '{"a":1}', headers: { 'content-type': 'application/json' } }),
  () => ({ body: '{}', headers: { 'content-type': 'text/plain' } }),
  () => ({ body: new Uint8Array([0xff, 0xfe, 0]), headers: { 'content-type': 'application/json' } }),
  () => ({ body: new URLSearchParams({ username: 'a', password: 'b' }) }),
  () => ({ body: formOf({ username: 'a' }) }),
  () => ({ body: `{"a":"${'x'.repeat(100_000)}"}`, headers: { 'content-type': 'application/json' } }),
]

function formOf(fields: Record<string, string>) {
  const form = new FormData()
  for (const [name, value] of Object.entries(fields)) form.set(name, value)
  return form
}

/** Sends every garbage request to every operation and tells what came back. */
export async function sendGarbage(document: Document, fetch: Call, cookie?: () => Promise<string>) {
  const answers = []
  for (const { method, path, title, operation } of operationsOf(document)) {
    for (const id of path.includes('{') ? ['1', '0', 'x', '99999999999'] : ['']) {
      const url = `http://localhost${path.replaceAll(/\{\w+\}/g, id)}`
      // A GET has no body in the Fetch standard.
      for (const init of method === 'GET' ? GARBAGE.slice(0, 1) : GARBAGE) {
        const request = new Request(url, { method, ...init() })
        if (cookie) request.headers.set('cookie', `session=${await cookie()}`)
        const response = await fetch(request)
        const text = await textOf(response)
        const isJson = response.headers.get('content-type')?.startsWith('application/json')
        const body: unknown = isJson ? JSON.parse(text) : text
        answers.push({ title, operation, status: response.status, body })
      }
    }
  }
  return answers
}

type Answer = Awaited<ReturnType<typeof sendGarbage>>[number]

/** One answer of an operation is one of its statuses and no failure; its errors are errors. */
export function expectDocumented({ title, operation, status, body }: Answer) {
  expect(status, title).toBeLessThan(500)
  expect(Object.keys(operation.responses), title).toContain(String(status))
  if (status >= 400) expect(body, title).toEqual(expect.objectContaining({ detail: expect.any(String) }))
}

/** Every schema that a request's parameters and body may have, with where it stands: `POST /api/todos body.title`. */
export function requestSchemas(document: Document): ReadonlyArray<readonly [place: string, schema: Schema]> {
  const found: Array<readonly [string, Schema]> = []
  const walk = (schema: Schema, place: string, above: readonly Schema[]): void => {
    const name = typeof schema['$ref'] === 'string' ? schema['$ref'].split('/').at(-1) : undefined
    const own = name === undefined ? schema : document.components.schemas[name]
    if (!own || above.includes(own)) return
    found.push([place, own])
    const inner = (each: unknown, at: string) => walk(each as Schema, at, [...above, own])
    for (const [field, each] of Object.entries(own['properties'] ?? {})) inner(each, `${place}.${field}`)
    for (const each of [own['anyOf'], own['oneOf'], own['allOf']].flat()) if (each) inner(each, place)
    if (own['items']) inner(own['items'], `${place}[]`)
  }
  for (const { title, operation } of operationsOf(document)) {
    for (const { name, schema } of operation.parameters ?? []) walk(schema, `${title} ${name}`, [])
    for (const { schema } of Object.values(operation.requestBody?.content ?? {}))
      walk(schema, `${title} body`, [])
  }
  return found
}
