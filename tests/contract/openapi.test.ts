import { beforeAll, describe, expect, test } from 'bun:test'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openApiDocument } from '../../src/http/openapi.document'
import { guardedProbe } from '../support/guarded-probe'
import { startHarness } from '../support/harness'
import { type Document, documentOf, operationsOf, sendGarbage } from '../support/openapi'
import { useHarness } from '../support/use-harness'

const REDOCLY = join(import.meta.dir, '../../node_modules/@redocly/cli/bin/cli.js')

const h = useHarness()
let document: Document
let probe: Document
beforeAll(async () => {
  document = await documentOf(h.app.fetch)
  probe = await documentOf(guardedProbe(h.deps).fetch)
})

const byId = (from: Document, id: string) => {
  const found = operationsOf(from).find(({ operation }) => operation.operationId === id)
  if (!found) throw new Error(`no operation ${id}`)
  return found.operation
}

const statuses = (from: Document, id: string) => Object.keys(byId(from, id).responses).join(' ')

/** The problems that Redocly's recommended rules find; the linter is kept off the network. */
async function lint(subject: Document): Promise<string[]> {
  await using directory = {
    path: await mkdtemp(join(tmpdir(), 'openapi-')),
    [Symbol.asyncDispose]: () => rm(directory.path, { recursive: true }),
  }
  await Bun.write(join(directory.path, 'openapi.json'), JSON.stringify(subject))
  const linter = Bun.spawn(
    [process.execPath, REDOCLY, 'lint', 'openapi.json', '--extends', 'recommended', '--format', 'json'],
    {
      cwd: directory.path,
      env: { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' },
      stderr: 'pipe',
    },
  )
  const output = await new Response(linter.stdout).text()
  const report: { problems: Array<{ ruleId: string; message: string }> } = JSON.parse(output)
  return report.problems.map(({ ruleId, message }) => `${ruleId}: ${message}`)
}

/** The contract names both paths; an id is a number, so neither can stand for the other. */
const LOOK_ALIKE =
  'no-ambiguous-paths: Paths should resolve unambiguously. Found two ambiguous paths: `/api/connections/blocks/{id}` and `/api/connections/{id}/sharing`.'

/** What a browser opens to sign in leads elsewhere, whatever comes of it. */
const LEADS_ON = 'operation-2xx-response: Operation must have at least one `2XX` response.'

describe('the document', () => {
  test("is valid OpenAPI 3.1 under Redocly's recommended rules, but for what looks alike or leads on", async () => {
    expect(document.openapi).toBe('3.1.0')
    expect(await lint(document)).toEqual([LOOK_ALIKE, LEADS_ON, LEADS_ON])
  })

  test('is judged by a linter that does find problems', async () => {
    const broken = { ...document, paths: { '/x': { get: { responses: { 200: {} } } } } }
    expect(await lint(broken)).not.toEqual([])
  })

  test('names every operation once, with summary, tags, security and success', () => {
    const operations = operationsOf(document)
    const ids = operations.map(({ operation }) => operation.operationId)
    expect(new Set(ids).size).toBe(operations.length)
    const tags = document.tags.map(({ name }) => name)
    for (const { title, operation } of operations) {
      expect(operation.operationId, title).toMatch(/^[a-z][A-Za-z]+$/)
      expect(operation.summary, title).toMatch(/^[A-Z].+[^.]$/)
      expect(operation.tags, title).toHaveLength(1)
      expect(tags, title).toContain(String(operation.tags?.[0]))
      expect(operation.security, title).toBeArray()
      expect(Object.keys(operation.responses), title).toContainEqual(expect.stringMatching(/^(2\d\d|302)$/))
    }
  })

  test('says what every response means and looks like', () => {
    for (const { title, operation } of operationsOf(document)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        expect(response.description, `${title} ${status}`).toMatch(/.\.$/)
        const schemas = Object.values(response.content ?? {}).map(({ schema }) => schema)
        expect(schemas, `${title} ${status}`).toEqual(
          ['204', '302', '304'].includes(status) ? [] : [expect.any(Object)],
        )
      }
    }
  })

  test('holds every route that is not hidden, under the id that the route gave itself', () => {
    const shown = h.app.routes.routes.filter(
      ({ hooks, method }) => !hooks.detail?.hide && method !== 'OPTIONS',
    )
    const ofRoutes = shown.map(({ method, path, hooks }) => {
      return `${method} ${path.replaceAll(/:(\w+)/g, '{$1}')} ${hooks.detail?.operationId}`
    })
    const ofDocument = operationsOf(document).map(
      ({ title, operation }) => `${title} ${operation.operationId}`,
    )
    expect(ofDocument.toSorted()).toEqual(ofRoutes.toSorted())
  })

  test('names no host and none of our private annotations', () => {
    const text = JSON.stringify(document)
    expect(text).not.toContain('://')
    expect(text).not.toMatch(/"(?:x-[a-z-]+|nullable|\$id)":/)
  })

  test('is the same with origins that may share', async () => {
    await using sharing = await startHarness({ env: { CORS_ORIGINS: 'https://app.example' } })
    expect(await documentOf(sharing.app.fetch)).toEqual(document)
  })
})

test('calling operations, which lets Elysia rewrite their schemas, changes nothing in the document', async () => {
  const { routes, fetch } = guardedProbe(h.deps)
  const before = openApiDocument(routes.routes)
  await sendGarbage(await documentOf(fetch), fetch)
  expect(openApiDocument(routes.routes)).toEqual(before)
})

describe('the statuses of an operation', () => {
  test('are those of its route and of the checks that it asks for', () => {
    expect(statuses(document, 'getStatus')).toBe('200 413 429 500 503')
    expect(statuses(document, 'setUp')).toBe('200 400 403 413 415 422 429 500 503')
    expect(statuses(document, 'login')).toBe('200 400 401 403 413 415 422 423 429 500 503')
    expect(statuses(document, 'logout')).toBe('200 500 503 4XX')
    expect(statuses(probe, 'listProbes')).toBe('200 401 413 422 429 500 503')
    expect(statuses(probe, 'createProbe')).toBe('201 400 401 403 409 410 413 415 422 423 429 500 503')
    expect(statuses(probe, 'changeProbe')).toBe('200 400 401 403 404 409 410 413 415 422 423 429 500 503')
    expect(statuses(probe, 'deleteProbe')).toBe('204 401 403 404 409 413 422 423 429 500 503')
  })

  test('are those of a body also where it may be left out, which the document says', () => {
    expect(statuses(document, 'unlockUser')).toBe('200 400 401 403 404 409 410 413 415 422 423 429 500 503')
    expect(byId(document, 'unlockUser').requestBody).toEqual({
      required: false,
      content: {
        'application/json': { schema: { type: 'object', properties: {}, additionalProperties: false } },
      },
    })
    expect(byId(document, 'changeConfig').requestBody).toMatchObject({ required: true })
  })

  test('carry the headers that clients act on', () => {
    const { responses } = byId(document, 'login')
    expect(Object.keys(responses['429']?.headers ?? {})).toEqual(['X-Request-Id', 'Retry-After'])
    expect(Object.keys(responses['200']?.headers ?? {})).toEqual(['X-Request-Id'])
    const created = byId(document, 'createTodo').responses['201']
    expect(Object.keys(created?.headers ?? {})).toEqual(['X-Request-Id', 'X-Operation-Id', 'ETag'])
  })
})

describe('the schemas', () => {
  test('of errors are one component', () => {
    const { responses } = byId(probe, 'changeProbe')
    for (const status of ['404', '422']) {
      expect(responses[status]?.content).toEqual({
        'application/json': { schema: { $ref: '#/components/schemas/Error' } },
      })
    }
    expect(document.components.schemas.Error).toMatchObject({ type: 'object', required: ['detail'] })
  })

  test('with a title are components wherever they stand', () => {
    const reference = { $ref: '#/components/schemas/Probe' }
    expect(byId(probe, 'createProbe').responses['201']?.content?.['application/json']?.schema).toEqual(
      reference,
    )
    const list = byId(probe, 'listProbes').responses['200']?.content?.['application/json']?.schema
    expect(list?.properties).toEqual({
      probes: { type: 'array', items: reference },
      state: { type: 'string', enum: ['a', 'b'] },
    })
  })

  test('write null, closed objects and text as JSON Schema does', () => {
    expect(byId(probe, 'createProbe').requestBody?.content['application/json']?.schema).toEqual({
      type: 'object',
      properties: { title: { type: ['string', 'null'], minLength: 1, maxLength: 5, pattern: '^a' } },
      additionalProperties: false,
    })
  })

  test('of parameters stand with their place, name and description', () => {
    expect(byId(probe, 'listProbes').parameters).toEqual([
      expect.objectContaining({ in: 'query', name: 'limit', required: false, description: 'How many.' }),
    ])
    expect(byId(probe, 'deleteProbe').parameters).toEqual([
      { in: 'path', name: 'id', required: true, schema: { type: 'string' } },
      expect.objectContaining({ in: 'header', name: 'Idempotency-Key', required: false }),
    ])
  })

  test('of text name its media type', () => {
    const { content } = byId(probe, 'exportProbes').responses['200'] ?? {}
    expect(Object.keys(content ?? {})).toEqual(['text/calendar'])
  })

  test('of every kind are valid', async () => {
    expect(await lint(probe)).toEqual([])
  })
})

describe('the documentation page', () => {
  test('may load nothing but its own files', async () => {
    const { status, headers, body } = await h.request('GET', '/api/docs')
    expect(status).toBe(200)
    expect(headers.get('content-type')).toBe('text/html; charset=utf-8')
    expect(headers.get('content-security-policy')).toStartWith(
      "default-src 'none'; script-src 'self'; style-src 'self'; ",
    )
    expect(headers.get('content-security-policy')).not.toContain('unsafe')
    const files = [...body.matchAll(/(?:href|src)="([^"]+)"/g)].map(([, address]) => address)
    expect(files).toHaveLength(4)
    for (const file of files) expect((await h.request('GET', file)).status, file).toBe(200)
  })

  test('has files that browsers may keep, by release', async () => {
    const { headers } = await h.request('GET', '/api/docs/swagger-ui.css')
    expect(headers.get('cache-control')).toBe('public, max-age=86400')
    expect((await h.request('GET', '/api/docs')).body).toMatch(/swagger-ui\.css\?v=\d+\.\d+\.\d+"/)
  })

  test.each(['package.json', 'index.html', '..%2Fpackage.json', '__proto__', 'a/b'])(
    'has no file %s',
    async (name) => {
      const { status, body } = await h.request('GET', `/api/docs/${name}`)
      expect({ status, body }).toEqual({ status: 404, body: { detail: 'Not found' } })
    },
  )
})
