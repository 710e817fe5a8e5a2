import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'
import { type Harness, startHarness } from './harness'

type Options = NonNullable<Parameters<typeof startHarness>[0]>

/**
 * The real app on a fresh database, for all tests of the file or for each `per: 'test'`. It is there in tests, and in hooks that the
 * file registers afterwards.
 */
export function useHarness({ per = 'file', ...options }: Options & { per?: 'file' | 'test' } = {}): Harness {
  let harness: Harness | undefined
  const start = async () => {
    harness = await startHarness(options)
  }
  const stop = () => harness?.[Symbol.asyncDispose]()
  if (per === 'file') {
    beforeAll(start)
    afterAll(stop)
  } else {
    beforeEach(start)
    afterEach(stop)
  }
  const current = (): Harness => {
    if (!harness) throw new Error('There is no harness before the first test.')
    return harness
  }
  return new Proxy({} as Harness, {
    get: (_, name) => Reflect.get(current(), name),
    set: (_, name, value) => Reflect.set(current(), name, value),
  })
}
