import { beforeEach, describe, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { accessTokens } from '../../src/db/schema'
import { assistantOf, sendTo, WRITING } from '../support/assistants'
import type { Actor } from '../support/harness'
import { createToken } from '../support/tokens'
import { useHarness } from '../support/use-harness'

setDefaultTimeout(60_000)
const h = useHarness()

let actor: Actor
let token: string
let item: { readonly type: 'todo'; readonly id: number; readonly version: number }
beforeEach(async () => {
  actor = await h.signedIn()
  ;({ token } = await createToken(actor, WRITING))
  item = await todoOf(actor)
})

async function todoOf(owner: Actor, title = 'Milk') {
  const { body } = await owner.request('POST', '/api/todos', { body: { title } })
  return { type: 'todo' as const, id: body.id, version: body.version }
}
const isThere = async (owner = actor, { id } = item) =>
  (await owner.request('GET', `/api/todos/${id}`)).status === 200

const YES = { confirm: { action: 'accept', content: { confirm: true } } }

interface Given {
  readonly by?: string
  readonly tool?: string
  readonly args?: Record<string, unknown>
  readonly requestState?: unknown
  readonly inputResponses?: unknown
}

/** A call as a client of 2026 sends it that can ask its user; what it says is all its own. */
async function call({ by = token, tool = 'delete', args = { items: [item] }, ...replies }: Given = {}) {
  const response = await sendTo(
    h,
    {
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: tool,
        arguments: args,
        ...replies,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': '2026-07-28',
          'io.modelcontextprotocol/clientInfo': { name: 'tests', version: '1.0.0' },
          'io.modelcontextprotocol/clientCapabilities': { elicitation: {} },
        },
      },
    },
    {
      authorization: `Bearer ${by}`,
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': 'tools/call',
      'mcp-name': tool,
    },
  )
  return { status: response.status, body: await response.json() }
}

/** The state of a question that was asked. */
async function stateOf(given: Given = {}): Promise<string> {
  const { result } = (await call(given)).body
  expect(result.resultType).toBe('input_required')
  return result.requestState
}

const INVALID = {
  result: { isError: true, structuredContent: { code: 'confirmation_invalid' } },
}

describe('a question', () => {
  test('is asked with a state, and the call is done once the reply says yes', async () => {
    const { result } = (await call()).body
    expect(result).toMatchObject({
      resultType: 'input_required',
      inputRequests: {
        confirm: { method: 'elicitation/create', params: { message: 'Delete todo “Milk”?' } },
      },
    })
    expect(await isThere()).toBe(true)
    const done = await call({ requestState: result.requestState, inputResponses: YES })
    expect(done.body.result).toMatchObject({ isError: false })
    expect(await isThere()).toBe(false)
  })

  test.each([
    ['nothing', undefined],
    ['no', { confirm: { action: 'decline' } }],
    ['cancel', { confirm: { action: 'cancel' } }],
    ['yes without saying to what', { confirm: { action: 'accept', content: {} } }],
    ['yes as a text', { confirm: { action: 'accept', content: { confirm: 'true' } } }],
    ['no beside a yes to another question', { other: YES.confirm, confirm: { action: 'decline' } }],
    ['yes to another question', { other: YES.confirm }],
  ])('that is answered with %s changes nothing', async (_, inputResponses) => {
    const requestState = await stateOf()
    const { body } = await call({ requestState, inputResponses })
    expect(body.result?.isError ?? true).toBe(true)
    expect(await isThere()).toBe(true)
  })
})

describe('the state of a question is refused', () => {
  test('where it is made up, changed, empty, or a code', async () => {
    const requestState = await stateOf()
    const silent = await assistantOf(h, actor)
    const code = (await silent.call('delete', { items: [item] })).body.confirm
    for (const state of ['', 'x', `${requestState}x`, requestState.replace(/^\d/, '9'), code]) {
      const { body } = await call({ requestState: state, inputResponses: YES })
      expect([state, body]).toMatchObject([state, INVALID])
    }
    expect(await isThere()).toBe(true)
  })

  test('as a code', async () => {
    const confirm = await stateOf()
    const silent = await assistantOf(h, actor)
    const { body } = await silent.call('delete', { items: [item], confirm })
    expect(body.code).toBe('confirmation_invalid')
    expect(await isThere()).toBe(true)
  })

  test('for other arguments, in another order, or with more of them', async () => {
    const other = await todoOf(actor, 'Bread')
    const requestState = await stateOf({ args: { items: [item, other] } })
    for (const items of [[other, item], [item], [other], [item, other, item]]) {
      const { body } = await call({ args: { items }, requestState, inputResponses: YES })
      expect(body).toMatchObject(INVALID)
    }
    const newer = { ...item, version: item.version + 1 }
    const { body } = await call({ args: { items: [newer, other] }, requestState, inputResponses: YES })
    expect(body).toMatchObject(INVALID)
    expect([await isThere(), await isThere(actor, other)]).toEqual([true, true])
  })

  test('for another tool', async () => {
    const items = []
    for (let count = 0; count < 6; count++) items.push(await todoOf(actor))
    const requestState = await stateOf({ tool: 'change', args: { items } })
    const { body } = await call({ args: { items }, requestState, inputResponses: YES })
    expect(body).toMatchObject(INVALID)
    expect(await isThere(actor, items[0])).toBe(true)
  })

  test('of another user, for the very same arguments', async () => {
    const mallory = await h.signedIn()
    const theirs = (await createToken(mallory, WRITING)).token
    const own = await todoOf(mallory)
    // A question is asked where one of the records is there.
    const args = { items: [own, item] }
    const requestState = await stateOf({ by: theirs, args })
    const { body } = await call({ args, requestState, inputResponses: YES })
    expect(body).toMatchObject(INVALID)
    expect(await isThere()).toBe(true)
  })

  test('after five minutes', async () => {
    const requestState = await stateOf()
    h.clock.advance({ minutes: 5, ms: 1 })
    const { body } = await call({ requestState, inputResponses: YES })
    expect(body).toMatchObject(INVALID)
    expect(await isThere()).toBe(true)
  })

  test('with a token that was revoked, or one that may not write', async () => {
    const requestState = await stateOf()
    const reading = (await createToken(actor, ['mcp', 'tasks:read'])).token
    const denied = await call({ by: reading, requestState, inputResponses: YES })
    expect(denied.body.result).toMatchObject({
      isError: true,
      structuredContent: { code: 'insufficient_scope' },
    })
    await h.db.delete(accessTokens).where(eq(accessTokens.userId, actor.row.id))
    expect((await call({ requestState, inputResponses: YES })).status).toBe(401)
    expect(await isThere()).toBe(true)
  })

  test('a second time, once the record has come back', async () => {
    const requestState = await stateOf()
    const done = await call({ requestState, inputResponses: YES })
    const { operation_id } = done.body.result.structuredContent
    const silent = await assistantOf(h, actor)
    expect((await silent.call('undo', { operation_id })).isError).toBe(false)
    const again = await call({ requestState, inputResponses: YES })
    expect(again.body.result.structuredContent.results).toMatchObject([{ status: 'refused' }])
    expect(await isThere()).toBe(true)
  })
})
