import type { Scope } from '../../src/lib/scopes'
import { READING, sendTo, WRITING } from '../support/assistants'
import { createEvent } from '../support/events'
import type { Harness } from '../support/harness'
import { befriend } from '../support/inviting'
import { type Sharer, sharer } from '../support/sharing'
import { insertToken } from '../support/tokens'
import { messageIn } from './mcp-judge'
import type { Caller } from './mcp-requests'

const [OWNERS, STRANGERS, SHARED] = ['canaryofowner', 'canaryofstranger', 'canaryofshared'] as const
/** May read calendars, but not write into them. */
const PARTLY: readonly Scope[] = ['mcp', 'calendars:read', 'tasks:write']

/** Everybody who calls, with what they may know of each other. */
export async function callersOf(h: Harness): Promise<readonly [Caller, ...Caller[]]> {
  const [owner, member, stranger] = [await sharer(h), await sharer(h), await sharer(h)]
  await befriend(h, owner, [member])
  await share(owner, member)
  await fill(owner, OWNERS)
  await fill(stranger, STRANGERS)
  await fill(member, 'member')
  const names = [owner.row.networkName, member.row.networkName, stranger.row.networkName]
  const members = { forbidden: [OWNERS, STRANGERS], foreign: [SHARED], names }
  return [
    await callerOf(h, owner, { forbidden: [STRANGERS], names }),
    await callerOf(h, member, members),
    await callerOf(h, member, { ...members, scopes: PARTLY }),
    await callerOf(h, owner, { forbidden: [STRANGERS], names, scopes: READING }),
    await callerOf(h, stranger, { forbidden: [OWNERS, SHARED], names }),
  ]
}

/** A calendar into which the other may write, and events that they are invited to. */
async function share(owner: Sharer, member: Sharer): Promise<void> {
  const calendar = await owner.createCalendar(SHARED)
  await owner.share(calendar.id, member, 'write')
  await member.acceptAll()
  const times = { start_at: '2026-03-05T19:00', end_at: '2026-03-05T20:00' }
  const texts = { title: SHARED, description: SHARED, location: SHARED }
  await createEvent(owner, { ...times, ...texts, calendar_id: calendar.id })
  for (const repeated of [{}, { recurrence_rule: 'FREQ=WEEKLY' }]) {
    const { id } = await createEvent(owner, { ...times, ...texts, ...repeated })
    await owner.invite(id, member)
  }
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

interface Knowledge extends Pick<Caller, 'forbidden' | 'names'> {
  readonly foreign?: Caller['foreign']
  readonly scopes?: readonly Scope[]
}

async function callerOf(
  h: Harness,
  actor: Sharer,
  { forbidden, names, foreign = [], scopes = WRITING }: Knowledge,
): Promise<Caller> {
  const { token } = await insertToken(h, actor.row.id, { scopes: [...scopes] })
  const headers = { authorization: `Bearer ${token}`, 'mcp-protocol-version': '2025-11-25' }
  const listed = await sendTo(h, { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }, headers)
  const message = messageIn({ headers: listed.headers, text: await listed.text() })
  const { tools } = (message as { result: Pick<Caller, 'tools'> }).result
  const known = { items: [], asked: [], cursors: [], operations: [] }
  const isReading = scopes === READING
  return { userId: actor.row.id, token, tools, ...known, forbidden, foreign, names, isReading }
}
