import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  type ContentBlock,
  fromJsonSchema,
  inputRequired,
  type InputRequiredResult,
  type McpServer,
  type ServerContext,
} from '@modelcontextprotocol/server'

/** The smallest picture and the smallest sound. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA='

const text = (said: string): ContentBlock => ({ type: 'text', text: said })
const answer = (...content: ContentBlock[]): CallToolResult => ({ content })
export const said = (words: string): CallToolResult => answer(text(words))

/** A tool without arguments. */
export const plain = (
  mcp: McpServer,
  name: string,
  call: (
    context: ServerContext,
  ) => CallToolResult | InputRequiredResult | Promise<CallToolResult | InputRequiredResult>,
) => mcp.registerTool(name, { description: `For the conformance tests: ${name}.` }, call)

const EMBEDDED = {
  uri: 'test://embedded-resource',
  mimeType: 'text/plain',
  text: 'This is an embedded resource content.',
}
const MIXED = {
  uri: 'test://mixed-content-resource',
  mimeType: 'application/json',
  text: '{"test":"data","value":123}',
}

/** Tools that answer at once. */
function mountContents(mcp: McpServer): void {
  const picture = { type: 'image', data: PNG, mimeType: 'image/png' } as const
  plain(mcp, 'test_simple_text', () => said('This is a simple text response for testing.'))
  plain(mcp, 'test_image_content', () => answer(picture))
  plain(mcp, 'test_audio_content', () => answer({ type: 'audio', data: WAV, mimeType: 'audio/wav' }))
  plain(mcp, 'test_embedded_resource', () => answer({ type: 'resource', resource: EMBEDDED }))
  plain(mcp, 'test_multiple_content_types', () =>
    answer(text('Multiple content types test:'), picture, { type: 'resource', resource: MIXED }),
  )
  plain(mcp, 'test_error_handling', () => ({
    ...said('This tool intentionally returns an error for testing'),
    isError: true,
  }))
}

/** Tools that say something before they answer. */
function mountStreams(mcp: McpServer): void {
  plain(mcp, 'test_tool_with_progress', async ({ mcpReq }) => {
    const { _meta: meta } = mcpReq
    const progressToken = meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken === undefined) continue
      await mcpReq.notify({
        method: 'notifications/progress',
        params: { progressToken, progress, total: 100 },
      })
    }
    return said('Done')
  })
  for (const name of ['test_tool_with_logging', 'test_logging_tool']) {
    plain(mcp, name, async ({ mcpReq }) => {
      for (const words of ['Tool execution started', 'Tool processing data', 'Tool execution completed'])
        await mcpReq.log('info', words)
      return said('Done')
    })
  }
  plain(mcp, 'test_streaming_elicitation', async ({ mcpReq }) => {
    const { _meta: meta } = mcpReq
    if (meta?.progressToken !== undefined) {
      const { progressToken } = meta
      await mcpReq.notify({ method: 'notifications/progress', params: { progressToken, progress: 1 } })
    }
    const name = acceptedContent(mcpReq.inputResponses, 'user_name')?.['name']
    if (typeof name === 'string') return said(`Hello, ${name}!`)
    return inputRequired({ inputRequests: { user_name: askName() } })
  })
}

export const askName = (message = 'What is your name?') =>
  inputRequired.elicit({
    message,
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } }, required: ['name'] },
  })

/** What the client says that it can do, in each request. */
export const capabilitiesOf = ({ mcpReq: { envelope } }: ServerContext): Record<string, unknown> =>
  ((envelope as Record<string, unknown> | undefined)?.[CLIENT_CAPABILITIES_META_KEY] ?? {}) as Record<
    string,
    unknown
  >

/** The vocabulary that has to come through as it is (SEP-1613 and SEP-2106). */
const SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  // No literal, as an object with `then` looks like a promise.
  ...JSON.parse(
    '{"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]}}',
  ),
  additionalProperties: false,
} as const

/** The tools that the protocol's conformance tests call. */
export function mountTools(mcp: McpServer): void {
  mountContents(mcp)
  mountStreams(mcp)
  mcp.registerTool(
    'json_schema_2020_12_tool',
    { description: 'Tool with JSON Schema 2020-12 features', inputSchema: fromJsonSchema({ ...SCHEMA }) },
    () => said('Done'),
  )
}
