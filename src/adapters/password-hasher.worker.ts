/**
 * A process of the pool in `password-hasher.ts`. It takes one job at a time over IPC and sends the result. Its argument names the
 * engine.
 */

import { setPriority } from 'node:os'
import { hashPassword, verifyPassword } from './password-hash'
import { hashEngine } from './password-hash.engines'
import { systemRandom } from './random'

export interface HashJob {
  readonly password: string
  /** The hash to check `password` against; null to make a new one. */
  readonly against: string | null
}

export interface HashAnswer {
  readonly ok: boolean
  /** The hash to store from now on; null when there is nothing to store. */
  readonly newHash: string | null
}

const engine = hashEngine(process.argv[2] === 'native' ? 'native' : 'wasm')

async function work({ password, against }: HashJob): Promise<HashAnswer> {
  const salt = systemRandom.bytes(16)
  if (against === null) return { ok: true, newHash: await hashPassword(engine, password, salt) }
  const { ok, upgradedHash = null } = await verifyPassword(engine, password, against, salt)
  return { ok, newHash: upgradedHash }
}

const isHashJob = (message: unknown): message is HashJob =>
  typeof message === 'object' &&
  message !== null &&
  'password' in message &&
  typeof message.password === 'string' &&
  'against' in message &&
  (message.against === null || typeof message.against === 'string')

async function answer(message: unknown): Promise<void> {
  if (!isHashJob(message)) throw new Error('The message is not a hash job')
  const found = await work(message)
  if (process.connected) process.send?.(found)
}

/** When the processor is busy, requests go before hashes, so that only sign-ins wait. */
const NICENESS = 19
setPriority(NICENESS)

// A failure ends the process on purpose. The pool replaces it and retries the job once.
process.on('message', (message) => void answer(message))

// Ignores signals to the process group: the service still needs its workers while it drains.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

// The channel closes when the service ends for any reason.
process.on('disconnect', () => process.exit())
if (!process.connected) process.exit()
