import { type Actor, startHarness } from './harness'
import { createJobs } from '../../src/jobs/schedule'
import { dispatchPushes } from '../../src/jobs/push-dispatch'
import type { PushServer } from '../../src/lib/ports/push'

interface Published {
  readonly headers: Readonly<Record<string, string>>
  readonly topic: string
  readonly title: string
  readonly message: string
  readonly priority: number
  readonly tags: readonly string[]
  readonly click: string
  readonly sequence_id: string
}

type Reaction = (message: Published) => Response | undefined | Promise<Response | undefined>

/** A server that speaks ntfy's publishing in JSON and remembers what it took; `react` may do or answer something else. */
export function fakeNtfy() {
  const published: Published[] = []
  const fake = { react: undefined as Reaction | undefined }
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    idleTimeout: 0,
    async fetch(request) {
      const message = { headers: Object.fromEntries(request.headers), ...(await request.json()) } as Published
      const answer = await fake.react?.(message)
      if (answer && !answer.ok) return answer
      published.push(message)
      return answer ?? Response.json({ id: 'x', event: 'message' })
    },
  })
  return Object.assign(fake, {
    published,
    url: `http://127.0.0.1:${server.port}`,
    /** What was published since the last time. */
    taken: () => published.splice(0),
    [Symbol.asyncDispose]: () => server.stop(true),
  })
}

/** The app, a push server, and jobs that run when they are told to. */
export async function startPushing(options: Parameters<typeof startHarness>[0] = {}) {
  const ntfy = fakeNtfy()
  const h = await startHarness({ ...options, env: { NTFY_ALLOW_PRIVATE: 'true', ...options.env } })
  const jobs = createJobs(h.deps)
  /** From now on the actor wants messages, as far as `settings` say no other. */
  const listen = (actor: Actor, settings: Record<string, unknown> = {}) =>
    configure(actor, {
      ntfy_enabled: true,
      ntfy_server_url: ntfy.url,
      ntfy_topic: actor.row.username,
      ...settings,
    })
  async function listener(settings: Record<string, unknown> = {}): Promise<Actor> {
    const actor = await h.signedIn()
    await listen(actor, settings)
    return actor
  }
  return {
    ...h,
    ntfy,
    listen,
    listener,
    /** Sends what is due, and answers what arrived, for one where it says for whom. */
    async tick(actor?: Actor) {
      await jobs.tick()
      return ntfy.taken().filter(({ topic }) => actor === undefined || topic === actor.row.username)
    },
    async titles(actor: Actor) {
      await jobs.tick()
      const own = ntfy.taken().filter(({ topic }) => topic === actor.row.username)
      return own.map(({ title }) => title).toSorted()
    },
    async [Symbol.asyncDispose]() {
      await jobs.stop()
      await ntfy[Symbol.asyncDispose]()
      await h[Symbol.asyncDispose]()
    },
  }
}
export type Pushing = Awaited<ReturnType<typeof startPushing>>

/** One pass, in which the requests to the topics of `hanging` hang until so many messages have arrived at others. */
export async function passWhileHanging(h: Pushing, hanging: readonly Actor[], messages: number) {
  const topics = new Set(hanging.map(({ row }) => row.username))
  const tried: string[] = []
  const arrived = Promise.withResolvers<void>()
  let missing = messages
  if (missing === 0) arrived.resolve()
  h.ntfy.react = () => {
    if (--missing === 0) arrived.resolve()
    return undefined
  }
  const send: PushServer['send'] = async (target, message) => {
    if (!topics.has(target.topic)) return h.deps.pushServer.send(target, message)
    tried.push(target.topic)
    await arrived.promise
    return { kind: 'unreachable', reason: 'timeout' }
  }
  await dispatchPushes({ ...h.deps, pushServer: { send } }, () => false)
  h.ntfy.react = undefined
  const told = Map.groupBy(h.ntfy.taken(), ({ topic }) => topic)
  return {
    /** Topics that hung. */
    tried: tried.toSorted(),
    /** What somebody was told, in the order in which it arrived. */
    told: (actor: Actor) => told.get(actor.row.username)?.map(({ title }) => title),
  }
}

export async function configure(actor: Actor, settings: Record<string, unknown>): Promise<void> {
  const { status, body } = await actor.request('PUT', '/api/settings', { body: settings })
  if (status !== 200) throw new Error(JSON.stringify(body))
}

/** Does it through the API and answers the body. */
export async function act(actor: Actor, method: string, path: string, body?: unknown) {
  const answered = await actor.request(method, path, body === undefined ? {} : { body })
  if (answered.status >= 300) throw new Error(`${method} ${path}: ${JSON.stringify(answered.body)}`)
  return answered.body
}

export const deliveriesOf = async (actor: Actor) =>
  (await act(actor, 'GET', '/api/settings/ntfy/deliveries')).deliveries
