const last = new Map<number, Promise<unknown>>()

/**
 * Runs `work` once all that came before it under the same user has ended, however it did. Who waits here holds no connection, and of
 * those who would hold the user's rows one at a time stands in line for them.
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
