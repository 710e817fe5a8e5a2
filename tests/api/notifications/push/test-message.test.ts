import { describe, expect, test } from 'bun:test'
import { eq } from 'drizzle-orm'
import { createNtfy } from '../../../../src/adapters/ntfy'
import { ipRanges } from '../../../../src/adapters/ip-ranges'
import { settings } from '../../../../src/db/schema'
import { type Actor, type Harness } from '../../../support/harness'
import { FORBIDDEN_NAMES, FORBIDDEN_SERVERS, resolving } from '../../../support/push-addresses'
import { answerOf, DEAD_ENDS, rawServer, requestOf } from '../../../support/raw-server'
import { useHarness } from '../../../support/use-harness'

const TEST = '/api/settings/ntfy/test'
const TOKEN = 'tk_AgQdq7mVBoFD37zQVN29RhuMzNIz2'
const DEADLINE_MS = 250

/** Private servers are allowed: the fake ones are. */
const open = useHarness({
  env: { NTFY_ALLOW_PRIVATE: 'true' },
  deps: { pushServer: createNtfy({ isAllowed: () => true, deadlineMs: DEADLINE_MS }) },
})
/** As operators have it who allow nothing. */
const strict = useHarness({
  deps: {
    pushServer: createNtfy({ isAllowed: (ip) => ipRanges.isGlobal(ip), resolve: resolving(FORBIDDEN_NAMES) }),
  },
})

const accepting = () => rawServer(() => answerOf('{"id":"x","event":"message"}'))

const configure = async (user: Actor, changes: Record<string, unknown>) => {
  const { status } = await user.request('PUT', '/api/settings', { body: changes })
  expect(status).toBe(200)
}

/** Past the check at saving, as a row from before it, or from before the operator changed their mind. */
const store = (h: Harness, user: Actor, ntfyServerUrl: string) =>
  h.db.update(settings).set({ ntfyServerUrl, ntfyTopic: 'ada' }).where(eq(settings.userId, user.row.id))

describe('POST /api/settings/ntfy/test', () => {
  test('sends a message to the topic at the server of the settings, with the token', async () => {
    await using server = await accepting()
    const ada = await open.signedIn()
    await configure(ada, { ntfy_server_url: server.url, ntfy_topic: 'ada', ntfy_auth_token: TOKEN })
    const { status, body } = await ada.request('POST', TEST)
    expect([status, body]).toEqual([200, { message: 'Test message sent' }])
    const { line, headers, json } = requestOf(server.requests[0])
    expect(line).toBe('POST / HTTP/1.1')
    expect(headers).toMatchObject({
      authorization: `Bearer ${TOKEN}`,
      'content-type': 'application/json',
      'x-sequence-id': json.sequence_id,
    })
    expect(json).toEqual({
      topic: 'ada',
      title: 'Organiser',
      message: 'Push notifications work.',
      tags: ['white_check_mark'],
      click: 'http://localhost:3000',
      sequence_id: expect.stringMatching(/^[0-9a-f]{32}$/),
    })
    expect(JSON.stringify(open.log.entries)).not.toContain(TOKEN)
  })

  test('sends without a token where there is none, and each message under an id of its own', async () => {
    await using server = await accepting()
    const ada = await open.signedIn()
    await configure(ada, { ntfy_server_url: `${server.url}/`, ntfy_topic: 'ada' })
    await ada.request('POST', TEST)
    await ada.request('POST', TEST)
    const [first, second] = server.requests.map((request) => requestOf(request))
    expect(first?.headers).not.toHaveProperty('authorization')
    expect(first?.json.sequence_id).not.toBe(second?.json.sequence_id)
  })

  test('sends while push is switched off: one tries it before', async () => {
    await using server = await accepting()
    const ada = await open.signedIn()
    await configure(ada, { ntfy_server_url: server.url, ntfy_topic: 'ada', ntfy_enabled: false })
    expect((await ada.request('POST', TEST)).status).toBe(200)
  })

  test.each([
    ['nothing', {}],
    ['the topic alone', { ntfy_topic: 'ada' }],
    ['the server alone', { ntfy_server_url: 'https://ntfy.example' }],
    ['all but the server and the topic', { ntfy_enabled: true, ntfy_auth_token: TOKEN }],
  ])('answers 400 where %s is set', async (_, changes) => {
    const ada = await open.signedIn()
    await configure(ada, changes)
    const { status, body } = await ada.request('POST', TEST)
    expect([status, body]).toEqual([400, { detail: 'Push notifications are not configured' }])
  })

  test.each([301, 302, 307, 308, 400, 401, 403, 404, 413, 429, 500, 503])(
    'answers 502 where the server answers %d, and follows nothing',
    async (answered) => {
      await using elsewhere = await accepting()
      await using server = await rawServer(() =>
        answerOf('{"error":"refused"}', { status: answered, headers: { Location: elsewhere.url } }),
      )
      const ada = await open.signedIn()
      await configure(ada, { ntfy_server_url: server.url, ntfy_topic: 'ada', ntfy_auth_token: TOKEN })
      const { status, body } = await ada.request('POST', TEST)
      expect([status, body]).toEqual([
        502,
        { detail: 'The push server refused the message', code: `push_status_${answered}` },
      ])
      expect([server.requests.length, elsewhere.requests.length]).toEqual([1, 0])
    },
  )

  test.each(Object.entries(DEAD_ENDS))(
    'answers 502 where the server %s, however long it would go on',
    async (_, answer) => {
      await using server = await rawServer(() => answer)
      const ada = await open.signedIn()
      await configure(ada, { ntfy_server_url: server.url, ntfy_topic: 'ada', ntfy_auth_token: TOKEN })
      const { status, body } = await ada.request('POST', TEST)
      expect([status, body]).toEqual([
        502,
        { detail: 'The push server did not answer', code: 'push_unreachable' },
      ])
    },
  )

  test.each(FORBIDDEN_SERVERS)('sends nothing to %s', async (url) => {
    const ada = await strict.signedIn()
    await store(strict, ada, url)
    const { status, body } = await ada.request('POST', TEST)
    expect([status, body]).toEqual([400, { detail: 'That address is not allowed' }])
  })

  test.each(Object.entries(FORBIDDEN_NAMES))('sends nothing to %s, which is %p', async (name) => {
    const ada = await strict.signedIn()
    await configure(ada, { ntfy_server_url: `https://${name}`, ntfy_topic: 'ada' })
    const { status, body } = await ada.request('POST', TEST)
    expect([status, body]).toEqual([400, { detail: 'That address is not allowed' }])
  })

  test('answers 502 for a name that nobody has', async () => {
    const ada = await strict.signedIn()
    await configure(ada, { ntfy_server_url: 'https://nobody.example', ntfy_topic: 'ada' })
    const { status, body } = await ada.request('POST', TEST)
    expect([status, body.code]).toEqual([502, 'push_unreachable'])
  })

  test('asks for a session', async () => {
    expect((await open.request('POST', TEST)).status).toBe(401)
  })
})
