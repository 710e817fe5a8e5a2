import type { Clock } from '../../src/lib/ports/clock'
import type { Logger, LogFields } from '../../src/lib/ports/logging'
import type { PasswordHasher } from '../../src/lib/ports/passwords'

/** Stands still until it is told to move. Sleeping moves it: nobody waits in a test. */
export class ManualClock implements Clock {
  #nowMs: number

  constructor(start: string) {
    this.#nowMs = Date.parse(start)
  }
  now() {
    return new Date(this.#nowMs)
  }
  monotonic() {
    return this.#nowMs
  }
  async sleep(ms: number) {
    this.#nowMs += ms
  }
  async nextTurn() {}
  advance({ ms = 0, seconds = 0, minutes = 0, hours = 0, days = 0 }) {
    this.#nowMs += ms + (((days * 24 + hours) * 60 + minutes) * 60 + seconds) * 1000
  }
}

/** Begins at an instant and goes on as time does, for a service that a browser uses; a test may still move it on. */
export class RunningClock extends ManualClock {
  readonly #startedAt = performance.now()

  override now() {
    return new Date(super.now().getTime() + this.#passedMs())
  }
  override monotonic() {
    return super.monotonic() + this.#passedMs()
  }
  override sleep(ms: number) {
    return Bun.sleep(ms)
  }
  #passedMs() {
    return performance.now() - this.#startedAt
  }
}

/** Argon2 costs about 50 ms a check by design, which a suite cannot afford; its own tests cover the real one. */
export const fakeHasher: PasswordHasher = {
  hash: async (password) => `fake:${password.normalize('NFC')}`,
  verify: async (password, hash) => {
    if (hash.startsWith('legacy:')) {
      return hash === `legacy:${password}` ? { ok: true, upgradedHash: `fake:${password}` } : { ok: false }
    }
    return { ok: hash === `fake:${password.normalize('NFC')}` }
  },
}

/** A hasher that notes the passwords that it hashes and the hashes that it verifies against. */
export function watchedHasher() {
  const hashed: string[] = []
  const verified: string[] = []
  const hasher: PasswordHasher = {
    hash: (password) => {
      hashed.push(password)
      return fakeHasher.hash(password)
    },
    verify: (password, hash) => {
      verified.push(hash)
      return fakeHasher.verify(password, hash)
    },
  }
  return { hasher, hashed, verified }
}

export interface LogEntry {
  readonly level: 'debug' | 'info' | 'warn' | 'error'
  readonly message: string
  readonly fields: LogFields
}

/** Remembers what was logged. */
export class MemoryLog implements Logger {
  readonly entries: LogEntry[] = []
  debug(message: string, fields: LogFields = {}) {
    this.entries.push({ level: 'debug', message, fields })
  }
  info(message: string, fields: LogFields = {}) {
    this.entries.push({ level: 'info', message, fields })
  }
  warn(message: string, fields: LogFields = {}) {
    this.entries.push({ level: 'warn', message, fields })
  }
  error(message: string, fields: LogFields = {}) {
    this.entries.push({ level: 'error', message, fields })
  }
}
