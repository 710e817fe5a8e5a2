import { type Draw, drawing, seedOf } from './draw'
import { type Schema, type Site, validObject } from './schemas'
import { spoilt, spoiltText } from './spoiling'

/** A call that the service has asked about, with what lets it through. */
interface Asked {
  readonly tool: string
  readonly args: Readonly<Record<string, unknown>>
  /** The code of a refusal, or the state of a question. */
  readonly confirm?: string
  readonly state?: string
}

/** A program with a token, and what it has met so far. */
export interface Caller {
  readonly userId: number
  readonly token: string
  readonly isReading: boolean
  readonly tools: ReadonlyArray<{ readonly name: string; readonly inputSchema: Schema }>
  readonly items: Array<Readonly<Record<string, unknown>>>
  readonly asked: Asked[]
  readonly cursors: string[]
  readonly operations: string[]
  /** Words that no answer may hold. */
  readonly forbidden: readonly string[]
  /** Words of others, which are told as theirs alone. */
  readonly foreign: readonly string[]
  readonly names: readonly string[]
}

export interface McpRequest {
  readonly caller: Caller
  readonly method: string
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | Uint8Array<ArrayBuffer> | undefined
  /** The call in it, where it is whole. */
  readonly call: (Asked & { readonly isAgreed: boolean }) | undefined
  readonly era: '2026-07-28' | '2025-11-25'
  /** The method of the protocol. */
  readonly rpc: string
  /** Whether the message is as the protocol has it. */
  readonly isWhole: boolean
  readonly id: unknown
}

const MARKER = 'zqmark1'
const OTHER_METHODS = [
  'tools/list',
  'tools/list',
  'initialize',
  'server/discover',
  'ping',
  'notifications/initialized',
  'notifications/cancelled',
  'resources/list',
  'prompts/get',
  'logging/setLevel',
  'completion/complete',
  'subscriptions/listen',
  'tasks/list',
  'tools/call ',
  'toString',
  '',
] as const

/** What the caller knows about fields of these names. */
const siteOf = (draw: Draw, caller: Caller, now: Date): Site => ({
  draw,
  marker: MARKER,
  schemas: {},
  now,
  suggest: (name) => {
    if (name === 'cursor') return caller.cursors
    if (name === 'operation_id') return caller.operations
    if (name === 'with') return caller.names
    if (name === 'confirm') return []
    // Now and then one that was used before.
    if (name === 'idempotency_key') return draw.percent(40) ? ['one', 'two', 'three'] : []
    const type = name.replace(/_id$/, '')
    const isId = name === 'id' || name.endsWith('_id')
    const known = caller.items.filter((item) => name === 'id' || item['type'] === type)
    return isId ? known.map(({ id }) => id) : []
  },
})

/** The arguments of a call, which mostly name records as they are. */
function argumentsFor(site: Site, caller: Caller, tool: Caller['tools'][number]): Record<string, unknown> {
  const { draw } = site
  const { confirm: _, ...made } = validObject(site, tool.inputSchema)
  if (tool.name === 'find_time' && draw.percent(70)) return { ...made, ...timesFor(site) }
  if (tool.name === 'answer_invitation') return { ...made, ...invitationFor(draw, caller) }
  const isOfRecords = tool.name === 'change' || tool.name === 'delete'
  if (!isOfRecords) return tool.name === 'find' ? alone(made, draw) : made
  const items = Array.isArray(made['items']) ? (made['items'] as Array<Record<string, unknown>>) : []
  const named = items.map((item) => {
    const known =
      draw.oneOf(caller.items.filter(({ type }) => type === item['type'])) ?? draw.oneOf(caller.items)
    return known && draw.percent(90) ? aimed(draw, item, known) : item
  })
  return { ...made, items: named }
}

type Item = Caller['items'][number]

/** The item, of a record as it is or was: the whole, or one occurrence of it. */
function aimed(draw: Draw, item: Item, { type, id, version, occurrence }: Item): Record<string, unknown> {
  const { occurrence: _, scope: __, ...rest } = item
  const isPart = occurrence !== undefined && draw.percent(50)
  return {
    ...rest,
    type,
    id,
    version: draw.percent(95) ? version : Number(version) - 1,
    ...(isPart && { occurrence, scope: draw.pick(['this', 'following']) }),
  }
}

/** One that the caller was told, mostly as a whole. */
function invitationFor(draw: Draw, { items }: Caller): Record<string, unknown> {
  const event = draw.oneOf(items.filter(({ invitation }) => invitation !== undefined))
  const { id } = (event?.['invitation'] ?? {}) as Item
  return id === undefined || draw.percent(10)
    ? {}
    : { id, ...(draw.percent(70) && { occurrence: undefined }) }
}

/** Days that are near, and at whatever hour. */
function timesFor({ draw, now }: Site): Record<string, unknown> {
  const dayAfter = (days: number) => new Date(now.getTime() + days * 86_400_000).toISOString().slice(0, 10)
  return {
    from: dayAfter(0),
    to: dayAfter(draw.integer(1, 14)),
    minutes: draw.integer(15, 180),
    hours: undefined,
    ...(draw.percent(60) && { with: undefined }),
  }
}

/** A cursor comes alone. */
const alone = ({ cursor, ...rest }: Record<string, unknown>, draw: Draw): Record<string, unknown> =>
  cursor !== undefined && draw.percent(40) ? { cursor } : rest

interface Call {
  readonly params: Record<string, unknown>
  readonly call: McpRequest['call']
}

/** A new call, or one that the user was asked about, with the code or state that it was given, or a forged one. */
function callFor(site: Site, caller: Caller): Call {
  const { draw } = site
  // Whoever is asked mostly answers at once.
  const last = draw.percent(50) ? caller.asked.at(-1) : draw.oneOf(caller.asked)
  const asked = draw.percent(25) ? last : undefined
  if (asked) return repeated(draw, caller, asked)
  const tool = draw.oneOf(caller.tools)
  if (!tool || draw.percent(2)) return { params: { name: draw.text(0, 12), arguments: {} }, call: undefined }
  const valid = argumentsFor(site, caller, tool)
  const args = draw.percent(25) ? spoilt(site, tool.inputSchema, valid) : valid
  const params = { name: tool.name, arguments: args }
  const isObject = typeof args === 'object' && args !== null && !Array.isArray(args)
  return { params, call: { tool: tool.name, args: isObject ? { ...args } : {}, isAgreed: false } }
}

/** What lets a call through: its own, that of another, or a forged one. */
const markFrom = (draw: Draw, mark: string, other: Asked | undefined): string =>
  draw.percent(55)
    ? mark
    : draw.pick([
        other?.confirm ?? 'x',
        other?.state ?? 'x',
        mark.replace(/\d/, (digit) => String((Number(digit) + 1) % 10)),
        mark.slice(0, -1),
        `${mark}x`,
        mark.replace(/-.*?\./, '-0.'),
        '',
        'yes',
      ])

/** The same call, or nearly, with what is to let it through. */
function repeated(draw: Draw, caller: Caller, { tool, args, confirm, state }: Asked): Call {
  const isSame = draw.percent(70)
  const given = isSame ? args : otherArguments(args)
  const mark = confirm ?? state ?? ''
  const code = markFrom(draw, mark, draw.oneOf(caller.asked))
  const isAgreed = isSame && code === mark
  if (confirm !== undefined) {
    const whole = { ...given, confirm: code }
    return { params: { name: tool, arguments: whole }, call: { tool, args: whole, isAgreed } }
  }
  const params = { name: tool, arguments: given, inputResponses: draw.pick(REPLIES), requestState: code }
  return { params, call: { tool, args: given, isAgreed } }
}

const REPLIES = [
  { confirm: { action: 'accept', content: { confirm: true } } },
  { confirm: { action: 'accept', content: { confirm: true } } },
  { confirm: { action: 'decline' } },
  { confirm: { action: 'accept', content: { confirm: 'true' } } },
  { other: { action: 'accept', content: { confirm: true } } },
  {},
] as const

/** Of one record more, as it may be by now. */
function otherArguments(args: Asked['args']): Record<string, unknown> {
  const items = Array.isArray(args['items']) ? (args['items'] as Array<Record<string, unknown>>) : []
  const [first] = items
  return { ...args, items: [...items, { ...first, version: Number(first?.['version']) + 1 }] }
}

const META = 'io.modelcontextprotocol/'

const metaOf = (draw: Draw, version: string) => ({
  [`${META}protocolVersion`]: draw.percent(97)
    ? version
    : draw.pick<unknown>(['2024-11-05', '2099-01-01', 5, null]),
  [`${META}clientInfo`]: { name: 'fuzz', version: '1.0.0' },
  [`${META}clientCapabilities`]: draw.pick<object>([
    { elicitation: {} },
    { elicitation: { form: {} } },
    { elicitation: { url: {} } },
    {},
    {},
  ]),
})

interface Message {
  readonly era: McpRequest['era']
  readonly rpc: string
  readonly id: unknown
  readonly params: Readonly<Record<string, unknown>>
  readonly call: McpRequest['call']
  readonly json: Readonly<Record<string, unknown>>
}

const isNotification = (rpc: string): boolean => rpc.startsWith('notifications/')

function messageFor(draw: Draw, site: Site, caller: Caller): Message {
  const era = draw.percent(60) ? '2026-07-28' : '2025-11-25'
  const isCall = draw.percent(82)
  const rpc = isCall ? 'tools/call' : draw.pick(OTHER_METHODS)
  const { params, call } = isCall
    ? callFor(site, caller)
    : { params: otherParams(draw, rpc), call: undefined }
  const id = draw.percent(95) ? draw.integer(0, 9999) : draw.pick(ODD_IDS)
  const json = {
    jsonrpc: '2.0',
    ...(!isNotification(rpc) && { id }),
    method: rpc,
    params: { ...params, ...(era === '2026-07-28' && { _meta: metaOf(draw, era) }) },
  }
  return { era, rpc, id, params, call, json }
}

const ODD_IDS = ['a', '', -1, 1.5, null, 2 ** 53, {}, undefined] as const
const ODD_PATHS = ['/mcp/', '/mcp?x=1', '/mcp?access_token=x', '/mcp/x', '/mcp?'] as const

/** The message that this seed draws, at this time. */
export function mcpRequest(seed: number, caller: Caller, now: Date): McpRequest {
  const draw = drawing(seed)
  const site = siteOf(drawing(seedOf(seed, 'arguments')), caller, now)
  const { era, rpc, id, params, call, json } = messageFor(draw, site, caller)
  const isBroken = draw.percent(10)
  const method = draw.percent(96) ? 'POST' : draw.pick(['GET', 'DELETE', 'OPTIONS', 'PUT', 'PATCH'])
  const body = isBroken ? broken(draw, json) : JSON.stringify(json)
  const headers = headersFor(draw, caller, { era, rpc, name: nameIn(params) })
  return {
    caller,
    method,
    path: draw.percent(98) ? '/mcp' : draw.pick(ODD_PATHS),
    headers: { ...headers, ...(method === 'POST' && { 'content-length': lengthOf(body) }) },
    body: method === 'GET' || method === 'OPTIONS' ? undefined : body,
    call: isBroken ? undefined : call,
    era,
    rpc,
    isWhole: !isBroken && (isNotification(rpc) || Number.isSafeInteger(id)),
    id,
  }
}

const nameIn = ({ name }: Message['params']) => (typeof name === 'string' ? name : undefined)

const lengthOf = (body: string | Uint8Array) => String(Buffer.byteLength(body))

function otherParams(draw: Draw, rpc: string): Record<string, unknown> {
  if (rpc !== 'initialize')
    return draw.percent(80) ? {} : { cursor: draw.text(0, 9), level: 'debug', x: draw.json() }
  const protocolVersion = draw.pick(['2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05', 'x'])
  return { protocolVersion, capabilities: {}, clientInfo: { name: 'fuzz', version: '1' } }
}

function broken(draw: Draw, message: Readonly<Record<string, unknown>>): string | Uint8Array<ArrayBuffer> {
  const text = JSON.stringify(message)
  const site: Site = { draw, marker: MARKER, schemas: {}, now: new Date(0), suggest: () => [] }
  return draw.pick<() => string | Uint8Array<ArrayBuffer>>([
    () => spoiltText(site, text),
    () => JSON.stringify([message, message]),
    () => JSON.stringify([]),
    () => JSON.stringify({ ...message, jsonrpc: draw.pick<unknown>(['1.0', 2, null]) }),
    () => JSON.stringify({ ...message, method: draw.pick<unknown>([null, 5, {}, ['tools/call']]) }),
    () => JSON.stringify({ ...message, params: draw.pick<unknown>([null, 5, [], 'x', [1]]) }),
    () => JSON.stringify({ ...message, params: { name: 'find', arguments: draw.json() } }),
    () => JSON.stringify({ jsonrpc: '2.0', id: 1, result: {} }),
    () => JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }),
    () => JSON.stringify({ ...message, params: { ...Object(message['params']), _meta: draw.json() } }),
    () => JSON.stringify(spoilt(site, {}, message)) ?? '',
  ])()
}

const OTHER_HEADERS: ReadonlyArray<(draw: Draw) => Readonly<Record<string, string>>> = [
  (draw) => ({ accept: draw.pick(['application/json', 'text/event-stream', '*/*', 'text/html', '']) }),
  (draw) => ({ 'content-type': draw.pick(['text/plain', 'application/json; charset=utf-8', 'x', '']) }),
  (draw) => ({ 'mcp-protocol-version': draw.pick(['2025-06-18', '2026-07-28', '1999-01-01', 'x', '']) }),
  (draw) => ({ 'mcp-method': draw.pick(['tools/list', 'tools/call', 'x', '']) }),
  (draw) => ({ 'mcp-name': draw.pick(['delete', 'find', 'x', '', 'a'.repeat(5000)]) }),
  (draw) => ({ 'mcp-session-id': draw.pick(['x', '1'.repeat(900)]) }),
  () => ({ 'last-event-id': '1' }),
  (draw) => ({ origin: draw.pick(['https://evil.example', 'null', 'http://localhost', 'x']) }),
  (draw) => ({ authorization: draw.pick(['Bearer org_x', 'Bearer', 'Basic YTpi', 'Bearer a b', '']) }),
  (draw) => ({ cookie: `session=${draw.pick(['x', '1.2.3'])}` }),
]

function headersFor(
  draw: Draw,
  { token }: Caller,
  { era, rpc, name }: { era: string; rpc: string; name: string | undefined },
): Record<string, string> {
  const isModern = era === '2026-07-28'
  const isSafe = (text: string) => /^[\x21-\x7e]+$/.test(text)
  const others = draw.percent(15) ? [draw.oneOf(OTHER_HEADERS)?.(draw) ?? {}] : []
  return Object.assign(
    {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${token}`,
      'mcp-protocol-version': era,
    },
    isModern && isSafe(rpc) ? { 'mcp-method': rpc } : {},
    isModern && name !== undefined && isSafe(name) ? { 'mcp-name': name } : {},
    ...others,
  ) as Record<string, string>
}
