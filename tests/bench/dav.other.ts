import { type Place, tags } from './dav.requests'

/**
 * Another user, in a process of their own, so that asking for what is costly delays nobody but by the service: asks for something small
 * again and again until it is told to end, and says then how long it has waited at most, in ms.
 */

const EVERY_MS = 5

const place: Place = JSON.parse(process.argv[2] ?? '')
const end = new AbortController()
process.on('message', () => end.abort())

await tags(place)
process.send?.('ready')
let waitMs = 0
while (!end.signal.aborted) {
  const startedAt = performance.now()
  await tags(place)
  waitMs = Math.max(waitMs, performance.now() - startedAt)
  await Bun.sleep(EVERY_MS)
}
process.send?.(waitMs)
process.disconnect?.()
