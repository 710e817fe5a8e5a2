import { readdirSync, readFileSync } from 'node:fs'
import { connect } from 'node:net'
import { type Actor, type Harness, startHarness } from '../support/harness'
import { type Service, startService, until } from '../support/service'
import { createToken } from '../support/tokens'
import { ending } from './findings'

/** A running service for live updates, with people who follow it. */

const METRICS_TOKEN = 'metrics-metrics-metrics-metrics-metrics'
const ENV = { SECRET_KEYS: 'k1:tests-tests-tests-tests-tests-tests', AUTH_RATE_LIMIT: 'off', METRICS_TOKEN }

type Credential = Readonly<Record<string, string>>

export interface Reader {
  readonly actor: Actor
  /** Headers that let them read, and some that do not. */
  readonly good: readonly [Credential, ...Credential[]]
  readonly bad: readonly [Credential, ...Credential[]]
  /** Places in the journal that they were told. */
  readonly cursors: string[]
  /** Stands in the title of everything that is theirs. */
  readonly word: string
}

export interface StreamServer {
  readonly h: Harness
  readonly service: Service
  readonly readers: readonly [Reader, ...Reader[]]
}

/** A service as a process, so that its memory and its connections can be told from those of the requests. */
export async function startStreamServer(stack: AsyncDisposableStack): Promise<StreamServer> {
  const h = stack.use(await startHarness())
  // The sessions that the harness makes must hold today.
  h.clock.advance({ ms: Date.now() - h.clock.now().getTime() })
  const service = stack.use(await startService({ env: { ...ENV, DATABASE_URL: h.url } }))
  const readers: StreamServer['readers'] = [
    await readerOf(h, 'canaryone'),
    await readerOf(h, 'canarytwo'),
    await readerOf(h, 'canarythree'),
  ]
  return { h, service, readers }
}

async function readerOf(h: Harness, word: string): Promise<Reader> {
  const actor = await h.signedIn()
  const bearer = (token: string) => ({ authorization: `Bearer ${token}` })
  const reading = await createToken(actor, ['overview:read', 'tasks:read', 'calendars:read', 'people:read'])
  const narrow = await createToken(actor, ['overview:read'])
  const without = await createToken(actor, ['tasks:read'])
  const revoked = await createToken(actor, ['overview:read'])
  await actor.request('DELETE', `/api/auth/tokens/${revoked.id}`)
  return {
    actor,
    word,
    cursors: [],
    good: [{ cookie: `session=${actor.token}` }, bearer(reading.token), bearer(narrow.token)],
    bad: [{}, { cookie: 'session=x' }, bearer(without.token), bearer(revoked.token), bearer('org_x')],
  }
}

export const sessionOf = ({ actor }: Reader) => ({ cookie: `session=${actor.token}` })

/** How many streams the service says are open. */
export async function openStreams({ service }: StreamServer): Promise<number> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` }
  const text = service.fetch('/metrics', { headers }).then((response) => response.text())
  const [, count] = /^live_streams_open (\d+)/m.exec(await ending(text, 'GET /metrics')) ?? []
  if (count === undefined) throw new Error('the metrics name no streams')
  return Number(count)
}

/** What a service has logged as errors, by their messages; it says other things as plain text. */
export const errorsIn = (stdout: string): string[] =>
  stdout.split('\n').flatMap((line) => {
    // The last one may not be whole.
    if (!/^\{.*\}$/.test(line)) return []
    const { level, message } = JSON.parse(line) as { level: string; message: string }
    return level === 'error' ? [`${message} ${line}`] : []
  })

/** The resident memory of a process, in bytes. */
export const memoryOf = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024

/** How many files and connections a process holds. */
export const handlesOf = (pid: number): number => readdirSync(`/proc/${pid}/fd`).length

/** All streams are over, once their readers have gone. */
export const streamsEnded = (server: StreamServer, waitMs: number): Promise<boolean> =>
  until(async () => (await openStreams(server)) === 0, waitMs, 'no stream is open')

/** A reader that sends a request, or a part of it, and reads nothing until it is cut. */
export function mute({ service }: StreamServer, text: string): { readonly cut: () => void } {
  const socket = connect(service.port, '127.0.0.1')
  socket.on('error', () => undefined)
  socket.pause()
  socket.write(text)
  return { cut: () => socket.resetAndDestroy() }
}
