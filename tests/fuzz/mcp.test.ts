import { beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { fuzzMcp } from './mcp'
import { judgeMcp } from './mcp-judge'
import { type Caller, type McpRequest, mcpRequest } from './mcp-requests'

setDefaultTimeout(240_000)

const TOOLS = ['overview', 'find', 'add', 'change', 'delete', 'answer_invitation', 'find_time', 'undo']
const ERAS = ['2026-07-28', '2025-11-25']

describe('a thousand messages to /mcp of both revisions, good and spoilt,', () => {
  let result: Awaited<ReturnType<typeof fuzzMcp>>
  beforeAll(async () => void (result = await fuzzMcp({ seed: 20_261_124, requests: 1000 })))

  test('are answered as the protocol says, nothing happens unasked, and what others wrote is told as theirs', () => {
    expect(result.findings).toEqual([])
  })

  test('succeed with every tool, and are refused with each', () => {
    const statusesOf = (tool: string) =>
      ERAS.flatMap((era) => [...(result.statuses.get(`${tool} ${era}`)?.keys() ?? [])])
    const outcomes = TOOLS.map((tool) => [tool, statusesOf(tool).includes(200), statusesOf(tool).includes(1)])
    expect(outcomes).toEqual(TOOLS.map((tool) => [tool, true, true]))
  })
})

const CALLER: Caller = {
  userId: 1,
  token: 'x',
  isReading: false,
  tools: [],
  items: [],
  asked: [],
  cursors: [],
  operations: [],
  forbidden: ['secret'],
  foreign: ['foreign'],
  names: [],
}

test('the same seed draws the same message again', () => {
  const drawn = (from: number) =>
    Array.from({ length: 50 }, (_, n) => mcpRequest(from + n, CALLER, new Date(0)))
  expect(drawn(1)).toEqual(drawn(1))
  expect(drawn(1)).not.toEqual(drawn(1000))
})

describe('the judge of /mcp finds', () => {
  const REQUEST: McpRequest = {
    caller: CALLER,
    method: 'POST',
    path: '/mcp',
    headers: {},
    body: '',
    call: { tool: 'find', args: {}, isAgreed: false },
    era: '2025-11-25',
    rpc: 'tools/call',
    isWhole: true,
    id: 1,
  }
  const GOOD = {
    'x-request-id': 'x',
    'x-content-type-options': 'nosniff',
    'content-type': 'application/json',
  }
  const judged = (status: number, text: string, request: Partial<McpRequest> = {}) =>
    judgeMcp({ request: { ...REQUEST, ...request }, status, headers: new Headers(GOOD), text })
  const answered = (message: object) => judged(200, JSON.stringify({ jsonrpc: '2.0', id: 1, ...message }))
  const said = (structuredContent: object, more: object = {}, request: Partial<McpRequest> = {}) =>
    judged(
      200,
      JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        result: { content: [{ type: 'text', text: '' }], structuredContent, isError: false, ...more },
      }),
      request,
    )
  const many = (length: number) => Array.from({ length }, () => 1)
  const deleting = { call: { tool: 'delete', args: {}, isAgreed: false } }
  const deleted = { results: [{ status: 'deleted' }] }

  test('nothing in what is right', () => {
    expect(said({ items: [{ title: { untrusted: 'foreign', by: 'ada' } }, ...many(49)] })).toEqual([])
    expect(said({ detail: 'No' }, { isError: true })).toEqual([])
    expect(said(deleted, {}, { call: { ...deleting.call, isAgreed: true } })).toEqual([])
    expect(judged(413, '{"detail":"Too large"}')).toEqual([])
    expect(answered({ error: { code: -32_602, message: 'x' } })).toEqual([])
  })

  test.each<[string, string[], string]>([
    ['a failure', said({ detail: 'Internal server error' }, { isError: true }), 'is a failure'],
    [
      'a failure of the protocol',
      answered({ error: { code: -32_603, message: 'x' } }),
      'is an internal error',
    ],
    ['a 503 for the load of one request', judged(503, '{"detail":"x"}'), 'has a status that is not allowed'],
    ['a text that is no JSON', judged(200, '{'), 'has no message'],
    ['an answer without a result', answered({}), 'has not one of result and error'],
    ['an answer that does not say whether it is an error', said({}, { isError: undefined }), 'does not say'],
    ['an answer without a text', said({}, { content: [] }), 'has no text'],
    ['an answer that is too long', said({ x: 'x'.repeat(8200) }), 'is too long'],
    ['too many items', said({ items: many(51) }), 'has more than 50 items'],
    ['too many results', said({ results: many(51) }), 'has more than 50 items'],
    ['a refusal without a reason', said({}, { isError: true }), 'is a refusal without detail'],
    ["a stranger's word", said({ x: { untrusted: 'secret' } }), "says somebody else's"],
    ['a text of a friend as one’s own', said({ items: [{ title: 'foreign' }] }), 'tells a text of others'],
    ['what nobody agreed to', said(deleted, {}, deleting), 'deletes what nobody agreed to'],
    ['the inside', judged(400, '{"detail":"PostgresError"}'), 'speaks of the inside'],
  ])('%s', (_, findings, finding) => {
    expect(findings.join()).toContain(finding)
  })
})
