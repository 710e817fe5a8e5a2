import { afterAll, beforeAll, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { type Cast, startCast } from '../fuzz/cast'
import type { Operation } from '../fuzz/requests'
import { assistantWith, sendTo } from '../support/assistants'
import { checksums } from '../support/checksum'
import { insertToken } from '../support/tokens'
import { CALLERS, type Refusal } from './authorisation.callers'
import { BEARERS, INVALID } from './authorisation.tokens'

setDefaultTimeout(120_000)

/** Calls that would do something, of every tool. */
const CALLS: Readonly<Record<string, Record<string, unknown>>> = {
  overview: {},
  find: { query: 'x' },
  add: { items: [{ type: 'todo', title: 'Planted' }] },
  change: { items: [{ type: 'todo', id: 1, version: 1, title: 'Planted' }] },
  delete: { items: [{ type: 'todo', id: 1, version: 1 }] },
  answer_invitation: { id: 1, response: 'Going' },
  find_time: { from: '2026-03-05', to: '2026-03-06', minutes: 60 },
  undo: { operation_id: crypto.randomUUID() },
}

let cast: Cast
let checksum: () => Promise<Record<string, unknown>>
beforeAll(async () => {
  cast = await startCast()
  checksum = await checksums(cast.h.db)
})
afterAll(() => cast.h[Symbol.asyncDispose]())

/** What the tables of callers judge by; /mcp is in no document. */
const MCP: Operation = {
  title: 'POST /mcp',
  method: 'POST',
  path: '/mcp',
  operation: {},
} as unknown as Operation

const META = {
  'io.modelcontextprotocol/protocolVersion': '2026-07-28',
  'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1.0.0' },
  'io.modelcontextprotocol/clientCapabilities': {},
}

/** Each call as clients of both revisions send it, the list of tools, and bodies that are none. */
const REQUESTS: ReadonlyArray<readonly [title: string, body: unknown, headers: Record<string, string>]> = [
  ...Object.entries({ 'tools/list': {}, ...CALLS }).flatMap(([name, args]) => {
    const [method, named] = name === 'tools/list' ? [name, {}] : ['tools/call', { name, arguments: args }]
    const message = { jsonrpc: '2.0', id: 1, method }
    const headers = {
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(method === 'tools/call' && { 'mcp-name': name }),
    }
    return [
      [`${name} of 2025`, { ...message, params: named }, {}] as const,
      [`${name} of 2026`, { ...message, params: { ...named, _meta: META } }, headers] as const,
    ]
  }),
  ['what is no JSON', '{"', {}],
  ['a form', 'a=b', { 'content-type': 'application/x-www-form-urlencoded' }],
]

describe.each([
  ...Object.entries(CALLERS).map(([name, make]) => [name, make, INVALID] as const),
  ...Object.entries(BEARERS).map(([name, make]) => [name, make, undefined] as const),
])('%s', (_, make, always) => {
  test('is refused at /mcp alike, whatever is called, or not at all', async () => {
    const caller = await make(cast, cast.people.user)
    // A cookie proves nothing here, good or bad.
    const refusal: Refusal | undefined = always ?? caller.expected(MCP)
    const before = await checksum()
    for (const [title, body, headers] of REQUESTS) {
      if (!refusal) continue
      const answer = await sendTo(cast.h, body, {
        ...(caller.cookie !== undefined && { cookie: caller.cookie }),
        ...(caller.authorization !== undefined && { authorization: caller.authorization }),
        ...headers,
      })
      const { status, challenge = null, ...said } = refusal
      expect([title, answer.status, await answer.json()]).toEqual([title, status, said])
      expect([title, answer.headers.get('www-authenticate')]).toEqual([title, challenge])
      expect([title, answer.headers.getSetCookie()]).toEqual([title, []])
    }
    expect(await checksum()).toEqual(before)
    await caller.undo?.()
  })
})

test('a token with mcp alone connects, and has no tool', async () => {
  const { token } = await insertToken(cast.h, cast.people.user.id, { scopes: ['mcp'] })
  const assistant = await assistantWith(cast.h, token)
  expect(await assistant.names()).toEqual([])
  const before = await checksum()
  for (const [name, args] of Object.entries(CALLS)) {
    const { isError, body } = await assistant.call(name, args)
    expect([name, isError, body]).toEqual([
      name,
      true,
      { detail: 'This access token may not do that', code: 'insufficient_scope' },
    ])
  }
  expect(await checksum()).toEqual(before)
})
