import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import type { Scope } from '../../src/lib/scopes'
import type { Actor, Harness } from './harness'
import { createToken } from './tokens'

/** The revisions that clients speak. */
export const ERAS = ['2026-07-28', '2025'] as const
type Era = (typeof ERAS)[number]

export const WRITING: readonly Scope[] = ['mcp', 'calendars:write', 'tasks:write', 'people:write']
export const READING: readonly Scope[] = ['mcp', 'calendars:read', 'tasks:read', 'people:read']

interface Kind {
  readonly era?: Era
  readonly scopes?: readonly Scope[]
  /** What the user says when they are asked; without it the client cannot ask. */
  readonly says?: 'yes' | 'no'
}

/** What a tool answers. */
export interface Called {
  readonly isError: boolean
  readonly text: string
  /** The `structuredContent`. */
  readonly body: ReturnType<typeof JSON.parse>
  /** JSON as it was sent. */
  readonly bytes: number
}

/** A client of the protocol's own SDK, with a token of an actor. */
export async function assistantOf(
  h: Harness,
  actor: Actor,
  { era = '2026-07-28', scopes = WRITING, says }: Kind = {},
) {
  const { token } = await createToken(actor, scopes)
  return assistantWith(h, token, { era, ...(says && { says }) })
}

export type AssistantClient = Awaited<ReturnType<typeof assistantOf>>

export async function assistantWith(
  h: Harness,
  token: string,
  { era = '2026-07-28', says }: Omit<Kind, 'scopes'> = {},
) {
  const asked: string[] = []
  const client = new Client(
    { name: 'tests', version: '1.0.0' },
    {
      capabilities: says ? { elicitation: {} } : {},
      versionNegotiation: { mode: era === '2025' ? 'legacy' : { pin: era } },
    },
  )
  if (says) {
    client.setRequestHandler('elicitation/create', ({ params }) => {
      asked.push(params.message)
      return says === 'yes'
        ? { action: 'accept' as const, content: { confirm: true } }
        : { action: 'decline' as const }
    })
  }
  const transport = new StreamableHTTPClientTransport(new URL('http://localhost/mcp'), {
    requestInit: { headers: { authorization: `Bearer ${token}` } },
    fetch: async (url, init) => h.app.fetch(new Request(url, init)),
  })
  await client.connect(transport)
  let calls = 0
  return {
    client,
    token,
    /** The questions that the user was asked. */
    asked,
    calls: () => calls,
    tools: async () => (await client.listTools()).tools,
    names: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name: string, args: Record<string, unknown> = {}): Promise<Called> => {
      calls++
      const { content, structuredContent, isError } = await client.callTool({ name, arguments: args })
      const [first] = content
      return {
        isError: isError ?? false,
        text: first?.type === 'text' ? first.text : '',
        body: structuredContent,
        bytes: Buffer.byteLength(JSON.stringify({ content, structuredContent })),
      }
    },
    close: () => client.close(),
  }
}

/** Sends what a client would to /mcp, but by hand. */
export function sendTo(
  h: Harness,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
  path = '/mcp',
) {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  return h.app.fetch(
    new Request(`http://localhost${path}`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'content-length': String(Buffer.byteLength(text)),
        ...headers,
      },
      body: text,
    }),
  )
}

/** A request of a client of 2025 for the list of tools. */
export const LIST_TOOLS = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }
