import { describe, expect, test } from 'bun:test'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createServer } from 'node:tls'
import { createNtfy } from '../../src/adapters/ntfy'
import { ipRanges } from '../../src/adapters/ip-ranges'
import { CERTIFICATE, PRIVATE_KEY } from '../support/push-certificate'
import { resolving } from '../support/push-addresses'
import { answerOf, DEAD_ENDS, ENDLESS_BODIES, rawServer, requestOf } from '../support/raw-server'
import { until } from '../support/service'

const MESSAGE = { title: 'Zahnarzt um 9 Uhr 🦷', message: 'Größe: „XL“', sequenceId: 'event-1_2026' }
const target = (serverUrl: string, token: string | null = null) => ({ serverUrl, topic: 'ada', token })
const accepting = () => rawServer(() => answerOf('{}'))
const toLoopback = resolving({ 'push.example': ['127.0.0.1'] })

describe('a message', () => {
  test('arrives as JSON in UTF-8 with every field, under the name of its server', async () => {
    await using server = await accepting()
    const ntfy = createNtfy({ isAllowed: () => true, resolve: toLoopback })
    const outcome = await ntfy.send(target(`http://push.example:${server.port}/ntfy/?x=1`, 'tk_1'), {
      ...MESSAGE,
      priority: 4,
      tags: ['calendar', 'Ü'],
      click: 'https://organiser.example/events/1',
    })
    expect(outcome).toEqual({ kind: 'sent' })
    const { line, headers, json } = requestOf(server.requests[0])
    expect([line, headers.host]).toEqual(['POST / HTTP/1.1', `push.example:${server.port}`])
    expect([headers['x-sequence-id'], headers.authorization]).toEqual(['event-1_2026', 'Bearer tk_1'])
    expect(json).toEqual({
      topic: 'ada',
      title: 'Zahnarzt um 9 Uhr 🦷',
      message: 'Größe: „XL“',
      priority: 4,
      tags: ['calendar', 'Ü'],
      click: 'https://organiser.example/events/1',
      sequence_id: 'event-1_2026',
    })
  })

  test.each(Object.entries(ENDLESS_BODIES))(
    'has been sent once the server says so, even where it then %s',
    async (_, answer) => {
      await using server = await rawServer(() => answer)
      const ntfy = createNtfy({ isAllowed: () => true })
      expect(await ntfy.send(target(server.url), MESSAGE)).toEqual({ kind: 'sent' })
      await until(() => server.connections() === 0, 2000)
    },
  )

  test('is given up at the deadline, and its connection is closed', async () => {
    const ntfy = createNtfy({ isAllowed: () => true, deadlineMs: 200 })
    for (const answer of Object.values(DEAD_ENDS)) {
      await using server = await rawServer(() => answer)
      expect(await ntfy.send(target(server.url), MESSAGE)).toEqual({
        kind: 'unreachable',
        reason: expect.stringMatching(/^\w+$/),
      })
      await until(() => server.connections() === 0, 2000)
    }
  })

  test('is given up at the deadline while the name is still being resolved, and never sent later', async () => {
    await using server = await accepting()
    const resolved = Promise.withResolvers<Awaited<ReturnType<typeof toLoopback>>>()
    const ntfy = createNtfy({ isAllowed: () => true, resolve: () => resolved.promise, deadlineMs: 50 })
    const outcome = await ntfy.send(target(`http://push.example:${server.port}`), MESSAGE)
    expect(outcome).toEqual({ kind: 'unreachable', reason: 'TimeoutError' })
    resolved.resolve([{ address: '127.0.0.1', family: 4 }])
    await Bun.sleep(0)
    expect([server.requests.length, server.connections()]).toEqual([0, 0])
  })

  test('finds a server that answers at its second address only', async () => {
    await using server = await accepting()
    const resolve = resolving({ 'push.example': ['::1', '127.0.0.1'] })
    const ntfy = createNtfy({ isAllowed: () => true, resolve })
    expect(await ntfy.send(target(`http://push.example:${server.port}`), MESSAGE)).toEqual({ kind: 'sent' })
  })

  test('goes nowhere where a name has no address', async () => {
    await using server = await accepting()
    const ntfy = createNtfy({ isAllowed: () => true, resolve: async () => [] })
    expect(await ntfy.send(target(`http://localhost:${server.port}`), MESSAGE)).toMatchObject({
      kind: 'unreachable',
    })
    expect(server.requests).toEqual([])
  })
})

describe('DNS rebinding', () => {
  test('does not get through: a name is resolved once, and what was checked is connected to', async () => {
    await using server = await accepting()
    const answers = [[{ address: '127.0.0.1', family: 4 }], [{ address: '10.255.255.1', family: 4 }]]
    const judged: string[] = []
    const ntfy = createNtfy({
      isAllowed: (ip) => judged.push(ip) > 0,
      resolve: async () => answers.shift() ?? [],
    })
    expect(await ntfy.send(target(`http://push.example:${server.port}`), MESSAGE)).toEqual({ kind: 'sent' })
    expect([answers.length, judged]).toEqual([1, ['127.0.0.1']])
  })

  test('is judged anew for every message: no connection and no name is kept', async () => {
    await using server = await accepting()
    const answers = [['127.0.0.1'], ['8.8.8.8', '127.0.0.1']]
    const ntfy = createNtfy({
      isAllowed: (ip) => ip === '127.0.0.1',
      resolve: async () => (answers.shift() ?? []).map((address) => ({ address, family: 4 })),
    })
    const send = () => ntfy.send(target(`http://push.example:${server.port}`), MESSAGE)
    expect([await send(), await send()]).toEqual([{ kind: 'sent' }, { kind: 'forbidden_address' }])
    expect(server.requests).toHaveLength(1)
  })

  test('does not get through by a redirect to a private address', async () => {
    await using inside = await accepting()
    await using server = await rawServer(() =>
      answerOf('', { status: 307, headers: { Location: inside.url } }),
    )
    const ntfy = createNtfy({ isAllowed: () => true, resolve: toLoopback })
    expect(await ntfy.send(target(`http://push.example:${server.port}`), MESSAGE)).toEqual({
      kind: 'refused',
      status: 307,
    })
    expect(inside.requests).toEqual([])
  })

  test('does not reach the machine itself under its own name', async () => {
    await using server = await accepting()
    const ntfy = createNtfy({ isAllowed: (ip) => ipRanges.isGlobal(ip) })
    expect(await ntfy.send(target(`http://localhost:${server.port}`), MESSAGE)).toEqual({
      kind: 'forbidden_address',
    })
    expect(server.requests).toEqual([])
  })
})

const SEND_TO_THIS_MACHINE = `
  import { createNtfy } from '../../src/adapters/ntfy'
  const resolve = async () => [{ address: '127.0.0.1', family: 4 }]
  const outcome = await createNtfy({ isAllowed: () => true, resolve }).send(
    { serverUrl: process.env.PUSH_URL, topic: 'ada', token: null },
    { title: 'Title', message: 'Message', sequenceId: 'one' },
  )
  console.log(JSON.stringify(outcome))`

describe('over TLS', () => {
  test('the certificate must be that of the name, not of the address, and be trusted', async () => {
    const names: unknown[] = []
    const server = createServer({ cert: CERTIFICATE, key: PRIVATE_KEY }, (socket) => {
      names.push(Reflect.get(socket, 'servername'))
      socket.on('error', () => {})
      socket.once('data', () => socket.end(answerOf('{}')))
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const directory = await mkdtemp(join(tmpdir(), 'push-'))
    const trusted = join(directory, 'ca.pem')
    await writeFile(trusted, CERTIFICATE)
    /** Which certificates are trusted is settled when a process starts. */
    const sendIn = async (name: string, env: Record<string, string>) => {
      const { stdout } = Bun.spawn([process.execPath, '-e', SEND_TO_THIS_MACHINE], {
        cwd: import.meta.dir,
        env: { ...process.env, ...env, PUSH_URL: `https://${name}:${port}` },
        stdout: 'pipe',
      })
      return JSON.parse(await new Response(stdout).text())
    }
    const [right, wrong, unknown] = [
      await sendIn('push.example', { NODE_EXTRA_CA_CERTS: trusted }),
      await sendIn('other.example', { NODE_EXTRA_CA_CERTS: trusted }),
      await sendIn('push.example', {}),
    ]
    server.close()
    await rm(directory, { recursive: true })
    expect([right, wrong, unknown]).toEqual([
      { kind: 'sent' },
      { kind: 'unreachable', reason: 'ERR_TLS_CERT_ALTNAME_INVALID' },
      { kind: 'unreachable', reason: 'DEPTH_ZERO_SELF_SIGNED_CERT' },
    ])
    expect(names[0]).toBe('push.example')
  })
})
