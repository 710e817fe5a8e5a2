import { invalidToken, isTokenText } from '../lib/access-tokens'
import type { AppError } from '../lib/errors'
import { sha256Hex } from '../lib/text'
import type { CurrentSession } from '../access/sessions/service'
import { findToken, mfaSetupRequired, noteUse } from '../access/tokens/service'
import type { Deps } from '../deps'
import { failureFields } from './errors'
import { requestOrigin } from './origin'
import { countedNetworks, type RateLimit } from './rate-limit'

/** The most tokens whose users are remembered. */
const MAX_REMEMBERED = 10_000

type BearerDeps = Pick<Deps, 'db' | 'clock' | 'config' | 'ipRanges' | 'peerAddress' | 'log' | 'metrics'>

/** Whether an access token is meant to let the request in; a cookie beside it counts for nothing then. */
export const hasBearer = ({ headers }: Request): boolean => headers.has('authorization')

/** Checks access tokens (contract: tokens.use), and limits the wrong ones from one address (contract: tokens.rate). */
export class Bearers {
  readonly #deps: BearerDeps
  readonly #wrong: RateLimit
  /** Users by the hash of their token, so that a request finds the line of its user without a query. */
  readonly #users = new Map<string, number>()
  /** Tokens whose use is being noted. */
  readonly #noting = new Set<number>()

  constructor(deps: BearerDeps, wrong: RateLimit) {
    this.#deps = deps
    this.#wrong = wrong
  }

  /**
   * Returns the hash of the request's token, whose form is right.
   * @throws {AppError} 401, 429.
   */
  async read(request: Request): Promise<string> {
    const [, text = ''] = /^Bearer +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? []
    if (!isTokenText(text)) throw this.#refusal(request)
    return sha256Hex(text)
  }

  /** Returns the user of a token that was right before. */
  userOf = (hash: string): number | undefined => this.#users.get(hash)

  /** Refuses another unknown token from an address with too many wrong ones. @throws {AppError} 429. */
  refuseFlood(request: Request): void {
    this.#wrong.refuseFull(this.#networksOf(request))
  }

  /** Returns the token's user in the form of a session. @throws {AppError} 401, 403, 429. */
  async authenticate(request: Request, hash: string, withOwner?: boolean): Promise<CurrentSession> {
    const found = await findToken(this.#deps, hash, { withOwner })
    if (!found) {
      this.#users.delete(hash)
      throw this.#refusal(request)
    }
    const { session, isUseDue, isMfaDue } = found
    this.#remember(hash, session.userId)
    if (isUseDue) void this.#noteUse(session.token.id, request)
    if (isMfaDue) throw mfaSetupRequired()
    return session
  }

  #remember(hash: string, userId: number): void {
    if (this.#users.size >= MAX_REMEMBERED) this.#users.clear()
    this.#users.set(hash, userId)
  }

  /** Nobody waits for this, and the next request tries again. */
  async #noteUse(tokenId: number, request: Request): Promise<void> {
    if (this.#noting.has(tokenId)) return
    this.#noting.add(tokenId)
    try {
      await noteUse(this.#deps, tokenId, requestOrigin(this.#deps, request).ip)
    } catch (error) {
      this.#deps.log.warn('The use of an access token was not noted', failureFields(error))
    } finally {
      this.#noting.delete(tokenId)
    }
  }

  /** Counts a wrong token. @throws {AppError} 429. */
  #refusal(request: Request): AppError {
    this.#deps.metrics.countWrongToken()
    this.#wrong.take(this.#networksOf(request))
    return invalidToken()
  }

  #networksOf = (request: Request) => countedNetworks(this.#deps, request)
}
