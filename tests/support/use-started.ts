import { afterAll, afterEach, beforeAll, beforeEach } from 'bun:test'

export type Per = 'file' | 'test'

/**
 * Starts something for all tests of the file or for each, and ends it afterwards. It is there in tests, and in hooks that the file
 * registers afterwards.
 */
export function useStarted<T extends object>(
  per: Per,
  start: () => T | Promise<T>,
  end: (started: T) => unknown,
): T {
  let started: T | undefined
  const begin = async () => {
    started = await start()
  }
  const finish = async () => {
    if (started) await end(started)
    started = undefined
  }
  if (per === 'file') {
    beforeAll(begin)
    afterAll(finish)
  } else {
    beforeEach(begin)
    afterEach(finish)
  }
  const current = (): T => {
    if (!started) throw new Error('It is not started before the first test.')
    return started
  }
  // A function, so that what is started may be one.
  return new Proxy((() => {}) as unknown as T, {
    get: (_, name) => Reflect.get(current(), name),
    set: (_, name, value) => Reflect.set(current(), name, value),
    apply: (_, self, args) => Reflect.apply(current() as () => unknown, self, args),
  })
}

/** Ends what is started already after the tests of the file, and opens it again should they run once more in the same process. */
export function useOpened<T extends AsyncDisposable & { open(): void | Promise<void> }>(started: T): T {
  beforeAll(() => started.open())
  afterAll(() => started[Symbol.asyncDispose]())
  return started
}
