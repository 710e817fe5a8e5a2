import { refuseEnded } from '../access/sessions/service'
import type { CollectionResource } from './resources'
import { findCollection, type Visit } from './visit'

/** How long an answer goes on before it asks again. */
const UNWATCHED_MS = 1000

/** Access to a collection ended while a long answer about it was sent. */
class AccessEnded extends Error {
  override name = 'AccessEnded'
}

/**
 * Asks again, during a long answer, whether the visitor still may read it: whoever lost access, or revoked the app password, gets an
 * answer that breaks off. @throws {AppError} 401.
 */
export function watchOver(visit: Visit, { collection }: CollectionResource): () => Promise<void> {
  const { clock, db } = visit.deps
  let since = clock.monotonic()
  return async () => {
    if (clock.monotonic() - since < UNWATCHED_MS) return
    await refuseEnded(db, visit.user.session, clock.now())
    const { address } = visit
    const isPlace = address.kind === 'collection' || address.kind === 'object'
    const still = isPlace ? await findCollection(visit, address) : undefined
    if (still?.id !== collection.id || still.kind !== collection.kind)
      throw new AccessEnded('access ended during the answer')
    since = clock.monotonic()
  }
}
