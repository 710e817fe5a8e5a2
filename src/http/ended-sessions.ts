import type { Deps } from '../deps'
import { databaseFailure, isDatabaseTrouble } from '../lib/database-failure'
import { AppError } from '../lib/errors'
import { endSession, readToken, type SessionKey } from '../access/sessions/service'

/** Sessions whose end is remembered. */
const MAX_REMEMBERED = 10_000
/** A revocation that failed is tried again after so long. */
const AGAIN_MS = 5000

type EndingDeps = Pick<Deps, 'db' | 'clock' | 'tokens' | 'log'>

/**
 * What an instance knows of sessions that have ended. None of them comes to life again, so that a cookie of long ago asks the
 * database nothing.
 */
export class EndedSessions {
  readonly #deps: EndingDeps
  readonly #ended = new Set<string>()
  /** By session: however many sign out of it at once, one revokes. */
  readonly #underWay = new Map<string, Promise<void>>()

  constructor(deps: EndingDeps) {
    this.#deps = deps
  }

  has = (id: string): boolean => this.#ended.has(id)

  note(id: string): void {
    if (this.#ended.size >= MAX_REMEMBERED) this.#ended.clear()
    this.#ended.add(id)
  }

  /**
   * Revokes the sessions that the tokens name; what is no valid token is nothing to sign out of. Whoever signs out is answered also
   * where the database is away (contract: sessions.sign-out): this instance refuses the session at once, and revokes it when it can.
   */
  async signOut(tokens: readonly string[], ip: string): Promise<void> {
    await Promise.all(tokens.map((token) => this.#signOutOf(token, ip)))
  }

  async #signOutOf(token: string, ip: string): Promise<void> {
    const key = this.#read(token)
    if (!key || this.has(key.id)) return
    const revoking = this.#underWay.get(key.id) ?? this.#revoke(key, ip)
    this.#underWay.set(key.id, revoking)
    try {
      await revoking
    } finally {
      this.#underWay.delete(key.id)
    }
  }

  #read(token: string): SessionKey | undefined {
    try {
      return readToken(this.#deps, token)
    } catch (error) {
      if (error instanceof AppError) return undefined
      throw error
    }
  }

  async #revoke(key: SessionKey, ip: string): Promise<void> {
    try {
      await endSession(this.#deps, key, ip)
    } catch (error) {
      if (!isDatabaseTrouble(error)) throw error
      this.#deps.log.error('A session could not be revoked yet', {
        database_code: databaseFailure(error)?.code,
      })
      setTimeout(() => void this.#revoke(key, ip), AGAIN_MS)
    }
    this.note(key.id)
  }
}
