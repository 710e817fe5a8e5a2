import type { Deps } from '../deps'
import { type CurrentSession, SessionEndedError, type SessionKey } from '../access/sessions/service'
import { type Along, authenticate, readToken, tryReadToken } from '../access/sessions/service.checks'
import type { Bearers } from './bearers'
import type { EndedSessions } from './ended-sessions'
import type { Caller } from './lines'
import type { createQueues } from './queues'
import { readSessionCookie } from './session-cookie'

/**
 * A user's requests share one line. Requests about the account itself use a line per session, so that an attacker with
 * a stolen session cannot keep the user from ending it.
 */
export const lineOf = ({ id, userId }: SessionKey, route: string): Caller => ({
  key: route.startsWith('/api/auth/') ? `session ${id}` : lineOfUser(userId),
})

const lineOfUser = (userId: number) => `user ${userId}`

/** Loads the caller, and what the route asks for. @throws {AppError} 401. */
type Authenticate = (along: Along) => Promise<CurrentSession>

export interface Credentials {
  readonly ended: EndedSessions
  readonly bearers: Bearers
}

/**
 * Lets requests stand in the line of their user, and checks their session or access token afterwards. A session that is known
 * to have ended is refused before it takes room in its user's line.
 */
export function createAuthentication(
  deps: Deps,
  {
    standInLine,
    standInLineFound,
  }: Pick<ReturnType<typeof createQueues>, 'standInLine' | 'standInLineFound'>,
  { ended, bearers }: Credentials,
) {
  const readKey = (request: Request): SessionKey => {
    const key = readToken(deps, readSessionCookie(request))
    if (ended.has(key.id)) throw new SessionEndedError()
    return key
  }
  const authenticated = async (key: SessionKey, along: Along): Promise<CurrentSession> => {
    try {
      return await authenticate(deps, key, along)
    } catch (error) {
      if (error instanceof SessionEndedError) ended.note(key.id)
      throw error
    }
  }
  return {
    /** Undefined for a request without a session or with an invalid token. */
    findKey: (request: Request): SessionKey | undefined => {
      const key = tryReadToken(deps, readSessionCookie(request))
      return key && !ended.has(key.id) ? key : undefined
    },
    standWithCookie: async (request: Request, route: string): Promise<Authenticate> => {
      const key = readKey(request)
      await standInLine(request, lineOf(key, route))
      return (along) => authenticated(key, along)
    },
    /** A token that was not seen before is looked up in the lines of its address, where wrong ones hold up nobody else. */
    standWithToken: async (request: Request): Promise<Authenticate> => {
      const hash = await bearers.read(request)
      const userId = bearers.userOf(hash)
      if (userId !== undefined) await standInLine(request, { key: lineOfUser(userId) })
      else {
        await standInLineFound(request, async () => {
          bearers.refuseFlood(request)
          return lineOfUser((await bearers.authenticate(request, hash)).userId)
        })
      }
      return ({ withOwner }) => bearers.authenticate(request, hash, withOwner)
    },
  }
}
