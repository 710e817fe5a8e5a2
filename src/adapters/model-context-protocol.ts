import {
  acceptedContent,
  type CallToolResult,
  CLIENT_CAPABILITIES_META_KEY,
  createMcpHandler,
  inputRequired,
  type InputRequiredResult,
  McpServer,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { AssistantProtocol, Conversation, ToolAnswer, UserReply } from '../lib/ports/assistants'

/** How long clients may keep the list of tools, which follows from the token and the release: five minutes. */
const LIST_LIFE_MS = 300_000

/** Makes the server that answers one request; clients of 2025 are not modern. */
type ServerMaker = (conversation: Conversation, isModern: boolean) => McpServer

/** Speaks the revision 2026-07-28, and with clients of 2025 theirs, by the protocol's own SDK: a new server for each request. */
export const speakingBy = (make: ServerMaker): AssistantProtocol => ({
  answer: (request, body, conversation) =>
    createMcpHandler(({ era }) => make(conversation, era === 'modern'), {
      // Nothing changes of which a client would have to be told.
      maxSubscriptions: 0,
      onerror: conversation.onFailure,
    }).fetch(request, { parsedBody: body }),
})

function serverFor({ version, instructions, tools, call }: Conversation, isModern: boolean): McpServer {
  const mcp = new McpServer(
    { name: 'organiser', title: 'Organiser', version },
    {
      capabilities: { tools: {} },
      instructions,
      cacheHints: { 'tools/list': { ttlMs: LIST_LIFE_MS, cacheScope: 'private' } },
    },
  )
  mcp.server.setRequestHandler('tools/list', () => ({ tools: [...tools] }))
  mcp.server.setRequestHandler('tools/call', async ({ params }, context) => {
    const answer = await call({
      tool: params.name,
      given: params.arguments ?? {},
      canAsk: isModern && canAsk(context),
      reply: replyIn(context),
    })
    if (answer) return toResult(answer)
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'There is no such tool')
  })
  return mcp
}

export const modelContextProtocol: AssistantProtocol = speakingBy(serverFor)

/** Whether the client shows forms: `elicitation` without a mode means that it does. */
function canAsk({ mcpReq: { envelope } }: ServerContext): boolean {
  const elicitation = memberOf(memberOf(envelope, CLIENT_CAPABILITIES_META_KEY), 'elicitation')
  if (elicitation === undefined) return false
  return memberOf(elicitation, 'form') !== undefined || memberOf(elicitation, 'url') === undefined
}

const memberOf = (value: unknown, name: string): unknown =>
  typeof value === 'object' && value !== null ? Reflect.get(value, name) : undefined

function replyIn({ mcpReq }: ServerContext): UserReply | undefined {
  const state: unknown = mcpReq.requestState()
  if (typeof state !== 'string') return undefined
  return { state, isYes: acceptedContent(mcpReq.inputResponses, QUESTION)?.[YES] === true }
}

const QUESTION = 'confirm'
const YES = 'confirm'

function toResult(answer: ToolAnswer): CallToolResult | InputRequiredResult {
  if (answer.kind === 'result') {
    const { text, structured, isError } = answer
    return { content: [{ type: 'text', text }], structuredContent: { ...structured }, isError }
  }
  const { message, state } = answer
  const requestedSchema = {
    type: 'object' as const,
    properties: { [YES]: { type: 'boolean' as const, title: 'Yes, do it' } },
    required: [YES],
  }
  return inputRequired({
    inputRequests: { [QUESTION]: inputRequired.elicit({ message, requestedSchema }) },
    requestState: state,
  })
}
