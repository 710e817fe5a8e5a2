import { expect, test } from 'bun:test'
import { Deadlines } from '../../src/http/deadlines'

function limited() {
  const clock = { ms: 0 }
  const deadlines = new Deadlines(1000, () => clock.ms)
  const start = () => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const pending = { startedAt: clock.ms, expire: () => resolve('late') }
    deadlines.add(pending)
    return { pending, promise, end: () => deadlines.remove(pending) }
  }
  return { clock, start }
}

test('what takes too long expires, and what came later does not yet', async () => {
  const { clock, start } = limited()
  const first = start()
  clock.ms = 600
  const second = start()
  clock.ms = 1000
  expect(await first.promise).toBe('late')
  expect([first.end(), second.end()]).toEqual([false, true])
})

test('what has ended does not expire', async () => {
  const { clock, start } = limited()
  const [first, second] = [start(), start()]
  expect(first.end()).toBe(true)
  clock.ms = 1000
  expect(await second.promise).toBe('late')
  expect(await Promise.race([first.promise, Promise.resolve('nothing')])).toBe('nothing')
})

test('a sweep that found nothing late is followed by others', async () => {
  const { clock, start } = limited()
  const slow = start()
  await Bun.sleep(600)
  clock.ms = 1000
  expect(await slow.promise).toBe('late')
})
