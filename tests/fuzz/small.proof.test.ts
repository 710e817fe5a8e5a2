import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Document, operationsOf } from '../support/openapi'
import type { Person } from './cast'
import { fuzz } from './fuzz'
import { type Answer, judging } from './judge'
import { MARK } from './requests'

setDefaultTimeout(240_000)

describe('twenty requests for every operation, good and bad ones,', () => {
  let result: Awaited<ReturnType<typeof fuzz>>
  beforeAll(async () => void (result = await fuzz({ seed: 20_260_304, requests: 20 })))

  test('are answered as the document says, without a failure or an echo', () => {
    expect(result.findings).toEqual([])
  })

  test('are sent, and a third of them succeed', () => {
    const rows = result.tally.rows()
    expect(Math.min(...rows.map(({ all }) => all))).toBe(20)
    const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)
    expect(sum(rows.map(({ good }) => good)) / sum(rows.map(({ all }) => all))).toBeGreaterThan(1 / 3)
  })
})

test('the same seed sends the same requests again', async () => {
  const rows = async (seed: number) => (await fuzz({ seed, requests: 1 })).tally.rows()
  const first = await rows(1)
  expect(await rows(1)).toEqual(first)
  expect(await rows(2)).not.toEqual(first)
})

describe('the judge finds', () => {
  const error = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Error' } } } }
  const document = {
    openapi: '3.1.0',
    tags: [],
    paths: {
      '/things/{id}': {
        get: {
          responses: {
            200: { content: { 'application/json': { schema: { $ref: '#/components/schemas/Thing' } } } },
            204: {},
            404: error,
            422: error,
            500: error,
            502: error,
          },
        },
      },
    },
    components: {
      schemas: {
        Thing: {
          type: 'object',
          properties: { at: { type: 'string', format: 'date-time' }, version: { type: 'integer' } },
          required: ['at'],
        },
        Error: { type: 'object', properties: { detail: { type: 'string' } }, required: ['detail'] },
      },
    },
  } satisfies Document
  const [operation] = operationsOf(document)
  if (!operation) throw new Error('no operation')
  const sent: Answer['sent'] = {
    operation,
    person: {} as Person,
    ids: [],
    query: '',
    headers: {},
    body: undefined,
  }
  const HEADERS = {
    'content-type': 'application/json',
    'x-content-type-options': 'nosniff',
    'referrer-policy': 'no-referrer',
    'cache-control': 'no-store',
    'x-request-id': 'x',
  }
  const judge = judging(document)
  const judged = (status: number, body: unknown, headers: Record<string, string> = {}) =>
    judge({
      sent,
      status,
      headers: new Headers({ ...HEADERS, ...headers }),
      text: typeof body === 'string' ? body : JSON.stringify(body),
    })
  const thing = { at: '2026-03-01T09:00:00+01:00' }

  test('nothing in what is as documented', () => {
    expect(judged(200, thing)).toEqual([])
    expect(judged(204, '')).toEqual([])
    expect(judged(404, { detail: 'Thing not found' })).toEqual([])
    expect(judged(502, { detail: 'No answer' })).toEqual([])
  })

  test.each([
    ['a status that is not documented', 409, { detail: 'No' }, 'is not documented'],
    ['a failure, though it is documented', 500, { detail: 'No' }, 'is a failure'],
    ['a body where there is none', 204, thing, 'has a body where none is documented'],
    ['no JSON', 200, 'x', 'is no JSON'],
    ['a missing field', 200, {}, "breaks its schema: data must have required property 'at'"],
    [
      'a field too many',
      200,
      { ...thing, x: 1 },
      'breaks its schema: data must NOT have additional properties',
    ],
    [
      'a moment in UTC',
      200,
      { at: '2026-03-01T09:00:00Z' },
      'breaks its schema: data/at must match format "date-time"',
    ],
    ['an error without detail', 404, { message: 'No' }, 'is an error without detail'],
    ['an echo', 422, { detail: `${MARK}1 is wrong` }, 'echoes what was submitted'],
    ['a stack', 422, { detail: 'x\n    at read (file.ts:1)' }, 'speaks of the inside'],
    ['fields outside a 422', 404, { detail: 'No', errors: [] }, 'lists errors though it is no 422'],
  ])('%s', (_, status, body, finding) => {
    expect(judged(status, body)).toContain(finding)
  })

  test('no echo in the titles of the items that a refusal names', () => {
    const body = { detail: 'Changed since', items: [{ type: 'todo', id: 1, title: `${MARK}1` }] }
    expect(judged(409, body)).not.toContain('echoes what was submitted')
  })

  test('a wrong media type, a wrong ETag and a missing header', () => {
    expect(judged(200, thing, { 'content-type': 'text/plain' })).toEqual([
      'is text/plain and not application/json',
    ])
    expect(judged(200, { ...thing, version: 2 }, { etag: '"1"' })).toEqual(['has an ETag of another version'])
    expect(judged(200, thing, { 'referrer-policy': 'origin' })).toEqual(['has no referrer-policy'])
  })
})
