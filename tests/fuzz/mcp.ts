import { type Harness, startHarness } from '../support/harness'
import { befriend } from '../support/inviting'
import { type Sharer, sharer } from '../support/sharing'
import { READING, sendTo, WRITING } from '../support/assistants'
import { insertToken } from '../support/tokens'
import { FailureLog } from './cast'
import { drawing, seedOf } from './draw'
import { drive, type Run, watched } from './driver'
import { ending, type Extent, type Outcome } from './findings'
import { judgeMcp, type McpAnswer, messageIn } from './mcp-judge'
import { type Caller, type McpRequest, mcpRequest } from './mcp-requests'

const LOOK_EVERY = 100
const MOST = 80
const [OWNERS, STRANGERS] = ['canaryofowner', 'canaryofstranger'] as const

/**
 * Sends so many messages to /mcp, in both revisions, good and bad ones, from an owner, a member of what they share, a program that
 * only reads, and a stranger, and judges every answer.
 */
export async function fuzzMcp(extent: Extent): Promise<Outcome> {
  const log = new FailureLog()
  await using h = await startHarness({ env: { AUTH_RATE_LIMIT: 'off' }, deps: { log } })
  h.peer.address = '127.0.0.1'
  const callers = await callersOf(h)
  const step = async (run: Run, number: number) => {
    const seed = seedOf(extent.seed, 'mcp', number)
    const request = mcpRequest(seed, drawing(seedOf(seed, 'who')).pick(callers), h.clock.now())
    const sending = () => ending(send(h, request), 'a message')
    const isWatched = number % LOOK_EVERY === LOOK_EVERY - 1
    const { answer, left } = await watched(run, isWatched, sending, isRefused)
    run.findings.count(`${request.call?.tool ?? request.rpc} ${request.era}`, statusOf(answer))
    learn(answer)
    const problems = [...judgeMcp(answer), ...left.map((table) => `is refused and leaves rows in ${table}`)]
    for (const what of problems) run.findings.note(titleOf(answer, what), exampleOf(answer, log))
    h.clock.advance({ seconds: 1 })
  }
  return await drive(extent, { h, log, unit: 'messages to /mcp', lookEvery: LOOK_EVERY, step })
}

const titleOf = ({ request: { rpc, call }, status }: McpAnswer, what: string) =>
  `${rpc} ${call?.tool ?? ''} ${status}: ${what}`

async function callersOf(h: Harness): Promise<readonly [Caller, ...Caller[]]> {
  const [owner, member, stranger] = [await sharer(h), await sharer(h), await sharer(h)]
  await befriend(h, owner, [member])
  const calendar = await owner.createCalendar('Choir')
  await owner.share(calendar.id, member, 'write')
  await member.acceptAll()
  await fill(owner, OWNERS)
  await fill(stranger, STRANGERS)
  await fill(member, 'member')
  const names = [owner.row.networkName, member.row.networkName, stranger.row.networkName]
  return [
    await callerOf(h, owner, { forbidden: [STRANGERS], names }),
    await callerOf(h, member, { forbidden: [OWNERS, STRANGERS], names }),
    await callerOf(h, owner, { forbidden: [STRANGERS], names, isReading: true }),
    await callerOf(h, stranger, { forbidden: [OWNERS], names }),
  ]
}

/** Records that only their owner may read. */
async function fill(actor: Sharer, word: string): Promise<void> {
  const post = (path: string, body: object) => actor.request('POST', path, { body })
  for (let n = 0; n < 4; n++) {
    await post('/api/todos', { title: `${word} todo ${n}` })
    await post('/api/reminders', { title: `${word} reminder ${n}`, remind_at: '2026-03-05T09:00' })
    await post('/api/people', { first_name: `${word} person ${n}`, birthday: '1990-03-06' })
    await post('/api/events', {
      title: `${word} event ${n}`,
      start_at: '2026-03-06T09:00',
      end_at: '2026-03-06T10:00',
      ...(n % 2 === 0 && { recurrence_rule: 'FREQ=WEEKLY' }),
    })
  }
  const { body } = await post('/api/projects', { name: `${word} project` })
  await post(`/api/projects/${body.id}/tasks`, { title: `${word} task`, due_date: '2026-03-05' })
}

interface Knowledge {
  readonly forbidden: readonly string[]
  readonly names: readonly string[]
  readonly isReading?: boolean
}

async function callerOf(h: Harness, actor: Sharer, knowledge: Knowledge): Promise<Caller> {
  const { isReading = false } = knowledge
  const { token } = await insertToken(h, actor.row.id, { scopes: [...(isReading ? READING : WRITING)] })
  const headers = { authorization: `Bearer ${token}`, 'mcp-protocol-version': '2025-11-25' }
  const listed = await sendTo(h, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, headers)
  const message = messageIn({ headers: listed.headers, text: await listed.text() })
  const { tools } = (message as { result: Pick<Caller, 'tools'> }).result
  const known = { items: [], asked: [], cursors: [], operations: [] }
  return { userId: actor.row.id, token, tools, ...known, ...knowledge, isReading }
}

async function send(h: Harness, request: McpRequest): Promise<McpAnswer> {
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

function exampleOf({ request, text, headers }: McpAnswer, { failures }: FailureLog): string {
  const { method, path, body } = request
  const { authorization: _, ...shown } = request.headers
  const sent = typeof body === 'string' ? body : new TextDecoder().decode(body)
  return `${method} ${path} ${JSON.stringify(shown).slice(0, 500)}\n    ${sent.slice(0, 1200)}\n    → ${headers.get('content-type')} ${text.slice(0, 800)}\n    ${failures.at(-1)?.slice(0, 1500) ?? ''}`
}
