import type { Deps } from '../deps'
import { databaseFailure, isDatabaseTrouble } from '../lib/database-failure'
import { endSession, type SessionKey } from '../access/sessions/service'
import { tryReadToken } from '../access/sessions/service.checks'

/** The most sessions to remember. */
const MAX_REMEMBERED = 10_000
/** Delay before a failed revocation is tried again. */
const AGAIN_MS = 5000

type EndingDeps = Pick<Deps, 'db' | 'clock' | 'tokens' | 'log'>

/** Remembers sessions that have ended. An ended session never becomes valid again, so an old cookie costs no database query. */
export class EndedSessions {
  readonly #deps: EndingDeps
  readonly #ended = new Set<string>()
  /** Revocations in progress by session id, so that parallel sign-outs revoke a session once. */
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
   * Revokes the sessions that the tokens name and ignores invalid tokens. Signing out succeeds even when the database
   * is down (contract: sessions.sign-out): this instance refuses the session at once and revokes it when it can.
   */
  async signOut(tokens: readonly string[], ip: string): Promise<void> {
    await Promise.all(tokens.map((token) => this.#signOutOf(token, ip)))
  }

  async #signOutOf(token: string, ip: string): Promise<void> {
    const key = tryReadToken(this.#deps, token)
    if (!key || this.has(key.id)) return
    const revoking = this.#underWay.get(key.id) ?? this.#revoke(key, ip)
    this.#underWay.set(key.id, revoking)
    try {
      await revoking
    } finally {
      this.#underWay.delete(key.id)
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
