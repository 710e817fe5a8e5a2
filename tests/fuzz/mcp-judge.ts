import { isSpecType } from '@modelcontextprotocol/client'
import { INTERNALS } from './findings'
import type { McpRequest } from './mcp-requests'

export interface McpAnswer {
  readonly request: McpRequest
  readonly status: number
  readonly headers: Headers
  readonly text: string
}

type Json = Readonly<Record<string, unknown>>
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const ALLOWED = new Set([200, 202, 204, 400, 401, 403, 404, 405, 406, 409, 411, 413, 415, 422, 429])
/** The most bytes of what a tool answers. */
const MOST_BYTES = 8192
const MOST_ITEMS = 50
const INTERNAL_ERROR = -32_603
/** What the protocol's own library says where nothing can be subscribed to, and of an `initialize` whose parameters are wrong. */
const isOfLibrary = (message: unknown): boolean =>
  message === 'Subscription limit reached' || (typeof message === 'string' && /^\[\s*\{\s*"/.test(message))
const WRITING = new Set(['add', 'change', 'delete', 'answer_invitation', 'undo'])

/** The message in an answer, which came as JSON or as the only event of a stream; undefined where there is none. */
export function messageIn({ headers, text }: Pick<McpAnswer, 'headers' | 'text'>): unknown {
  const type = headers.get('content-type') ?? ''
  const json = type.startsWith('text/event-stream') ? /^data: (.*)$/m.exec(text)?.[1] : text
  try {
    return JSON.parse(json ?? '')
  } catch {
    return undefined
  }
}

/** What is wrong with an answer. */
export function judgeMcp(answer: McpAnswer): string[] {
  const { request, status, text } = answer
  const message = messageIn(answer)
  const isOurs = /^\/mcp\/?(?:\?|$)/.test(request.path)
  return [
    ...(ALLOWED.has(status) ? [] : [`has a status that is not allowed`]),
    ...headerProblems(answer),
    ...(status === 200 && isOurs ? messageProblems(request, message) : []),
    ...(status >= 400 ? errorProblems(message) : []),
    ...request.caller.forbidden.filter((word) => text.includes(word)).map(() => "says somebody else's"),
    ...(text.includes('Internal server error') ? ['is a failure'] : []),
  ]
}

function headerProblems({ status, headers }: McpAnswer): string[] {
  const needed = ['x-request-id', 'x-content-type-options']
  if (status === 401) needed.push('www-authenticate')
  if (status === 405) needed.push('allow')
  return [
    ...needed.filter((name) => !headers.has(name)).map((name) => `has no ${name}`),
    ...(headers.has('set-cookie') ? ['sets a cookie'] : []),
  ]
}

/** Ours, or the protocol's. */
function errorProblems(message: unknown): string[] {
  if (!isObject(message)) return ['is an error without a body']
  const isOurs = typeof message['detail'] === 'string' && message['detail'] !== ''
  const isTheirs = isObject(message['error']) && rpcErrorProblems(message['error']).length === 0
  return [
    ...(isOurs || isTheirs ? [] : ['is an error of no kind']),
    ...(INTERNALS.test(JSON.stringify(message)) ? ['speaks of the inside'] : []),
  ]
}

function messageProblems(request: McpRequest, message: unknown): string[] {
  if (Array.isArray(message))
    return message.flatMap((one) => messageProblems({ ...request, isWhole: false }, one))
  if (!isObject(message)) return ['has no message']
  const { id, result, error } = message
  const problems = (result === undefined) === (error === undefined) ? ['has not one of result and error'] : []
  if (request.isWhole && id !== request.id) problems.push('has another id')
  if (isObject(error)) problems.push(...rpcErrorProblems(error))
  if (isObject(result)) problems.push(...resultProblems(request, result))
  return problems
}

const rpcErrorProblems = (error: Json): string[] => [
  ...(Number.isInteger(error['code']) && typeof error['message'] === 'string'
    ? []
    : ['is no error of JSON-RPC']),
  ...(error['code'] === INTERNAL_ERROR && !isOfLibrary(error['message']) ? ['is an internal error'] : []),
  ...(INTERNALS.test(JSON.stringify(error)) ? ['speaks of the inside'] : []),
]

/** The shape of each result by the protocol's own schemas. */
function resultProblems(request: McpRequest, result: Json): string[] {
  if (!request.isWhole) return []
  if (result['resultType'] === 'input_required')
    return isSpecType.JSONRPCMessage({ jsonrpc: '2.0', id: 1, result }) ? [] : ['is no question']
  if (request.rpc === 'tools/list') return isSpecType.ListToolsResult(result) ? [] : ['is no list of tools']
  if (request.rpc === 'initialize') return isSpecType.InitializeResult(result) ? [] : ['is no initialisation']
  if (request.rpc !== 'tools/call') return []
  return isSpecType.CallToolResult(result) ? toolProblems(request, result) : ['is no result of a tool']
}

/** Every text of the value that is in no field for what others wrote. */
function trustedIn(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (typeof value !== 'object' || value === null || 'untrusted' in value) return []
  return Object.values(value).flatMap(trustedIn)
}

const isText = (content: unknown): boolean =>
  Array.isArray(content) && isObject(content[0]) && content[0]['type'] === 'text'

const itemsIn = ({ items, results }: Json): number =>
  Math.max(...[items, results].map((list) => (Array.isArray(list) ? list.length : 0)))

function toolProblems({ call, caller }: McpRequest, { content, structuredContent, isError }: Json): string[] {
  if (!isObject(structuredContent)) return ['has no structured content']
  const length = Buffer.byteLength(JSON.stringify({ content, structuredContent }))
  const trusted = trustedIn(structuredContent)
  const isOwn = caller.foreign.some((word) => trusted.some((text) => text.includes(word)))
  const problems = [
    ...(length > MOST_BYTES ? ['is too long'] : []),
    ...(itemsIn(structuredContent) > MOST_ITEMS ? ['has more than 50 items'] : []),
    ...(isOwn ? ['tells a text of others as its own'] : []),
    ...(isText(content) ? [] : ['has no text']),
    ...(typeof isError === 'boolean' ? [] : ['does not say whether it is an error']),
  ]
  if (isError === true) return [...problems, ...refusalProblems(structuredContent)]
  return call ? [...problems, ...effectProblems(call, caller, structuredContent)] : problems
}

const refusalProblems = ({ detail, results }: Json): string[] =>
  (typeof detail === 'string' && detail !== '') || Array.isArray(results)
    ? []
    : ['is a refusal without detail']

function effectProblems(
  { tool, isAgreed }: NonNullable<McpRequest['call']>,
  { isReading }: McpRequest['caller'],
  { results, replayed }: Json,
): string[] {
  const isDeleted = (one: unknown) => isObject(one) && one['status'] === 'deleted'
  const deletes = tool === 'delete' && Array.isArray(results) && results.some(isDeleted)
  return [
    ...(isReading && WRITING.has(tool) ? ['writes with a token that reads'] : []),
    // What a key repeats was agreed to before.
    ...(deletes && replayed !== true && !isAgreed ? ['deletes what nobody agreed to'] : []),
  ]
}
