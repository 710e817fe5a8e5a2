import type { Db } from '../../src/db/client'
import { auditLog, users } from '../../src/db/schema'
import type { MemoryLog } from './fakes'

const SECRET_FIELDS = [
  'password',
  'old_password',
  'new_password',
  'temporary_password',
  'ntfy_auth_token',
  'mfa_token',
  'secret',
  'code',
  'backup_codes',
  'token',
]
/** Addresses that are secrets. */
const SECRET_ADDRESS = /\/api\/feeds\/([\w-]+)\.ics$/
/** Shorter ones would be found by chance. */
const MIN_LENGTH = 8

/**
 * Remembers every secret that goes over the wire of a test's app, and finds it again where it must not be: in an error, a
 * log line or an audit detail. Every harness has one, so the whole suite is the test.
 */
export class Canary {
  readonly #secrets = new Set<string>()
  readonly #leaks: string[] = []

  hear(sent: unknown, response: Response, text: string): void {
    this.#learnFields(sent)
    for (const cookie of response.headers.getSetCookie()) this.#learn(/^session=([^;]+)/.exec(cookie)?.[1])
    const isError = response.status >= 400
    if (isError) this.#search(`error ${response.status}`, text)
    else this.#learnFields(parse(text))
  }

  /** What leaked into an error, the log or the audit log, stored hashes included. */
  async leaks(db: Db, log: MemoryLog): Promise<readonly string[]> {
    for (const { passwordHash } of await db.select().from(users)) this.#learn(passwordHash)
    for (const { action, detail } of await db.select().from(auditLog)) {
      this.#search(`audit ${action}`, JSON.stringify(detail))
    }
    for (const entry of log.entries) this.#search(`log "${entry.message}"`, JSON.stringify(entry))
    return this.#leaks
  }

  #learnFields(value: unknown): void {
    if (typeof value !== 'object' || value === null) return
    this.#learn(SECRET_ADDRESS.exec(String(Reflect.get(value, 'url')))?.[1])
    for (const field of SECRET_FIELDS) {
      const secret: unknown = Reflect.get(value, field)
      for (const one of Array.isArray(secret) ? secret : [secret]) this.#learn(one)
    }
  }

  #learn(secret: unknown): void {
    if (typeof secret === 'string' && secret.length >= MIN_LENGTH) this.#secrets.add(secret)
  }

  #search(place: string, text: string): void {
    for (const secret of this.#secrets) if (text.includes(secret)) this.#leaks.push(`${place} holds a secret`)
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
