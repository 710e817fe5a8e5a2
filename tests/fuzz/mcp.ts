import { type Harness, startHarness } from '../support/harness'
import { FailureLog } from './cast'
import { drawing, seedOf } from './draw'
import { drive, type Run, watched } from './driver'
import { ending, type Extent, type Outcome } from './findings'
import { callersOf } from './mcp-cast'
import { judgeMcp, type McpAnswer, messageIn } from './mcp-judge'
import { type Caller, type McpRequest, mcpRequest } from './mcp-requests'

const LOOK_EVERY = 100
const MOST = 80

/**
 * Sends so many messages to /mcp, in both revisions, good and bad ones, from an owner, a member of what they share, programs that may
 * not write everything, and a stranger, and judges every answer. The same seed sends the same messages again.
 */
export async function fuzzMcp(extent: Extent): Promise<Outcome> {
  const log = new FailureLog()
  await using h = await startHarness({ env: { AUTH_RATE_LIMIT: 'off' }, deps: { log } })
  h.peer.address = '127.0.0.1'
  const callers = await callersOf(h)
  const step = async (run: Run, number: number) => {
    const seed = seedOf(extent.seed, 'mcp', number)
    const request = mcpRequest(seed, drawing(seedOf(seed, 'who')).pick(callers), h.clock.now())
    const isWatched = number % LOOK_EVERY === LOOK_EVERY - 1
    const { answer, left } = await watched(run, isWatched, () => send(h, request), isRefused)
    run.findings.count(`${titleOf(request)} ${request.era}`, statusOf(answer))
    learn(answer)
    const problems = [...judgeMcp(answer), ...left.map((table) => `is refused and leaves rows in ${table}`)]
    for (const what of problems)
      run.findings.note(`${titleOf(request)} ${answer.status}: ${what}`, exampleOf(answer, log))
    h.clock.advance({ seconds: 1 })
  }
  return await drive(extent, { h, log, unit: 'messages to /mcp', lookEvery: LOOK_EVERY, step })
}

const titleOf = ({ rpc, call }: McpRequest) => call?.tool ?? rpc

const send = (h: Harness, request: McpRequest): Promise<McpAnswer> =>
  ending(answerTo(h, request), titleOf(request), { example: () => shownOf(request) })

async function answerTo(h: Harness, request: McpRequest): Promise<McpAnswer> {
  const { method, path, headers, body } = request
  const response = await h.app.fetch(
    new Request(`http://localhost${path}`, { method, headers, ...(body !== undefined && { body }) }),
  )
  return { request, status: response.status, headers: response.headers, text: await response.text() }
}

interface Message {
  readonly error?: { readonly code: number }
  readonly result?: {
    readonly isError?: boolean
    readonly resultType?: string
    readonly requestState?: string
    readonly structuredContent?: unknown
  }
}

const messageOf = (answer: McpAnswer) => (messageIn(answer) ?? {}) as Message

/** The status, or the code of the protocol's error; 1 for a refusal by the tool, 2 for a question. */
function statusOf(answer: McpAnswer): number {
  const { error, result } = messageOf(answer)
  if (answer.status !== 200 || error) return error?.code ?? answer.status
  return result?.isError === true ? 1 : result?.resultType === 'input_required' ? 2 : 200
}

const isRefused = (answer: McpAnswer) => statusOf(answer) !== 200

/** Keeps records with their versions, codes, states, cursors and operations. */
function learn(answer: McpAnswer): void {
  const { call, caller } = answer.request
  const { result } = messageOf(answer)
  if (!result) return
  const keep = <T>(list: T[], one: T) => {
    list.push(one)
    if (list.length > MOST) list.shift()
  }
  const { confirm } = (result.structuredContent ?? {}) as { confirm?: unknown }
  const { confirm: _, ...args } = (call?.args ?? {}) as Record<string, unknown>
  if (call && typeof confirm === 'string') keep(caller.asked, { tool: call.tool, args, confirm })
  if (call && result.requestState !== undefined)
    keep(caller.asked, { tool: call.tool, args, state: result.requestState })
  walk(result.structuredContent, (name, value) => {
    if (name === 'next_cursor' && typeof value === 'string') keep(caller.cursors, value)
    if (name === 'operation_id' && typeof value === 'string') keep(caller.operations, value)
    if (isRecord(value) && typeof value['type'] === 'string' && 'version' in value)
      learnItem(caller, value, keep)
  })
}

function learnItem(caller: Caller, item: Item, keep: (list: Item[], one: Item) => void): void {
  const at = caller.items.findIndex(({ type, id }) => type === item['type'] && id === item['id'])
  if (at !== -1) caller.items.splice(at, 1)
  keep(caller.items, item)
}

type Item = Readonly<Record<string, unknown>>
const isRecord = (value: unknown): value is Item => typeof value === 'object' && value !== null

function walk(value: unknown, visit: (name: string, value: unknown) => void): void {
  if (!isRecord(value)) return
  for (const [name, inner] of Object.entries(value)) {
    visit(name, inner)
    walk(inner, visit)
  }
}

function shownOf({ method, path, headers, body }: McpRequest): string {
  const { authorization: _, ...shown } = headers
  const sent = typeof body === 'string' ? body : new TextDecoder().decode(body)
  return `${method} ${path} ${JSON.stringify(shown).slice(0, 500)}\n    ${sent.slice(0, 1200)}`
}

const exampleOf = ({ request, text, headers }: McpAnswer, { failures }: FailureLog): string =>
  `${shownOf(request)}\n    → ${headers.get('content-type')} ${text.slice(0, 800)}\n    ${failures.at(-1)?.slice(0, 1500) ?? ''}`
