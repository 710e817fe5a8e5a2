import { once } from 'node:events'
import { connect, createServer, type Socket } from 'node:net'
import { freePort } from '../support/service'

/** Stands between a service and its database, and does to their connections what networks do. */
export async function tcpProxy(targetUrl: string) {
  const target = new URL(targetUrl)
  const port = await freePort()
  const pairs = new Set<readonly [Socket, Socket]>()
  let delayMs = 0

  const forward = (from: Socket, to: Socket) => {
    let lastDue = 0
    from.on('data', (chunk) => {
      // Nothing overtakes what came before it.
      lastDue = Math.max(lastDue, performance.now() + delayMs)
      const waitMs = lastDue - performance.now()
      if (waitMs <= 0) return void to.write(chunk)
      setTimeout(() => to.destroyed || to.write(chunk), waitMs)
    })
  }

  const server = createServer((near) => {
    const far = connect(Number(target.port), target.hostname)
    const pair = [near, far] as const
    pairs.add(pair)
    forward(near, far)
    forward(far, near)
    for (const socket of pair) {
      socket.on('error', () => undefined)
      socket.on('close', () => {
        pairs.delete(pair)
        near.destroy()
        far.destroy()
      })
    }
    if (isPaused) for (const socket of pair) socket.pause()
  }).listen(port, '127.0.0.1')
  await once(server, 'listening')
  let isPaused = false

  const url = new URL(targetUrl)
  url.hostname = '127.0.0.1'
  url.port = String(port)
  return {
    url: url.href,
    /** Nothing passes in either direction; connections stay open, and new ones are taken. */
    pause() {
      isPaused = true
      for (const socket of [...pairs].flat()) socket.pause()
    },
    resume() {
      isPaused = false
      for (const socket of [...pairs].flat()) socket.resume()
    },
    /** Everything in either direction comes so much later. */
    slowDown(ms: number) {
      delayMs = ms
    },
    /** Every connection breaks, with a reset to both sides. */
    reset() {
      for (const socket of [...pairs].flat()) socket.resetAndDestroy()
    },
    /** Nobody is there any more: connections break, and new ones are refused, as if the target had been killed. */
    cut() {
      server.close()
      for (const socket of [...pairs].flat()) socket.resetAndDestroy()
    },
    /** Takes connections again after a cut. */
    async mend() {
      server.listen(port, '127.0.0.1')
      await once(server, 'listening')
    },
    [Symbol.dispose]() {
      server.close()
      for (const socket of [...pairs].flat()) socket.destroy()
    },
  }
}
