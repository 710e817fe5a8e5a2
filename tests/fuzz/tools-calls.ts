import type { Tool } from '@modelcontextprotocol/client'
import type { Draw } from './draw'
import { type Schema, type Site, validObject } from './schemas'
import { spoilt, spoiltText } from './spoiling'

interface Known {
  readonly type: string
  readonly id: number
  readonly version: number
  readonly occurrence?: string
}

/** An assistant, and what it has been told so far. */
export interface Client {
  readonly token: string
  readonly tools: readonly Tool[]
  readonly known: Known[]
  readonly operations: string[]
  readonly cursors: string[]
}

const MARK = 'zqmark'

function siteOf(draw: Draw, { known, operations, cursors }: Client, now: Date): Site {
  return {
    draw,
    schemas: {},
    marker: MARK,
    now,
    suggest: (name) => {
      if (name === 'operation_id') return operations.slice(-10)
      if (name === 'cursor') return cursors.slice(-5)
      if (name === 'idempotency_key') return ['one', 'two', 'three']
      if (name === 'from') return ['2026-03-04', '2026-03-05']
      if (name === 'to') return ['2026-03-06', '2026-03-11', '2026-03-05']
      if (name === 'minutes') return [30, 60]
      if (name === 'recurrence_rule') return ['FREQ=WEEKLY', 'FREQ=DAILY;COUNT=3']
      if (name === 'id') return known.filter(({ type }) => type === 'invitation').map(({ id }) => id)
      return []
    },
  }
}

/** Items of records that are known, mostly, as an assistant has them from an answer. */
function aimed(draw: Draw, { known }: Client, tool: string, args: Record<string, unknown>) {
  const { items } = args
  if (!Array.isArray(items) || (tool !== 'change' && tool !== 'delete')) return args
  return {
    ...args,
    items: items.map((item: Record<string, unknown>) => {
      const found = draw.oneOf(known.filter(({ type }) => type === item['type']))
      if (!found || draw.percent(15)) return item
      const { occurrence: _, scope: __, ...rest } = item
      const part = found.occurrence !== undefined && draw.percent(50)
      return {
        ...rest,
        id: found.id,
        version: draw.percent(90) ? found.version : found.version - 1,
        ...(part && { occurrence: found.occurrence, scope: draw.pick(['this', 'following']) }),
      }
    }),
  }
}

/** A call as a client of 2025 sends it: half of them good. */
export function mcpCall(draw: Draw, client: Client, now: Date) {
  const tool = draw.pick(client.tools as [Tool, ...Tool[]])
  const site = siteOf(draw, client, now)
  const schema = tool.inputSchema as Schema
  const { confirm: _, ...good } = aimed(draw, client, tool.name, validObject(site, schema))
  const given = draw.percent(60) ? good : spoilt(site, schema, good)
  const params = { name: tool.name, arguments: given }
  const message = { jsonrpc: '2.0', id: 1, method: 'tools/call', params }
  const text = JSON.stringify(message)
  const body = draw.percent(95) ? text : spoiltText(site, text)
  return {
    tool: tool.name,
    message,
    body: typeof body === 'string' ? body : new TextDecoder('latin1').decode(body),
  }
}
