import { afterAll, expect } from 'bun:test'
import { stopTestServer } from './database'

afterAll(stopTestServer)

/** `toMatchObject` of this Bun takes any two dates for equal; `objectContaining` does not. */
function containing(expected: unknown): unknown {
  if (Array.isArray(expected)) return expected.map(containing)
  if (typeof expected !== 'object' || expected === null) return expected
  if (Object.getPrototypeOf(expected) !== Object.prototype) return expected
  const entries = Object.entries(expected).map(([name, value]) => [name, containing(value)])
  return expect.objectContaining(Object.fromEntries(entries))
}

expect.extend({
  toMatchObject(received: unknown, expected: unknown) {
    return {
      pass: this.equals(received, containing(expected)),
      message: () => `expected ${Bun.inspect(received)}\nto contain ${Bun.inspect(expected)}`,
    }
  },
})
