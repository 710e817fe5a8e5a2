import { createEvent } from '../support/events'
import { type Harness, startHarness } from '../support/harness'
import { assistantOf, sendTo } from '../support/assistants'
import { person } from '../support/inviting'
import { sharedWith } from '../support/sharing'
import { FailureLog } from './cast'
import { drawing, seedOf } from './draw'
import { type Extent, Findings, type Outcome } from './findings'
import { FOREIGN, judgeCall, type McpAnswer, SECRET } from './tools-judge'
import { type Client, mcpCall } from './tools-calls'

async function castOf(h: Harness): Promise<Client[]> {
  const { ada, bob, calendar } = await sharedWith(h, 'read')
  const times = { start_at: '2026-03-05T19:00', end_at: '2026-03-05T20:00' }
  await createEvent(ada, { ...times, title: FOREIGN, description: FOREIGN, calendar_id: calendar.id })
  const event = await createEvent(ada, { ...times, title: FOREIGN, location: FOREIGN })
  await ada.invite(event.id, bob)
  const stranger = await person(h)
  const project = (await stranger.request('POST', '/api/projects', { body: { name: SECRET } })).body
  const secrets: ReadonlyArray<readonly [path: string, body: object]> = [
    ['/api/events', { title: SECRET, ...times }],
    ['/api/todos', { title: SECRET, due_date: '2026-03-05' }],
    ['/api/reminders', { title: SECRET, remind_at: '2026-03-05T12:00' }],
    ['/api/people', { first_name: SECRET, birthday: '--03-05' }],
    [`/api/projects/${project.id}/tasks`, { title: SECRET }],
  ]
  for (const [path, body] of secrets) await stranger.request('POST', path, { body })
  const clients: Client[] = []
  for (const scopes of [undefined, ['mcp', 'calendars:read', 'tasks:write'] as const]) {
    const { token, tools } = await assistantOf(h, bob, scopes && { scopes })
    clients.push({ token, tools: await tools(), known: [], operations: [], cursors: [] })
  }
  return clients
}

/**
 * Sends so many calls to /mcp, good and bad ones, from an assistant that may do everything and one that may not, and judges every
 * answer. The same seed sends the same calls again.
 */
export async function fuzzTools({
  seed,
  requests,
  isOver = () => false,
  tell = () => {},
}: Extent): Promise<Outcome & { readonly outcomes: ReadonlyMap<string, Counts> }> {
  const log = new FailureLog()
  await using h = await startHarness({ deps: { log } })
  const clients = await castOf(h)
  const findings = new Findings(tell)
  const outcomes = new Map<string, Counts>()
  let number = 0
  while (number < requests && !isOver()) {
    const draw = drawing(seedOf(seed, 'mcp', ++number))
    const client = draw.pick(clients as [Client, ...Client[]])
    const { tool, message, body } = mcpCall(draw, client, h.clock.now())
    // The user agrees to whatever they are asked.
    for (let next: string | undefined = body; next !== undefined;) {
      const answer = await send(h, client, next)
      for (const what of judgeCall(answer))
        findings.note(`${tool}: ${what}`, `${next.slice(0, 1500)}\n    → ${answer.text.slice(0, 800)}`)
      findings.count(tool, answer.status)
      count(outcomes, tool, answer)
      learn(client, answer)
      next = next === body ? withCode(message, answer) : undefined
    }
    h.clock.advance({ seconds: 1 })
    if (number % 1000 === 0) tell(`${number} calls to /mcp`)
  }
  findings.noteLogged(log.failures)
  return {
    requests: number,
    findings: [...findings.kinds.values()],
    statuses: findings.statuses,
    outcomes,
  }
}

async function send(h: Harness, { token }: Client, body: string): Promise<McpAnswer> {
  const response = await sendTo(h, body, { authorization: `Bearer ${token}` })
  return { status: response.status, text: await response.text() }
}

const resultIn = ({ text }: McpAnswer): ReturnType<typeof JSON.parse> => {
  const data = /^data: (.*)$/m.exec(text)?.[1] ?? text
  try {
    return JSON.parse(data).result
  } catch {
    return undefined
  }
}

/** The call that the user agreed to, where the last one waits for that. */
function withCode(message: ReturnType<typeof JSON.parse>, answer: McpAnswer): string | undefined {
  const confirm = resultIn(answer)?.structuredContent?.confirm
  if (typeof confirm !== 'string') return undefined
  const { params } = message
  return JSON.stringify({
    ...message,
    params: { ...params, arguments: { ...params.arguments, confirm } },
  })
}

const MOST = 40

/** Remembers the records, operations and cursors that an answer names. */
function learn(client: Client, answer: McpAnswer): void {
  const {
    operation_id: operation,
    next_cursor: cursor,
    items = [],
    results = [],
  } = resultIn(answer)?.structuredContent ?? {}
  for (const item of [...items, ...results]) keep(client, item)
  if (typeof operation === 'string') client.operations.push(operation)
  if (typeof cursor === 'string') client.cursors.push(cursor)
}

function keep(
  { known }: Client,
  { type, id, version, occurrence, invitation }: ReturnType<typeof JSON.parse>,
) {
  if (typeof id !== 'number' || typeof version !== 'number') return
  const at = known.findIndex((one) => type === one.type && id === one.id)
  if (at !== -1) known.splice(at, 1)
  known.push({ type, id, version, occurrence })
  if (invitation) known.push({ type: 'invitation', id: invitation.id, version: 1 })
  if (known.length > MOST) known.splice(0, known.length - MOST)
}

interface Counts {
  done: number
  refused: number
}

function count(outcomes: Map<string, Counts>, tool: string, answer: McpAnswer): void {
  const counts = outcomes.get(tool) ?? { done: 0, refused: 0 }
  counts[resultIn(answer)?.isError === false ? 'done' : 'refused']++
  outcomes.set(tool, counts)
}
