import { expect } from 'bun:test'
import { fileURLToPath } from 'node:url'
import { type Service, startService, until, withoutLateTimers } from '../../support/service'
import { type Ask, createWriters } from '../writers'
import { answerTimes } from './answers'
import { type Cluster, startCluster } from './cluster'
import { followCollection, followCursor, followStream } from './followers'
import { planPushes } from './pushes'

const INSTANCE = fileURLToPath(new URL('../push-instance.ts', import.meta.url))
const ADA = { username: 'ada', password: 'correct horse battery' }
/** Every request ends within this (contract: http.deadlines). */
const DEADLINE_MS = 10_000
/** Writes are acknowledged again within this, on each instance. */
const BACK_MS = 30_000
/** How long others that use the machine may slow down what is no answer. */
const PATIENCE_MS = 180_000
/** Messages of the only user that an instance has under way at once: it sends them one after the other. */
const UNDER_WAY = 1
/** How much longer a paused node stays so once it is replaced and writes are back. */
const PAUSE_MS = 5000

export interface Rounds {
  readonly faults: ReadonlyArray<'kill' | 'pause'>
  readonly say: (line: string) => void
}

const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`

/** Instances that run their jobs each second: one connects to the hosts by itself, the other through HAProxy. */
const startInstances = (urls: readonly string[]) =>
  Promise.all(
    urls.map((url) =>
      startService({
        args: [INSTANCE],
        env: {
          DATABASE_URL: url,
          SECRET_KEYS: 'k1:faults-faults-faults-faults-faults',
          HASH_WORKERS: '1',
          NTFY_ALLOW_PRIVATE: 'true',
          CLOCK: `${Date.now()} ${Date.now()} 1`,
        },
      }),
    ),
  )

/**
 * Kills and pauses the primary of a cluster under sixteen writers, those who follow what they write, and push messages. Throws where
 * no other node takes over, something acknowledged is lost, an answer takes too long, or whoever follows has to start again.
 */
export async function surviveFailovers({ faults, say }: Rounds): Promise<void> {
  await using cluster = await startCluster()
  await using stack = new AsyncDisposableStack()
  const services = await startInstances([cluster.url, cluster.proxyUrl])
  for (const service of services) stack.use(service)
  try {
    await using load = await startLoad(cluster, services)
    for (const [round, fault] of faults.entries()) {
      await load.acknowledgesMore()
      const backMs = await breakDown(cluster, fault, services, load)
      say(`${round + 1}. ${fault}: writes back after ${backMs.map(seconds).join(' and ')}; ${load.soFar()}`)
      for (const ms of backMs) expect(ms).toBeLessThan(BACK_MS)
      await cluster.whole()
    }
    for (const line of await load.verify(faults.length)) say(line)
    expect(services.map(({ exitCode }) => exitCode)).toEqual([null, null])
    // Where the service writes what it forgot to catch.
    expect(services.map(({ stderr }) => withoutLateTimers(stderr))).toEqual(['', ''])
  } catch (error) {
    say((await cluster.log()).slice(-4000))
    for (const { stderr, stdout } of services) say(`${stdout.slice(-2000)}\n${stderr.slice(-2000)}`)
    throw error
  }
}

/** Writers, those who follow them, and push messages, on all instances. */
async function startLoad(cluster: Cluster, services: readonly Service[]) {
  const cookie = await setUp(services)
  const { ask, seen } = answerTimes()
  await using opened = new AsyncDisposableStack()
  const pushes = opened.use(await planPushes(primaryUrl(cluster)))
  let [isOver, turn] = [false, 0]
  const over = () => isOver
  opened.defer(() => void (isOver = true))
  /** The instances take turns. */
  const urlInTurn = () => services[turn++ % services.length]?.url ?? ''
  const target = { cookie, ask }
  const targetInTurn = {
    ...target,
    get url() {
      return urlInTurn()
    },
  }
  const writers = createWriters()
  const writing = writers.run(targetInTurn, over)
  const phone = await until(() => writers.acknowledged > 30 && writers.phone, PATIENCE_MS)
  const cursor = followCursor({ ...target, url: urlInTurn() }, over)
  const streams = await Promise.all(services.map(({ url }) => followStream({ ...target, url })))
  for (const { leave } of streams) opened.defer(leave)
  const { authorization, places } = phone
  const phones = places.map(({ path }) =>
    followCollection({ url: urlInTurn(), ask, authorization, path }, over),
  )
  const soFar = () =>
    `${writers.acknowledged} writes acknowledged, ${writers.refused} refused or unknown; ${seen.answers} answers, the longest after ${seconds(seen.longestMs)} (${seen.longest})`
  const running = opened.move()
  return {
    ...target,
    soFar,
    acknowledgesMore: () => {
      const before = writers.acknowledged
      return until(() => writers.acknowledged > before + 30, PATIENCE_MS)
    },
    /** Ends the load, and tells what became of it. */
    async verify(failovers: number): Promise<string[]> {
      isOver = true
      await Promise.all([writing, cursor.running, ...phones.map((one) => one.running)])
      for (const { url } of services) await writers.verify({ ...target, url })
      const items = await cursor.verify()
      const streamed = await Promise.all(streams.map((stream) => stream.verify()))
      const objects = await Promise.all(phones.map((one) => one.verify()))
      const { due, again } = await pushes.verify(failovers * UNDER_WAY * services.length)
      expect(seen.longestMs).toBeLessThan(DEADLINE_MS)
      expect(seen.unanswered).toEqual([])
      return [
        `${failovers} failovers: ${soFar()}; every acknowledged write was found`,
        `a cursor followed ${items} items, streams ${streamed.map((one) => `${one.items} (connected ${one.connections} times)`).join(' and ')}, sync tokens ${objects.join(', ')} objects: none was reset, none missed anything`,
        `${due} push messages were due and sent, ${again} of them twice under one id`,
      ]
    },
    [Symbol.asyncDispose]: () => running.disposeAsync(),
  }
}

/** Makes the first account. Returns its cookie. */
async function setUp([service]: readonly Service[]): Promise<string> {
  const answer = await service?.post('/api/auth/setup', ADA)
  expect(answer?.status).toBe(200)
  return answer?.headers.getSetCookie()[0]?.split(';')[0] ?? ''
}

/** Breaks the primary down, measures until each instance acknowledges writes again from another node, and mends it. */
async function breakDown(
  cluster: Cluster,
  fault: 'kill' | 'pause',
  services: readonly Service[],
  { cookie, ask }: { readonly cookie: string; readonly ask: Ask },
): Promise<number[]> {
  const victim = await cluster.leader()
  const since = performance.now()
  await (fault === 'kill' ? cluster.kill(victim.name) : cluster.pause(victim.name))
  const isBack = async (url: string) => {
    const headers = { cookie, 'content-type': 'application/json' }
    const request = { method: 'POST', headers, body: JSON.stringify({ title: 'Back' }) }
    const answer = await ask(`${url}/api/todos`, request).catch(() => undefined)
    if (answer) expect([201, 429, 503]).toContain(answer.status)
    return answer?.status === 201
  }
  const back = await Promise.all(
    services.map(async ({ url }) => {
      await until(() => isBack(url), 2 * BACK_MS, 'writes are acknowledged again')
      return performance.now() - since
    }),
  )
  const successor = await cluster.leader()
  expect(successor.name).not.toBe(victim.name)
  expect(successor.timeline).toBeGreaterThan(victim.timeline)
  if (fault === 'kill') cluster.start(victim.name)
  else {
    // What it still does as the primary that it was must harm nothing.
    await Bun.sleep(PAUSE_MS)
    await cluster.resume(victim.name)
  }
  return back
}

function primaryUrl(cluster: Cluster): string {
  const url = new URL(cluster.proxyUrl)
  url.search = ''
  return url.href
}
