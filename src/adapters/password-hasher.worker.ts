/** One process of the pool in `password-hasher.ts`: takes one job at a time over IPC and answers it. Its argument names the engine. */

import { setPriority } from 'node:os'
import { hashPassword, verifyPassword } from './password-hash'
import { hashEngine } from './password-hash.engines'
import { systemRandom } from './random'

export interface HashJob {
  readonly password: string
  /** The hash to check `password` against, or null to make a new one. */
  readonly against: string | null
}

export interface HashAnswer {
  readonly ok: boolean
  /** The hash to store from now on, or null when there is nothing to store. */
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
  if (!isHashJob(message)) throw new Error('The message is no hash job')
  const found = await work(message)
  if (process.connected) process.send?.(found)
}

/** Sign-ins wait rather than everybody else: where processor time is short, requests come before hashes. */
const NICENESS = 19
setPriority(NICENESS)

// A failure ends the process on purpose: the pool replaces it and tries the job once more.
process.on('message', (message) => void answer(message))

// A signal to the whole process group is for the service, which still needs its workers while it drains.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => {})

// The channel closes with the service, however that dies.
process.on('disconnect', () => process.exit())
if (!process.connected) process.exit()
