import { describe, expect, setDefaultTimeout, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { users } from '../../src/db/schema'
import { assistantOf, assistantWith, ERAS, LIST_TOOLS, READING, sendTo, WRITING } from '../support/assistants'
import { insertToken } from '../support/tokens'
import { useHarness } from '../support/use-harness'

setDefaultTimeout(60_000)
const LISTED = 'https://pages.example'
const h = useHarness({ env: { PUBLIC_URL: 'https://organiser.example', CORS_ORIGINS: LISTED } })

const INVALID = {
  status: 401,
  challenge: 'Bearer realm="organiser", error="invalid_token"',
  body: { detail: 'Invalid or expired access token' },
}

const refusalOf = async (response: Response) => ({
  status: response.status,
  challenge: response.headers.get('www-authenticate'),
  body: await response.json(),
})

const bearer = (token: string) => ({ authorization: `Bearer ${token}` })

describe.each([...ERAS])('a client of %s', (era) => {
  test('connects, lists the tools and calls one', async () => {
    const assistant = await assistantOf(h, await h.signedIn(), { era })
    expect(await assistant.names()).toEqual([
      'overview',
      'find',
      'add',
      'change',
      'delete',
      'answer_invitation',
      'find_time',
      'undo',
    ])
    const { isError, body } = await assistant.call('overview')
    expect({ isError, today: body.today, zone: body.time_zone }).toEqual({
      isError: false,
      today: '2026-03-04',
      zone: 'Europe/Berlin',
    })
    expect(assistant.client.getServerVersion()?.name).toBe('organiser')
  })

  test('is told of a tool that does not exist by an error of the protocol', async () => {
    const assistant = await assistantOf(h, await h.signedIn(), { era })
    await expect(assistant.call('format_disk')).rejects.toThrow('There is no such tool')
  })
})

describe('only an access token with the scope mcp lets a program in:', () => {
  test('a cookie counts for nothing, and none is set', async () => {
    const actor = await h.signedIn()
    const answer = await sendTo(h, LIST_TOOLS, { cookie: `session=${actor.token}` })
    expect(answer.headers.get('set-cookie')).toBeNull()
    expect(await refusalOf(answer)).toEqual(INVALID)
  })

  test.each(['Bearer garbage', 'Basic YTpi', ''])('%p is refused', async (authorization) => {
    expect(await refusalOf(await sendTo(h, LIST_TOOLS, { authorization }))).toEqual(INVALID)
  })

  test('an app password, a revoked and an expired token are refused alike', async () => {
    const { row } = await h.signedIn()
    const app = await insertToken(h, row.id, { scopes: ['dav', 'mcp', 'tasks:write'] })
    const old = await insertToken(h, row.id, { expiresAt: h.clock.now() })
    for (const { token } of [app, old]) {
      expect(await refusalOf(await sendTo(h, LIST_TOOLS, bearer(token)))).toEqual(INVALID)
    }
  })

  test('a revoked token, two at once, and one of a deactivated user are refused alike', async () => {
    const { row } = await h.signedIn()
    const { token } = await insertToken(h, row.id)
    const two = await sendTo(h, LIST_TOOLS, { authorization: `Bearer ${token}, Bearer ${token}` })
    expect(await refusalOf(two)).toEqual(INVALID)
    await h.db.update(users).set({ isActive: false }).where(eq(users.id, row.id))
    expect(await refusalOf(await sendTo(h, LIST_TOOLS, bearer(token)))).toEqual(INVALID)
  })

  test('a token without it is told which scope is missing', async () => {
    const { row } = await h.signedIn()
    const { token } = await insertToken(h, row.id, { scopes: ['tasks:write'] })
    expect(await refusalOf(await sendTo(h, LIST_TOOLS, bearer(token)))).toEqual({
      status: 403,
      challenge: 'Bearer realm="organiser", error="insufficient_scope", scope="mcp"',
      body: { detail: 'This access token may not do that', code: 'insufficient_scope' },
    })
  })

  test('a user who must change their password, or set up a second factor, does that first', async () => {
    const { row } = await h.signedIn()
    const { token } = await insertToken(h, row.id)
    const codeWith = async (columns: Partial<typeof users.$inferInsert>) => {
      await h.db.update(users).set(columns).where(eq(users.id, row.id))
      const { status, body } = await refusalOf(await sendTo(h, LIST_TOOLS, bearer(token)))
      return [status, body.code]
    }
    expect(await codeWith({ mustChangePassword: true })).toEqual([403, 'password_change_required'])
    expect(await codeWith({ mustChangePassword: false, mfaRequired: true })).toEqual([
      403,
      'mfa_setup_required',
    ])
  })

  test('a token in the address is refused', async () => {
    const { row } = await h.signedIn()
    const { token } = await insertToken(h, row.id)
    const answer = await sendTo(h, LIST_TOOLS, bearer(token), `/mcp?access_token=${token}`)
    expect(await refusalOf(answer)).toEqual({
      status: 400,
      challenge: null,
      body: { detail: 'Send the access token in the Authorization header' },
    })
  })
})

describe('a page', () => {
  test('of another origin is refused, also where its name is that of Host', async () => {
    const { row } = await h.signedIn()
    const { token } = await insertToken(h, row.id)
    for (const [origin, host] of [
      ['https://evil.example', 'organiser.example'],
      ['http://rebound.example', 'rebound.example'],
    ] as const) {
      const answer = await sendTo(h, LIST_TOOLS, { ...bearer(token), origin, host })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
      expect(await refusalOf(answer)).toMatchObject({
        status: 403,
        body: { detail: 'Cross-origin request rejected' },
      })
    }
  })

  test('of the service itself, or of a listed origin, is answered; the latter may read it, without credentials', async () => {
    const { row } = await h.signedIn()
    const { token } = await insertToken(h, row.id)
    const own = await sendTo(h, LIST_TOOLS, { ...bearer(token), origin: 'https://organiser.example' })
    const listed = await sendTo(h, LIST_TOOLS, { ...bearer(token), origin: LISTED })
    expect([own.status, listed.status]).toEqual([200, 200])
    expect(own.headers.get('access-control-allow-origin')).toBeNull()
    expect(listed.headers.get('access-control-allow-origin')).toBe(LISTED)
    expect(listed.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test('of a listed origin is told what it may send before it sends it', async () => {
    const answer = await h.app.fetch(
      new Request('http://localhost/mcp', { method: 'OPTIONS', headers: { origin: LISTED } }),
    )
    expect(answer.status).toBe(204)
    expect(answer.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
    expect(answer.headers.get('access-control-allow-methods')).toBe('POST, OPTIONS')
  })
})

describe('a request', () => {
  const sent = async (body: string, headers: Record<string, string> = {}) => {
    const { row } = await h.signedIn()
    const { token } = await insertToken(h, row.id)
    return sendTo(h, body, { ...bearer(token), ...headers })
  }

  test('of more than a megabyte is 413', async () => {
    expect((await sent(`"${'x'.repeat(1_048_577)}"`)).status).toBe(413)
  })

  test('that is no JSON, or nested beyond measure, is 400', async () => {
    expect((await sent('{')).status).toBe(400)
    expect((await sent(`{"a":${'['.repeat(40)}${']'.repeat(40)}}`)).status).toBe(400)
  })

  test('of another media type is 415', async () => {
    expect((await sent('{}', { 'content-type': 'text/plain' })).status).toBe(415)
  })

  test('by another method is 405', async () => {
    const { row } = await h.signedIn()
    const { token } = await insertToken(h, row.id)
    const answer = await h.app.fetch(new Request('http://localhost/mcp', { headers: bearer(token) }))
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'POST, OPTIONS'])
  })

  test('to an address below is no request to assistants', async () => {
    expect((await sendTo(h, LIST_TOOLS, {}, '/mcp/x')).status).toBe(404)
  })

  test('for a stream of changes is refused at once, as the tools do not change', async () => {
    const assistant = await assistantOf(h, await h.signedIn())
    await expect(assistant.client.listen({ toolsListChanged: true })).rejects.toThrow()
  })
})

describe('the list of tools', () => {
  test('has at most 12 kB, and the same bytes each time and on each revision', async () => {
    const actor = await h.signedIn()
    const lists = []
    for (const era of [...ERAS, ...ERAS]) {
      lists.push(JSON.stringify(await (await assistantOf(h, actor, { era })).tools()))
    }
    expect(new Set(lists).size).toBe(1)
    expect(Buffer.byteLength(lists[0] ?? '')).toBeLessThanOrEqual(12_000)
  })

  test('has for a token that reads only what reads', async () => {
    const assistant = await assistantOf(h, await h.signedIn(), { scopes: READING })
    const tools = await assistant.tools()
    expect(tools.map(({ name, annotations }) => [name, annotations?.readOnlyHint])).toEqual([
      ['overview', true],
      ['find', true],
      ['find_time', true],
    ])
  })

  test('says of each tool what it does', async () => {
    const tools = await (await assistantOf(h, await h.signedIn(), { scopes: WRITING })).tools()
    const hints = tools.map(({ name, annotations: a }) => [
      name,
      a?.readOnlyHint,
      a?.destructiveHint,
      a?.idempotentHint,
      a?.openWorldHint,
    ])
    expect(hints).toEqual([
      ['overview', true, false, true, false],
      ['find', true, false, true, false],
      ['add', false, false, false, false],
      ['change', false, true, false, false],
      ['delete', false, true, true, false],
      ['answer_invitation', false, false, true, false],
      ['find_time', true, false, true, false],
      ['undo', false, true, false, false],
    ])
  })
})

test('a call ends with the token: what was revoked lists and calls nothing', async () => {
  const actor = await h.signedIn()
  const { token, id } = await insertToken(h, actor.row.id)
  const assistant = await assistantWith(h, token)
  expect(await assistant.names()).not.toEqual([])
  expect((await actor.request('DELETE', `/api/auth/tokens/${id}`)).status).toBe(204)
  await expect(assistant.call('overview')).rejects.toThrow()
})
