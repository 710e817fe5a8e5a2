const last = new Map<number, Promise<unknown>>()

/**
 * Runs `work` after all earlier work for the same user has ended, successfully or not. While waiting it needs no database
 * connection, and only one piece of work for each user waits for the user's locks.
 */
export async function inTurn<T>(userId: number, work: () => Promise<T>): Promise<T> {
  const before = last.get(userId)
  const own = before ? before.then(work, work) : work()
  last.set(userId, own)
  try {
    return await own
  } finally {
    if (last.get(userId) === own) last.delete(userId)
  }
}
